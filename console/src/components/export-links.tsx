import { texts } from '../texts';
import { buttonClass } from './button';

interface Props {
  /** Of the route that exports. */
  path: string;
  /** Of the list that is shown. */
  filters: Record<string, string | number | string[] | undefined>;
  /** Of the file, without its ending. */
  name: string;
}

/** Links to what matches the filters, as files. The browser saves them as they arrive. */
export function ExportLinks({ path, filters, name }: Props) {
  const hrefOf = (format: string) => {
    const query = new URLSearchParams({ format });
    for (const [filter, value] of Object.entries(filters)) {
      for (const each of [value ?? []].flat()) query.append(filter, String(each));
    }
    return `${path}?${query}`;
  };
  return (
    <>
      <span>{texts.calls.export}</span>
      <a className={buttonClass()} href={hrefOf('csv')} download={`${name}.csv`}>
        {texts.calls.exportCsv}
      </a>
      <a className={buttonClass()} href={hrefOf('jsonl')} download={`${name}.jsonl`}>
        {texts.calls.exportJsonl}
      </a>
    </>
  );
}

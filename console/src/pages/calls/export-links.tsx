import { buttonClass } from '../../components/button';
import { texts } from '../../texts';
import { queryOf } from './call-filters';

/** Links to the calls that match the filters, as files. The browser saves them as they arrive. */
export function ExportLinks({ parameters }: { parameters: URLSearchParams }) {
  const { page: _, limit: __, ...filters } = queryOf(parameters);
  const hrefOf = (format: string) => {
    const query = new URLSearchParams({ format });
    for (const [name, value] of Object.entries(filters)) {
      for (const each of [value].flat()) query.append(name, String(each));
    }
    return `/api/calls/export?${query}`;
  };
  return (
    <>
      <span>{texts.calls.export}</span>
      <a className={buttonClass()} href={hrefOf('csv')} download="calls.csv">
        {texts.calls.exportCsv}
      </a>
      <a className={buttonClass()} href={hrefOf('jsonl')} download="calls.jsonl">
        {texts.calls.exportJsonl}
      </a>
    </>
  );
}

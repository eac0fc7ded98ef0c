import { useState } from 'react';
import { ApiFailure } from '../api/failure';
import { texts } from '../texts';
import { buttonClass } from './button';
import { Dialog } from './dialog';
import { FailureNotice } from './failure-notice';

interface Props {
  /** The path of the export route. */
  path: string;
  /** The filters of the list that is shown. */
  filters: Record<string, string | number | string[] | undefined>;
  /** The name of the file, without its extension. */
  name: string;
  /** Whether nothing matches the filters. */
  isEmpty?: boolean;
}

/** Finds out why the server refuses the export, if it does. The answer to HEAD has no body, so GET follows. */
async function findRefusal(href: string): Promise<ApiFailure | undefined> {
  try {
    if ((await fetch(href, { method: 'HEAD' })).ok) return undefined;
    const answer = await fetch(href);
    if (!answer.ok) return await ApiFailure.fromResponse(answer);
    await answer.body?.cancel();
    return undefined;
  } catch (error) {
    return ApiFailure.fromNetworkError(error);
  }
}

/** The browser saves the file as it arrives, without keeping it in memory; a refusal would be saved likewise. */
function save(href: string, file: string) {
  const link = document.createElement('a');
  link.href = href;
  link.download = file;
  link.click();
}

/** Links that export the calls or recipients that match the filters. */
export function ExportLinks({ path, filters, name, isEmpty = false }: Props) {
  const [refusal, setRefusal] = useState<ApiFailure | 'empty'>();
  const renderLink = (format: string, label: string) => {
    const query = new URLSearchParams({ format });
    for (const [filter, value] of Object.entries(filters)) {
      for (const each of [value ?? []].flat()) query.append(filter, String(each));
    }
    const href = `${path}?${query}`;
    const file = `${name}.${format}`;
    return (
      <a
        className={buttonClass()}
        href={href}
        download={file}
        onClick={(event) => {
          event.preventDefault();
          if (isEmpty) return setRefusal('empty');
          void findRefusal(href).then((found) => (found ? setRefusal(found) : save(href, file)));
        }}
      >
        {label}
      </a>
    );
  };
  return (
    <>
      <span>{texts.exports.title}</span>
      {renderLink('csv', texts.exports.csv)}
      {renderLink('jsonl', texts.exports.jsonl)}
      {refusal && (
        <Dialog title={texts.exports.refused} onClose={() => setRefusal(undefined)}>
          {refusal === 'empty' ? (
            <p>{texts.exports.empty}</p>
          ) : (
            <FailureNotice error={refusal} silentAdvice={texts.exports.again} />
          )}
        </Dialog>
      )}
    </>
  );
}

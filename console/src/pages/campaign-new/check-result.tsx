import { FailureNotice } from '../../components/failure-notice';
import { Notice } from '../../components/notice';
import { Table } from '../../components/table';
import { UploadProgress } from '../../components/upload-progress';
import { texts } from '../../texts';
import { FileChanged, type Validation } from './send-campaign';
import styles from './new-campaign.module.css';
import type { useCheck } from './use-check';

const words = texts.campaigns.new;

export const isUsable = ({ errors, recipients }: Validation) => errors.length === 0 && recipients > 0;

/** What the server found in the file, or that it is still looking. */
export function CheckResult({ check, share, onStop }: ReturnType<typeof useCheck> & { onStop: () => void }) {
  if (check.isFetching) return <UploadProgress share={share} after={words.checking} onStop={onStop} />;
  if (check.isError)
    return check.error instanceof FileChanged ? (
      <p role="alert" className={styles.problem}>
        {words.fileChanged}
      </p>
    ) : (
      <FailureNotice error={check.error} retry={() => void check.refetch()} />
    );
  return check.data && <Found found={check.data} />;
}

function Found({ found }: { found: Validation }) {
  const { recipients, errors, skipped, unfilled_variables, first_calls } = found;
  return (
    <>
      <div role="status">
        {errors.length > 0 ? (
          <p className={styles.problem}>{words.bad(errors.length)}</p>
        ) : (
          <Notice kind={recipients > 0 ? 'good' : 'warn'}>
            {recipients > 0 ? words.good(recipients) : words.nobody}
          </Notice>
        )}
        {skipped.do_not_call > 0 && <p>{words.listed(skipped.do_not_call)}</p>}
      </div>
      {errors.length > 0 && (
        <Table
          caption={words.errors}
          rows={errors}
          rowKey={({ row, column, message }) => `${row} ${column} ${message}`}
          columns={[
            { key: 'row', header: words.row, cell: ({ row }) => row, align: 'end' },
            { key: 'message', header: words.message, cell: ({ message }) => message },
            { key: 'column', header: words.column, cell: ({ column }) => column, isMinor: true },
            { key: 'value', header: words.value, cell: ({ value }) => value, isMinor: true },
          ]}
        />
      )}
      {errors.length === 0 && unfilled_variables.length > 0 && (
        <Notice kind="warn">
          <p>{words.unfilled}</p>
          <p>
            {unfilled_variables.map((name) => (
              <code key={name} className={styles.variable}>{`{{${name}}}`}</code>
            ))}
          </p>
        </Notice>
      )}
      {errors.length === 0 && first_calls.length > 0 && (
        <>
          <h3>{words.first}</h3>
          <ul className={styles.greetings} aria-label={words.first}>
            {first_calls.map(({ phone_number, greeting }) => (
              <li key={phone_number}>
                <code>{phone_number}</code>
                <q>{greeting || words.noGreeting}</q>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

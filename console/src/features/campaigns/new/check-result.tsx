import { FailureNotice } from '../../../ui/failure-notice';
import { Notice } from '../../../ui/notice';
import { Table } from '../../../ui/table/table';
import { UploadProgress } from '../../../ui/upload/upload-progress';
import { texts } from '../../../texts';
import { FileChanged, type Validation } from './send-campaign';
import styles from './new-campaign.module.css';
import type { useCheck } from './use-check';

const labels = texts.campaigns.new;

export const isUsable = ({ errors, recipients }: Validation) => errors.length === 0 && recipients > 0;

/** The result of the check of the file, or its progress. */
export function CheckResult({ check, share, onStop }: ReturnType<typeof useCheck> & { onStop: () => void }) {
  if (check.isFetching) return <UploadProgress share={share} after={labels.checking} onStop={onStop} />;
  if (check.isError)
    return check.error instanceof FileChanged ? (
      <p role="alert" className={styles.problem}>
        {labels.fileChanged}
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
          <p className={styles.problem}>{labels.bad(errors.length)}</p>
        ) : (
          <Notice kind={recipients > 0 ? 'good' : 'warn'}>
            {recipients > 0 ? labels.good(recipients) : labels.noRecipients}
          </Notice>
        )}
        {skipped.do_not_call > 0 && <p>{labels.listed(skipped.do_not_call)}</p>}
      </div>
      {errors.length > 0 && (
        <Table
          caption={labels.errors}
          rows={errors}
          rowKey={({ row, column, message }) => `${row} ${column} ${message}`}
          columns={[
            { key: 'row', header: labels.row, cell: ({ row }) => row, align: 'end' },
            { key: 'message', header: labels.message, cell: ({ message }) => message },
            { key: 'column', header: labels.column, cell: ({ column }) => column, isMinor: true },
            { key: 'value', header: labels.value, cell: ({ value }) => value, isMinor: true },
          ]}
        />
      )}
      {errors.length === 0 && unfilled_variables.length > 0 && (
        <Notice kind="warn">
          <p>{labels.unfilled}</p>
          <p>
            {unfilled_variables.map((name) => (
              <code key={name} className={styles.variable}>{`{{${name}}}`}</code>
            ))}
          </p>
        </Notice>
      )}
      {errors.length === 0 && first_calls.length > 0 && (
        <>
          <h3>{labels.first}</h3>
          <ul className={styles.greetings} aria-label={labels.first}>
            {first_calls.map(({ phone_number, greeting }) => (
              <li key={phone_number}>
                <code>{phone_number}</code>
                <q>{greeting || labels.noGreeting}</q>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

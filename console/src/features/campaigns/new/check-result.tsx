import type { Schemas } from '../../../api/client';
import { LeftOutRows, RowErrorTable } from '../../../domain/left-out-rows';
import { FailureNotice } from '../../../ui/failure-notice';
import { CheckField } from '../../../ui/fields';
import { Notice } from '../../../ui/notice';
import { UploadProgress } from '../../../ui/upload/upload-progress';
import { texts } from '../../../texts';
import { FileChanged, type Validation } from './send-campaign';
import styles from './new-campaign.module.css';
import type { useCheck } from './use-check';

const labels = texts.campaigns.new;

interface Leaving {
  /** Whether the campaign is created without the rows that have errors. */
  leavesOut: boolean;
  onLeaveOut: (leavesOut: boolean) => void;
}

export const isUsable = ({ errors, recipients, left_out }: Validation, leavesOut: boolean) =>
  errors.length === 0 && recipients > 0 && (leavesOut || !left_out?.rows);

type Props = ReturnType<typeof useCheck> & Leaving & { onStop: () => void };

/** The result of the check of the file, or its progress. */
export function CheckResult({ check, share, onStop, ...leaving }: Props) {
  if (check.isFetching) return <UploadProgress share={share} after={labels.checking} onStop={onStop} />;
  if (check.isError)
    return check.error instanceof FileChanged ? (
      <p role="alert" className={styles.problem}>
        {labels.fileChanged}
      </p>
    ) : (
      <FailureNotice error={check.error} retry={() => void check.refetch()} />
    );
  return check.data && <Found found={check.data} {...leaving} />;
}

/** The rows with errors: shown, saved as a file, and left out if the operator wants so. */
function LeftOut({
  leftOut,
  hasOthers,
  leavesOut,
  onLeaveOut,
}: Leaving & { leftOut: Schemas['LeftOutRowsDto']; hasOthers: boolean }) {
  return (
    <>
      <Notice kind="warn">{labels.leftOut(leftOut.rows)}</Notice>
      <LeftOutRows leftOut={leftOut}>
        {hasOthers && (
          <CheckField
            label={labels.leaveOut(leftOut.rows)}
            checked={leavesOut}
            onChange={({ target }) => onLeaveOut(target.checked)}
          />
        )}
      </LeftOutRows>
    </>
  );
}

function Found({ found, ...leaving }: Leaving & { found: Validation }) {
  const { recipients, errors, skipped, left_out, unfilled_variables, first_calls } = found;
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
      {errors.length > 0 && <RowErrorTable errors={errors} />}
      {left_out && left_out.rows > 0 && (
        <LeftOut leftOut={left_out} hasOthers={errors.length === 0} {...leaving} />
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

import { texts } from '../../../texts';
import { SelectField, TextField } from '../../../ui/fields';
import styles from './plan.module.css';
import { Choices } from './choices';
import { listPauses, type Retry } from './plan';

const { plan: labels } = texts.campaigns;

const ENDS = Object.keys(labels.ends) as Retry['on'];
const FIRST: Retry = { on: ['dial_busy', 'dial_no_answer'], max: 1, afterMinutes: [30] };
const COUNTS = [1, 2, 3, 4, 5].map((count) => ({ value: String(count), label: String(count) }));

interface Props {
  retry: Retry | null;
  /** The error message of the server. */
  problem: string | undefined;
  onChange: (retry: Retry | null) => void;
}

/** The fields that say after which ends, how often and when people are called again. */
export function RetryField({ retry, problem, onChange }: Props) {
  const setMax = (max: number) =>
    onChange(
      max === 0 ? null : { ...(retry ?? FIRST), max, afterMinutes: listPauses({ ...(retry ?? FIRST), max }) },
    );
  const setPause = (index: number, minutes: number) =>
    retry && onChange({ ...retry, afterMinutes: listPauses(retry).with(index, minutes) });
  return (
    <fieldset className={styles.set}>
      <legend>{labels.retries}</legend>
      <div className={styles.fields}>
        <SelectField
          label={labels.howOften}
          choices={COUNTS}
          any={labels.noRetry}
          value={retry === null ? '' : String(retry.max)}
          onChange={({ target }) => setMax(Number(target.value))}
        />
        {retry &&
          listPauses(retry).map((minutes, index) => (
            <TextField
              key={index}
              label={labels.pause(index + 1)}
              type="number"
              min={0}
              max={43_200}
              required
              value={minutes}
              onChange={({ target }) => setPause(index, Math.trunc(target.valueAsNumber || 0))}
            />
          ))}
      </div>
      {retry && (
        <fieldset className={styles.set}>
          <legend>{labels.after}</legend>
          <Choices
            values={ENDS}
            labels={labels.ends}
            chosen={retry.on}
            onChange={(on) => onChange({ ...retry, on })}
          />
          {retry.on.length === 0 && <p className={styles.problem}>{labels.noReasons}</p>}
        </fieldset>
      )}
      {problem && <p className={styles.problem}>{problem}</p>}
    </fieldset>
  );
}

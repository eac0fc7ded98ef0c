import { useId } from 'react';
import { texts } from '../../texts';
import { zone as viewersZone } from '../days';
import { TextField } from '../fields';
import { refusalOf } from '../schema-form/schema-fields';
import styles from './campaign.module.css';
import type { PlanDraft } from './plan';
import { RetryField } from './retry-field';
import { WindowsField } from './windows-field';

const { plan: words } = texts.campaigns;

const ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone')];

interface Props {
  plan: PlanDraft;
  /** Without a number of calls, the server has one. */
  isNew?: boolean;
  /** Of the last attempt to save. */
  failure: unknown;
  onChange: (changes: Partial<PlanDraft>) => void;
}

/** When and how a campaign calls. */
export function PlanFields({ plan, isNew = false, failure, onChange }: Props) {
  const id = useId();
  const problem = (name: string) => refusalOf(failure, name);
  const text = (name: 'timezone' | 'concurrency' | 'callsPerSecond' | 'expiresAt') => ({
    value: plan[name],
    problem: problem(name),
    onChange: ({ target }: { target: HTMLInputElement }) => onChange({ [name]: target.value }),
  });
  return (
    <div className={styles.plan}>
      <div className={styles.fields}>
        <TextField label={words.zone} help={words.zoneHelp} list={id} required {...text('timezone')} />
        <datalist id={id}>
          {ZONES.map((zone) => (
            <option key={zone} value={zone} />
          ))}
        </datalist>
      </div>
      <WindowsField
        windows={plan.windows}
        zone={plan.timezone}
        problem={problem('windows')}
        onChange={(windows) => onChange({ windows })}
      />
      <RetryField retry={plan.retry} problem={problem('retry')} onChange={(retry) => onChange({ retry })} />
      <div className={styles.fields}>
        <TextField
          label={words.concurrency}
          help={isNew ? words.concurrencyNewHelp : words.concurrencyHelp}
          type="number"
          min={1}
          max={1_000}
          required={!isNew}
          {...text('concurrency')}
        />
        <TextField
          label={words.rate}
          help={words.rateHelp}
          type="number"
          min={0.1}
          max={100}
          step="any"
          {...text('callsPerSecond')}
        />
        <TextField
          label={words.expires}
          help={`${words.expiresHelp} ${words.byYourClock(viewersZone)}`}
          type="datetime-local"
          {...text('expiresAt')}
        />
      </div>
    </div>
  );
}

import type { ReactNode } from 'react';
import { fieldError } from '../../../api/failure';
import { texts } from '../../../texts';
import { zone as viewersZone } from '../../../ui/moment';
import { TextField } from '../../../ui/fields';
import styles from './plan.module.css';
import type { PlanDraft } from './plan';
import { BestHoursHint } from './best-hours-hint';
import { RetryField } from './retry-field';
import { WindowsField } from './windows-field';

const { plan: labels } = texts.campaigns;

const ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone')].map((zone) => ({ value: zone, label: zone }));

interface Props {
  plan: PlanDraft;
  /** undefined: not chosen yet */
  agentId: string | undefined;
  /** Whether the campaign is new. The server has a default for an empty number of calls. */
  isNew?: boolean;
  /** The failure of the last attempt to save. */
  failure: unknown;
  onChange: (changes: Partial<PlanDraft>) => void;
  /** The fields before the others, in the same grid. */
  children?: ReactNode;
}

/** The fields of a campaign's plan. */
export function PlanFields({ plan, agentId, isNew = false, failure, onChange, children }: Props) {
  const problem = (name: string) => fieldError(failure, name);
  const text = (name: 'timezone' | 'concurrency' | 'callsPerSecond' | 'expiresAt') => ({
    value: plan[name],
    problem: problem(name),
    onChange: ({ target }: { target: HTMLInputElement }) => onChange({ [name]: target.value }),
  });
  return (
    <div className={styles.plan}>
      <div className={styles.fields}>
        {children}
        <TextField
          label={labels.zone}
          help={labels.zoneHelp}
          suggestions={ZONES}
          required
          {...text('timezone')}
        />
        <TextField
          label={labels.concurrency}
          help={isNew ? labels.concurrencyNewHelp : labels.concurrencyHelp}
          type="number"
          min={1}
          max={1_000}
          required={!isNew}
          {...text('concurrency')}
        />
        <TextField
          label={labels.rate}
          help={labels.rateHelp}
          type="number"
          min={0.1}
          max={100}
          step="any"
          {...text('callsPerSecond')}
        />
        <TextField
          label={labels.expires}
          help={`${labels.expiresHelp} ${labels.byYourClock(viewersZone)}`}
          type="datetime-local"
          {...text('expiresAt')}
        />
      </div>
      <WindowsField
        windows={plan.windows}
        zone={plan.timezone}
        problem={problem('windows')}
        onChange={(windows) => onChange({ windows })}
      />
      {agentId !== undefined && (
        <BestHoursHint
          agentId={agentId}
          zone={plan.timezone}
          windows={plan.windows}
          onChange={(windows) => onChange({ windows })}
        />
      )}
      <RetryField retry={plan.retry} problem={problem('retry')} onChange={(retry) => onChange({ retry })} />
    </div>
  );
}

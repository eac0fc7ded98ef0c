import type { Schemas } from '../../api/client';
import { getTerm } from '../../domain/term';
import { Badge, type Tone } from '../../ui/badge';
import { texts } from '../../texts';

type Status = Schemas['RehearsalRunDto']['status'];
type Change = NonNullable<Schemas['RunResultDto']['change']>;

const TONES: Record<Status, Tone> = {
  ...{ queued: 'plain', running: 'info', passed: 'good', failed: 'bad', error: 'warn', cancelled: 'plain' },
};

const CHANGE_TONES: Record<Change, Tone> = { same: 'plain', broke: 'bad', fixed: 'good' };

/** The state of a run, or of a rehearsal in it. */
export const RunStatus = ({ status }: { status: Status }) => (
  <Badge tone={TONES[status]}>{texts.rehearsals.statuses[status]}</Badge>
);

/** The change of a rehearsal from one version to another. */
export const RunChange = ({ change }: { change: Change | null }) =>
  change && <Badge tone={CHANGE_TONES[change]}>{texts.rehearsals.changes[change]}</Badge>;

/** Why a rehearsal is red, or was not played. */
export const whyOf = ({ failed, error }: Pick<Schemas['RunResultDto'], 'failed' | 'error'>): string =>
  error === null ? failed.map(({ check, seen }) => `${check}: ${seen}`).join('; ') : getTerm(error);

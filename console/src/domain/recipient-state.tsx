import type { Schemas } from '../api/client';
import { Badge, type Tone } from '../ui/badge';
import { texts } from '../texts';

type Recipient = Schemas['RecipientDto'];
type State = Recipient['status'];
type Result = NonNullable<Recipient['result']>;

const LOOKS: Record<State, [tone: Tone, icon?: string]> = {
  pending: ['plain'],
  queued: ['plain', '…'],
  accepted: ['warn', '↗'],
  connected: ['info'],
  disconnected: ['plain'],
  failed: ['bad'],
  skipped: ['plain', '⊘'],
  retrying: ['warn', '↻'],
};

const RESULT_LOOKS: Record<Result, [tone: Tone, icon?: string]> = {
  reached: ['good'],
  voicemail: ['plain', '✉'],
  inactivity: ['plain', '○'],
};

/** The state of a recipient. A deleted call has no result. */
export function RecipientState({ status, result }: Pick<Recipient, 'status' | 'result'>) {
  const [tone, icon] = result ? RESULT_LOOKS[result] : LOOKS[status];
  return (
    <Badge tone={tone} icon={icon}>
      {result ? texts.campaigns.results[result] : texts.campaigns.states[status]}
    </Badge>
  );
}

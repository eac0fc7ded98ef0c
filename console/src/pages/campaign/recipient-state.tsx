import type { Schemas } from '../../api/client';
import { Badge, type Tone } from '../../components/badge';
import { texts } from '../../texts';

type State = Schemas['RecipientDto']['status'];

const LOOKS: Record<State, [tone: Tone, icon?: string]> = {
  pending: ['plain'],
  queued: ['plain', '…'],
  accepted: ['warn', '↗'],
  connected: ['info'],
  disconnected: ['good'],
  failed: ['bad'],
  skipped: ['plain', '⊘'],
  retrying: ['warn', '↻'],
};

export function RecipientState({ status }: { status: State }) {
  const [tone, icon] = LOOKS[status];
  return (
    <Badge tone={tone} icon={icon}>
      {texts.campaigns.states[status]}
    </Badge>
  );
}

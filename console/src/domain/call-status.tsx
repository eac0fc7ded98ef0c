import type { Schemas } from '../api/client';
import { texts } from '../texts';
import { Badge, type Tone } from '../ui/badge';

type Status = Schemas['CallDto']['status'];

const TONES: Record<Status, Tone> = {
  queued: 'plain',
  accepted: 'warn',
  connected: 'info',
  disconnected: 'good',
  failed: 'bad',
};

const ICONS: Partial<Record<Status, string>> = { queued: '…', accepted: '↗' };

export const CallStatus = ({ status }: { status: Status }) => (
  <Badge tone={TONES[status]} icon={ICONS[status]}>
    {texts.status[status]}
  </Badge>
);

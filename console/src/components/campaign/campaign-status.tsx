import type { Schemas } from '../../api/client';
import { texts } from '../../texts';
import { Badge, type Tone } from '../badge';

type Status = Schemas['ListedCampaignDto']['status'];

const TONES: Record<Status, Tone> = {
  scheduled: 'plain',
  running: 'info',
  paused: 'warn',
  completed: 'good',
  failed: 'bad',
  cancelled: 'plain',
};

const ICONS: Partial<Record<Status, string>> = { scheduled: '…', paused: '‖', cancelled: '✕' };

export const CampaignStatus = ({ status }: { status: Status }) => (
  <Badge tone={TONES[status]} icon={ICONS[status]}>
    {texts.campaigns.statuses[status]}
  </Badge>
);

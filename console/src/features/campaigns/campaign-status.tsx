import type { Schemas } from '../../api/client';
import { texts } from '../../texts';
import { Badge, type Tone } from '../../ui/badge';
import { isBeingCancelled, type Stage } from './cancelling';

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

/** The badge of a campaign's status. A cancelled campaign removes its remaining recipients in the background. */
export const CampaignStatus = ({ campaign }: { campaign: Stage }) =>
  isBeingCancelled(campaign) ? (
    <Badge tone="warn">{texts.campaigns.cancelling}</Badge>
  ) : (
    <Badge tone={TONES[campaign.status]} icon={ICONS[campaign.status]}>
      {texts.campaigns.statuses[campaign.status]}
    </Badge>
  );

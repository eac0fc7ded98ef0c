import { api } from '../../../api/client';
import { RecipientWaits } from '../../../domain/recipient-waits';
import { Dialog } from '../../../ui/dialog';
import { Loaded } from '../../../ui/loaded';
import { texts } from '../../../texts';

const labels = texts.campaigns;

interface Props {
  campaignId: string;
  number: string;
  timezone: string;
  onClose: () => void;
}

/** Says why a recipient is not called now. */
export function RecipientWaitDialog({ campaignId, number, timezone, onClose }: Props) {
  const params = { path: { campaign_id: campaignId, recipient_number: number } };
  const recipient = api.useQuery(
    'get',
    '/api/campaign/{campaign_id}/recipients/{recipient_number}',
    { params },
    { staleTime: 0 },
  );
  return (
    <Dialog title={labels.list.waitTitle(number)} onClose={onClose}>
      <Loaded query={recipient}>
        {({ data: { obstacles } }) => <RecipientWaits waits={obstacles} timezone={timezone} />}
      </Loaded>
    </Dialog>
  );
}

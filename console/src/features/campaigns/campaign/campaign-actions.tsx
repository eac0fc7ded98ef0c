import { useState } from 'react';
import { client } from '../../../api/client';
import { Button } from '../../../ui/button';
import type { Campaign } from '../plan/plan';
import { ConfirmDialog } from '../../../ui/confirm-dialog';
import { FailureNotice } from '../../../ui/failure-notice';
import { useMutation } from '@tanstack/react-query';
import { texts } from '../../../texts';
import { ChangeDialog } from './change-dialog';

const labels = texts.campaigns.detail;

interface Props {
  campaign: Campaign;
  /** Called after an action, with the sentence about its result. */
  onDone: (text: string) => Promise<void>;
}

/** The actions that the status of a campaign allows. */
export function CampaignActions({ campaign, onDone }: Props) {
  const [asked, setAsked] = useState<'pause' | 'cancel' | 'change'>();
  const { status, progress, campaign_id } = campaign;
  const params = { params: { path: { campaign_id } } };
  const close = () => setAsked(undefined);
  const resume = useMutation({
    mutationFn: async () => {
      await client.POST('/api/campaign/{campaign_id}/resume', params);
      await onDone(labels.resumed);
    },
  });
  const pause = async () => {
    await client.POST('/api/campaign/{campaign_id}/pause', params);
    await onDone(labels.paused);
  };
  const cancel = async () => {
    await client.POST('/api/campaign/{campaign_id}/cancel', params);
    await onDone(labels.cancelled);
  };
  if (!['scheduled', 'running', 'paused'].includes(status)) return null;
  return (
    <>
      {status === 'paused' ? (
        <Button needs="operate" variant="primary" act={resume} onClick={() => resume.mutate()}>
          {labels.resume}
        </Button>
      ) : (
        <Button needs="operate" onClick={() => setAsked('pause')}>
          {labels.pause}
        </Button>
      )}
      <Button needs="operate" onClick={() => setAsked('change')}>
        {labels.change}
      </Button>
      <Button needs="operate" variant="danger" onClick={() => setAsked('cancel')}>
        {labels.cancel}
      </Button>
      {resume.isError && <FailureNotice error={resume.error} />}
      {asked === 'pause' && (
        <ConfirmDialog
          title={labels.pauseTitle}
          text={labels.pauseText}
          action={labels.pause}
          isDestructive={false}
          run={pause}
          onClose={close}
        />
      )}
      {asked === 'cancel' && (
        <ConfirmDialog
          title={labels.cancelTitle(campaign.campaignName)}
          text={labels.cancelText(progress.pending + progress.retrying + progress.queued, progress.queued)}
          action={labels.cancel}
          closeLabel={labels.keep}
          run={cancel}
          onClose={close}
        />
      )}
      {asked === 'change' && <ChangeDialog campaign={campaign} onDone={onDone} onClose={close} />}
    </>
  );
}

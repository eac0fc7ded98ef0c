import { useState } from 'react';
import { client } from '../../api/client';
import { Button } from '../../components/button';
import type { Campaign } from '../../components/campaign/plan';
import { ConfirmDialog } from '../../components/confirm-dialog';
import { FailureNotice } from '../../components/failure-notice';
import { useMutation } from '@tanstack/react-query';
import { texts } from '../../texts';
import { ChangeDialog } from './change-dialog';

const words = texts.campaigns.detail;

interface Props {
  campaign: Campaign;
  /** After an act, with what was done. */
  onDone: (text: string) => Promise<void>;
}

/** What can be done with a campaign in its state. */
export function CampaignActions({ campaign, onDone }: Props) {
  const [asked, setAsked] = useState<'pause' | 'cancel' | 'change'>();
  const { status, progress, campaign_id } = campaign;
  const params = { params: { path: { campaign_id } } };
  const close = () => setAsked(undefined);
  const resume = useMutation({
    mutationFn: async () => {
      await client.POST('/api/campaign/{campaign_id}/resume', params);
      await onDone(words.resumed);
    },
  });
  const pause = async () => {
    await client.POST('/api/campaign/{campaign_id}/pause', params);
    await onDone(words.paused);
  };
  const cancel = async () => {
    await client.POST('/api/campaign/{campaign_id}/cancel', params);
    await onDone(words.cancelled);
  };
  if (!['scheduled', 'running', 'paused'].includes(status)) return null;
  return (
    <>
      {status === 'paused' ? (
        <Button variant="primary" isBusy={resume.isPending} onClick={() => resume.mutate()}>
          {words.resume}
        </Button>
      ) : (
        <Button onClick={() => setAsked('pause')}>{words.pause}</Button>
      )}
      <Button onClick={() => setAsked('change')}>{words.change}</Button>
      <Button variant="danger" onClick={() => setAsked('cancel')}>
        {words.cancel}
      </Button>
      {resume.isError && <FailureNotice error={resume.error} />}
      {asked === 'pause' && (
        <ConfirmDialog
          title={words.pauseTitle}
          text={words.pauseText}
          action={words.pause}
          isDestructive={false}
          run={pause}
          onClose={close}
        />
      )}
      {asked === 'cancel' && (
        <ConfirmDialog
          title={words.cancelTitle(campaign.campaignName)}
          text={words.cancelText(progress.pending + progress.retrying + progress.queued, progress.queued)}
          action={words.cancel}
          closeLabel={words.keep}
          run={cancel}
          onClose={close}
        />
      )}
      {asked === 'change' && <ChangeDialog campaign={campaign} onDone={onDone} onClose={close} />}
    </>
  );
}

import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { client, type Schemas } from '../../api/client';
import { Button } from '../../components/button';
import { type Campaign, isComplete, localText, type PlanDraft } from '../../components/campaign/plan';
import { PlanFields } from '../../components/campaign/plan-fields';
import { zone } from '../../components/days';
import { Dialog } from '../../components/dialog';
import { FailureNotice } from '../../components/failure-notice';
import { TextField } from '../../components/fields';
import { utcOf } from '../../components/filter-query';
import { formValues } from '../../components/form-values';
import { refusalOf } from '../../components/schema-form/schema-fields';
import { texts } from '../../texts';
import styles from './campaign-page.module.css';

const { detail: words, new: newWords, plan: planWords } = texts.campaigns;

const draftOf = (campaign: Campaign): PlanDraft => ({
  timezone: campaign.timezone,
  windows: campaign.windows,
  concurrency: String(campaign.concurrency),
  callsPerSecond: String(campaign.callsPerSecond ?? ''),
  retry: campaign.retry?.max ? campaign.retry : null,
  expiresAt: localText(campaign.expiresAt),
});

interface Form {
  name: string;
  startsAt: string | undefined;
  plan: PlanDraft;
}

/** What differs: new windows take back the calls that wait, so that they are sent only if they are new. */
function changesOf(campaign: Campaign, { name, startsAt, plan }: Form): Schemas['UpdateCampaignDto'] {
  const before = draftOf(campaign);
  const differs = (field: keyof PlanDraft) => JSON.stringify(plan[field]) !== JSON.stringify(before[field]);
  return {
    ...(name !== campaign.campaignName && { campaignName: name }),
    ...(startsAt && startsAt !== localText(campaign.scheduleTime) && { scheduleTime: utcOf(startsAt) }),
    ...(differs('timezone') && { timezone: plan.timezone }),
    ...(differs('windows') && { windows: plan.windows }),
    ...(differs('concurrency') && { concurrency: Number(plan.concurrency) }),
    ...(differs('callsPerSecond') && {
      callsPerSecond: plan.callsPerSecond === '' ? null : Number(plan.callsPerSecond),
    }),
    ...(differs('retry') && { retry: plan.retry }),
    ...(differs('expiresAt') && { expiresAt: plan.expiresAt === '' ? null : utcOf(plan.expiresAt) }),
  };
}

interface Props {
  campaign: Campaign;
  onDone: (text: string) => Promise<void>;
  onClose: () => void;
}

/** Changes when and how a campaign calls; it may be running. */
export function ChangeDialog({ campaign, onDone, onClose }: Props) {
  const id = useId();
  // As it was when the dialog opened: the page behind it reads on.
  const [before] = useState(campaign);
  const [plan, setPlan] = useState(() => draftOf(campaign));
  const change = useMutation({
    mutationFn: async (body: Schemas['UpdateCampaignDto']) => {
      const params = { path: { campaign_id: campaign.campaign_id } };
      await client.PATCH('/api/campaign/{campaign_id}', { params, body });
      await onDone(words.changed);
    },
    onSuccess: onClose,
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!isComplete(plan)) return;
    const { name = '', startsAt } = formValues(event.currentTarget);
    change.mutate(changesOf(before, { name, startsAt, plan }));
  };
  const problem = (name: string) => refusalOf(change.error, name);
  return (
    <Dialog
      title={words.changeTitle}
      onClose={onClose}
      actions={
        <Button variant="primary" type="submit" form={id} isBusy={change.isPending}>
          {texts.common.save}
        </Button>
      }
    >
      <form id={id} onSubmit={submit} className={styles.form}>
        <TextField
          label={newWords.name}
          problem={problem('campaignName')}
          name="name"
          defaultValue={before.campaignName}
          required
          maxLength={200}
          pattern=".*\S.*"
        />
        {before.status === 'scheduled' && (
          <TextField
            label={newWords.at}
            help={planWords.byYourClock(zone)}
            problem={problem('scheduleTime')}
            name="startsAt"
            type="datetime-local"
            defaultValue={localText(before.scheduleTime)}
            required
          />
        )}
        <PlanFields
          plan={plan}
          failure={change.error}
          onChange={(changes) => setPlan((now) => ({ ...now, ...changes }))}
        />
        {change.isError && <FailureNotice error={change.error} />}
      </form>
    </Dialog>
  );
}

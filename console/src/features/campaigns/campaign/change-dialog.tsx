import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { client, type Schemas } from '../../../api/client';
import { fieldError } from '../../../api/failure';
import { type Campaign, isComplete, type PlanDraft } from '../plan/plan';
import { PlanFields } from '../plan/plan-fields';
import { inputText, zone } from '../../../ui/moment';
import { FormDialog } from '../../../ui/form-dialog';
import { TextField } from '../../../ui/fields';
import { toUtc } from '../../../ui/filters/filter-query';
import { formValues } from '../../../ui/form-values';
import { texts } from '../../../texts';

const { detail: labels, new: newWords, plan: planWords } = texts.campaigns;

const toDraft = (campaign: Campaign): PlanDraft => ({
  timezone: campaign.timezone,
  windows: campaign.windows,
  concurrency: String(campaign.concurrency),
  callsPerSecond: String(campaign.callsPerSecond ?? ''),
  retry: campaign.retry?.max ? campaign.retry : null,
  expiresAt: inputText(campaign.expiresAt),
});

interface Form {
  name: string;
  startsAt: string | undefined;
  plan: PlanDraft;
}

/** The changed fields. Windows are sent only if they differ, because new windows take back waiting calls. */
function toChanges(campaign: Campaign, { name, startsAt, plan }: Form): Schemas['UpdateCampaignDto'] {
  const before = toDraft(campaign);
  const differs = (field: keyof PlanDraft) => JSON.stringify(plan[field]) !== JSON.stringify(before[field]);
  return {
    ...(name !== campaign.campaignName && { campaignName: name }),
    ...(startsAt && startsAt !== inputText(campaign.scheduleTime) && { scheduleTime: toUtc(startsAt) }),
    ...(differs('timezone') && { timezone: plan.timezone }),
    ...(differs('windows') && { windows: plan.windows }),
    ...(differs('concurrency') && { concurrency: Number(plan.concurrency) }),
    ...(differs('callsPerSecond') && {
      callsPerSecond: plan.callsPerSecond === '' ? null : Number(plan.callsPerSecond),
    }),
    ...(differs('retry') && { retry: plan.retry }),
    ...(differs('expiresAt') && { expiresAt: plan.expiresAt === '' ? null : toUtc(plan.expiresAt) }),
  };
}

interface Props {
  campaign: Campaign;
  onDone: (text: string) => Promise<void>;
  onClose: () => void;
}

/** The dialog that changes the plan of a campaign, which may be running. */
export function ChangeDialog({ campaign, onDone, onClose }: Props) {
  // The campaign as it was when the dialog opened, because the page behind it continues to read.
  const [before] = useState(campaign);
  const [plan, setPlan] = useState(() => toDraft(campaign));
  const change = useMutation({
    mutationFn: async (body: Schemas['UpdateCampaignDto']) => {
      const params = { path: { campaign_id: campaign.campaign_id } };
      await client.PATCH('/api/campaign/{campaign_id}', { params, body });
      await onDone(labels.changed);
    },
    onSuccess: onClose,
  });
  const submit = (form: HTMLFormElement) => {
    if (!isComplete(plan)) return;
    const { name = '', startsAt } = formValues(form);
    change.mutate(toChanges(before, { name, startsAt, plan }));
  };
  const problem = (name: string) => fieldError(change.error, name);
  return (
    <FormDialog
      title={labels.changeTitle}
      action={texts.common.save}
      change={change}
      onSubmit={submit}
      onClose={onClose}
    >
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
          defaultValue={inputText(before.scheduleTime)}
          required
        />
      )}
      <PlanFields
        plan={plan}
        agentId={before.assistantId}
        failure={change.error}
        onChange={(changes) => setPlan((now) => ({ ...now, ...changes }))}
      />
    </FormDialog>
  );
}

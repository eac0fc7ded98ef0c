import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useLocation } from 'wouter';
import type { Schemas } from '../../api/client';
import { AgentField } from '../../components/agent-field';
import { Button } from '../../components/button';
import { isComplete, type PlanDraft } from '../../components/campaign/plan';
import { PlanFields } from '../../components/campaign/plan-fields';
import { zone } from '../../components/days';
import { FailureNotice } from '../../components/failure-notice';
import { SelectField, TextField } from '../../components/fields';
import { FileField } from '../../components/file-field';
import { formValues } from '../../components/form-values';
import { Page, Section } from '../../components/page';
import { refusalOf } from '../../components/schema-form/schema-fields';
import { UploadProgress, useAbort } from '../../components/upload-progress';
import { useIdempotencyKey } from '../../components/use-idempotency-key';
import { texts } from '../../texts';
import { CheckResult, isUsable } from './check-result';
import styles from './new-campaign.module.css';
import { createCampaign, FileChanged, identityOf, type NewCampaign } from './send-campaign';
import { type ChosenFile, useCheck } from './use-check';

const { new: words, plan: planWords } = texts.campaigns;

const FIRST_PLAN: PlanDraft = {
  timezone: zone,
  windows: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], start: '09:00', end: '17:00' }],
  concurrency: '',
  callsPerSecond: '',
  retry: null,
  expiresAt: '',
};

const STARTS = [
  { value: 'now', label: words.now },
  { value: 'later', label: words.later },
];

/** Chooses an agent and a file, shows what the server finds in it, and starts the campaign. */
export default function NewCampaignPage() {
  const [, navigate] = useLocation();
  const [agent, setAgent] = useState<Schemas['AgentSummaryDto']>();
  const [chosen, setChosen] = useState<ChosenFile>();
  const [plan, setPlan] = useState(FIRST_PLAN);
  const [start, setStart] = useState('now');
  const { check, share } = useCheck(agent?.id, chosen);
  const keyOf = useIdempotencyKey();
  const [sent, setSent] = useState(0);
  const { begin, stop } = useAbort();
  const create = useMutation({
    mutationFn: (campaign: NewCampaign) => {
      setSent(0);
      const key = keyOf(identityOf(campaign));
      return createCampaign(campaign, { key, signal: begin(), onProgress: setSent });
    },
    onSuccess: (id) => navigate(`/campaigns/${id}`),
  });
  const isReady = check.data !== undefined && !check.isFetching && isUsable(check.data);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!agent || !chosen || !isReady || !isComplete(plan)) return;
    const { name = '', startsAt = '', webhookUrl = '' } = formValues(event.currentTarget);
    create.mutate({ name, startsAt, webhookUrl, agentId: agent.id, file: chosen.file, plan });
  };
  const stateText = () => {
    if (!agent || !chosen) return words.notReady;
    if (check.isFetching) return words.notChecked;
    return isReady && check.data ? words.ready(check.data.recipients, agent.name, words.cost) : words.notGood;
  };
  const problem = (name: string) => refusalOf(create.error, name);
  return (
    <Page title={texts.campaigns.create}>
      <form onSubmit={submit} className={styles.form}>
        <Section title={words.what}>
          <div className={styles.fields}>
            <TextField
              label={words.name}
              problem={problem('campaignName')}
              name="name"
              required
              maxLength={200}
              pattern=".*\S.*"
            />
            <AgentField
              value={agent?.id ?? ''}
              any={words.chooseAgent}
              help={agent && !agent.status && words.agentOff}
              problem={problem('assistantId')}
              required
              onChange={(_, chosenAgent) => setAgent(chosenAgent)}
            />
          </div>
        </Section>
        <Section title={words.file}>
          <FileField
            label={words.file}
            help={words.fileHelp}
            problem={problem('file')}
            accept=".csv,.tsv,.txt,text/csv"
            file={chosen?.file}
            onChoose={(file) => setChosen({ file, number: (chosen?.number ?? 0) + 1 })}
          />
          {chosen && !agent && <p role="status">{words.needAgent}</p>}
          <CheckResult check={check} share={share} onStop={() => setChosen(undefined)} />
        </Section>
        <Section title={planWords.title}>
          <div className={styles.fields}>
            <SelectField
              label={words.start}
              choices={STARTS}
              value={start}
              onChange={({ target }) => setStart(target.value)}
            />
            {start === 'later' && (
              <TextField
                label={words.at}
                help={planWords.byYourClock(zone)}
                problem={problem('scheduleTime')}
                name="startsAt"
                type="datetime-local"
                required
              />
            )}
            <TextField
              label={words.webhook}
              help={words.webhookHelp}
              problem={problem('webhookUrl')}
              name="webhookUrl"
              type="url"
              maxLength={2_048}
            />
          </div>
          <PlanFields
            plan={plan}
            isNew
            failure={create.error}
            onChange={(changes) => setPlan((before) => ({ ...before, ...changes }))}
          />
        </Section>
        {create.error instanceof FileChanged && (
          <p role="alert" className={styles.problem}>
            {words.fileChanged}
          </p>
        )}
        {create.isError && !(create.error instanceof FileChanged) && <FailureNotice error={create.error} />}
        {create.isPending && (
          <UploadProgress
            share={sent}
            after={words.creating}
            onStop={() => {
              stop();
              create.reset();
            }}
          />
        )}
        <div className={styles.end}>
          <Button variant="primary" type="submit" disabled={!isReady} isBusy={create.isPending}>
            {start === 'now' ? words.startNow : words.schedule}
          </Button>
          <p role="status">{stateText()}</p>
        </div>
      </form>
    </Page>
  );
}

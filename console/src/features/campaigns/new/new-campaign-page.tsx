import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useLocation } from 'wouter';
import type { Schemas } from '../../../api/client';
import { fieldError } from '../../../api/failure';
import { countryChoices } from '../../../domain/phone-countries';
import { AgentField } from '../../../domain/agent-field';
import { Button } from '../../../ui/button';
import { isComplete, type PlanDraft } from '../plan/plan';
import { PlanFields } from '../plan/plan-fields';
import { zone } from '../../../ui/moment';
import { FailureNotice } from '../../../ui/failure-notice';
import { SelectField, TextField } from '../../../ui/fields';
import { FileField } from '../../../ui/upload/file-field';
import { formValues } from '../../../ui/form-values';
import { Page, Section } from '../../../ui/page';
import { UploadProgress, useAbort } from '../../../ui/upload/upload-progress';
import { useIdempotencyKey } from '../../../ui/use-idempotency-key';
import { texts } from '../../../texts';
import planStyles from '../plan/plan.module.css';
import { CheckResult, isUsable } from './check-result';
import styles from './new-campaign.module.css';
import { createCampaign, FileChanged, getIdentity, type NewCampaign, type Reading } from './send-campaign';
import { type ChosenFile, useCheck } from './use-check';

const { new: labels, plan: planWords } = texts.campaigns;

const FIRST_PLAN: PlanDraft = {
  timezone: zone,
  windows: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], start: '09:00', end: '17:00' }],
  concurrency: '',
  callsPerSecond: '',
  retry: null,
  expiresAt: '',
};

const STARTS = [
  { value: 'now', label: labels.now },
  { value: 'later', label: labels.later },
];

const FILE_HELP = (
  <>
    {labels.fileHelp}{' '}
    <a
      href={`data:text/csv;charset=utf-8,${encodeURIComponent(labels.sampleFile)}`}
      download={labels.sampleName}
    >
      {labels.sample}
    </a>
  </>
);

/** Chooses an agent and a file, shows the result of the check, and starts the campaign. */
export default function NewCampaignPage() {
  const [, navigate] = useLocation();
  const [agent, setAgent] = useState<Schemas['AgentSummaryDto']>();
  const [chosen, setChosen] = useState<ChosenFile>();
  const [plan, setPlan] = useState(FIRST_PLAN);
  const [start, setStart] = useState('now');
  const [reading, setReading] = useState<Reading>({ country: '', leavesOut: false });
  const [countries] = useState(countryChoices);
  const { check, share } = useCheck(agent?.id, chosen, reading.country);
  const getKey = useIdempotencyKey();
  const [sent, setSent] = useState(0);
  const { begin, stop } = useAbort();
  const create = useMutation({
    mutationFn: (campaign: NewCampaign) => {
      setSent(0);
      const key = getKey(getIdentity(campaign));
      return createCampaign(campaign, { key, signal: begin(), onProgress: setSent });
    },
    onSuccess: (id) => navigate(`/campaigns/${id}`),
  });
  const isReady = check.data !== undefined && !check.isFetching && isUsable(check.data, reading.leavesOut);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!agent || !chosen || !isReady || !isComplete(plan)) return;
    const { name = '', startsAt = '', webhookUrl = '' } = formValues(event.currentTarget);
    create.mutate({ name, startsAt, webhookUrl, agentId: agent.id, file: chosen.file, reading, plan });
  };
  const stateText = () => {
    if (!agent || !chosen) return labels.notReady;
    if (check.isFetching) return labels.notChecked;
    return isReady && check.data
      ? labels.ready(check.data.recipients, agent.name, labels.cost)
      : labels.notGood;
  };
  const problem = (name: string) => fieldError(create.error, name);
  return (
    <Page title={texts.campaigns.create}>
      <form onSubmit={submit} className={styles.form}>
        <Section title={labels.what}>
          <div className={planStyles.fields}>
            <TextField
              label={labels.name}
              problem={problem('campaignName')}
              name="name"
              required
              maxLength={200}
              pattern=".*\S.*"
            />
            <AgentField
              value={agent?.id ?? ''}
              any={labels.chooseAgent}
              help={agent && !agent.status && labels.agentOff}
              problem={problem('assistantId')}
              required
              onChange={(_, chosenAgent) => setAgent(chosenAgent)}
            />
            <TextField
              label={labels.webhook}
              help={labels.webhookHelp}
              problem={problem('webhookUrl')}
              name="webhookUrl"
              type="url"
              maxLength={2_048}
            />
          </div>
        </Section>
        <Section title={labels.file}>
          <FileField
            label={labels.file}
            help={FILE_HELP}
            problem={problem('file')}
            accept=".csv,.tsv,.txt,text/csv"
            file={chosen?.file}
            onChoose={(file) => {
              setChosen({ file, number: (chosen?.number ?? 0) + 1 });
              setReading({ ...reading, leavesOut: false });
            }}
          />
          <div className={planStyles.fields}>
            <SelectField
              label={labels.country}
              help={labels.countryHelp}
              problem={problem('phoneCountry')}
              any={labels.noCountry}
              choices={countries}
              value={reading.country}
              onChange={({ target }) => setReading({ country: target.value, leavesOut: false })}
            />
          </div>
          {chosen && !agent && <p role="status">{labels.needAgent}</p>}
          <CheckResult
            check={check}
            share={share}
            leavesOut={reading.leavesOut}
            onLeaveOut={(leavesOut) => setReading({ ...reading, leavesOut })}
            onStop={() => setChosen(undefined)}
          />
        </Section>
        <Section title={planWords.title}>
          <PlanFields
            plan={plan}
            agentId={agent?.id}
            isNew
            failure={create.error}
            onChange={(changes) => setPlan((before) => ({ ...before, ...changes }))}
          >
            <SelectField
              label={labels.start}
              choices={STARTS}
              value={start}
              onChange={({ target }) => setStart(target.value)}
            />
            {start === 'later' && (
              <TextField
                label={labels.at}
                help={planWords.byYourClock(zone)}
                problem={problem('scheduleTime')}
                name="startsAt"
                type="datetime-local"
                required
              />
            )}
          </PlanFields>
        </Section>
        {create.error instanceof FileChanged && (
          <p role="alert" className={styles.problem}>
            {labels.fileChanged}
          </p>
        )}
        {create.isError && !(create.error instanceof FileChanged) && <FailureNotice error={create.error} />}
        {create.isPending && (
          <UploadProgress
            share={sent}
            after={labels.creating}
            onStop={() => {
              stop();
              create.reset();
            }}
          />
        )}
        <div className={styles.end}>
          <Button variant="primary" type="submit" disabled={!isReady} act={create}>
            {start === 'now' ? labels.startNow : labels.schedule}
          </Button>
          <p role="status">{stateText()}</p>
        </div>
      </form>
    </Page>
  );
}

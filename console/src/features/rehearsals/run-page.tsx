import { useMutation } from '@tanstack/react-query';
import { Link, useParams } from 'wouter';
import { api, client, type Schemas } from '../../api/client';
import { Button, buttonClass } from '../../ui/button';
import { Facts } from '../../ui/facts';
import { FailureNotice } from '../../ui/failure-notice';
import { focusHeadingIfLost } from '../../ui/focus-heading';
import { useQueryParameters } from '../../ui/filters/use-query-parameters';
import { Loaded } from '../../ui/loaded';
import { Notice } from '../../ui/notice';
import { Page, Section } from '../../ui/page';
import { TimeText } from '../../ui/time-text';
import { texts } from '../../texts';
import { Conversation } from './conversation';
import { RunStatus } from './rehearsal-status';
import { ResultTable } from './result-table';
import styles from './run.module.css';

const labels = texts.rehearsals;

/** A run: its results, and the conversation of one of them. */
export default function RunPage() {
  const { id = '' } = useParams();
  const params = { params: { path: { run_id: id } } };
  const run = api.useQuery('get', '/api/rehearsal-runs/{run_id}', params);
  const cancel = useMutation({
    mutationFn: () => client.POST('/api/rehearsal-runs/{run_id}/cancel', params),
    onSuccess: async () => {
      await run.refetch();
      focusHeadingIfLost();
    },
  });
  const found = run.data?.data;
  return (
    <Page
      title={labels.runTitle(found?.agent.name ?? texts.agent.title)}
      actions={
        found && (
          <>
            <Link className={buttonClass()} href={`/agents/${found.agent.id}/rehearsals`}>
              {labels.short}
            </Link>
            {found.ended_at === null && (
              <Button needs="administer" variant="danger" act={cancel} onClick={() => cancel.mutate()}>
                {labels.cancel}
              </Button>
            )}
          </>
        )
      }
    >
      {cancel.isError && <FailureNotice error={cancel.error} />}
      <Loaded query={run}>
        {({ data }) => (
          <>
            <p role="status" className={styles.badges}>
              <RunStatus status={data.status} />
              {labels.played(data.progress.done, data.progress.total)}
            </p>
            <RunFacts run={data} />
            <Section title={labels.results}>
              <ResultTable run={data} />
            </Section>
            <ChosenConversation run={data} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

const { facts } = labels;

const RunFacts = ({ run }: { run: Schemas['RehearsalRunDetailDto'] }) => (
  <Facts
    facts={[
      { name: facts.version, value: run.version },
      { name: facts.fields, value: run.fields?.join(', '), isWide: true },
      { name: facts.against, value: run.against },
      { name: facts.repeat, value: run.repeat > 1 && run.repeat },
      { name: facts.seed, value: run.seed },
      { name: facts.tokens, value: run.tokens.toLocaleString() },
      { name: facts.started, value: <TimeText at={run.created_at} /> },
      { name: facts.ended, value: run.ended_at && <TimeText at={run.ended_at} /> },
    ]}
  />
);

/** The conversation that the address names, else the first red one. */
function ChosenConversation({ run }: { run: Schemas['RehearsalRunDetailDto'] }) {
  const [parameters, setParameters] = useQueryParameters();
  const named = parameters.get('rehearsal');
  const { results } = run;
  const chosen =
    named === null
      ? (results.find(({ status }) => status === 'failed') ?? results[0])
      : results.find(({ name }) => name === named);
  if (!chosen) return <Notice kind="warn">{labels.notInRun(named ?? '')}</Notice>;
  return (
    <Conversation
      key={chosen.name}
      run={run}
      result={chosen}
      repeat={Number(parameters.get('repeat') ?? chosen.repeat)}
      isAgainst={parameters.has('against')}
      isNamed={named !== null}
      onChoose={(changes) => setParameters({ rehearsal: chosen.name, ...changes }, { replace: true })}
    />
  );
}

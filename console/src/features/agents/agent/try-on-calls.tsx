import { useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { api, client, type Schemas } from '../../../api/client';
import { getPerson } from '../../../domain/phone-number';
import { texts } from '../../../texts';
import { Button } from '../../../ui/button';
import { FailureNotice } from '../../../ui/failure-notice';
import { getWeek, toMinutes } from '../../../ui/filters/periods';
import { Loaded } from '../../../ui/loaded';
import { Notice } from '../../../ui/notice';
import { Section } from '../../../ui/page';
import { type Column, Table } from '../../../ui/table/table';
import { TimeText } from '../../../ui/time-text';

type Call = Schemas['CallDto'];
type Trial = Schemas['TrialDto'];
type Turn = Schemas['TriedTurnDto'];

const labels = texts.agent.trial;

/** The number of calls that are tried together. */
const MAX_CALLS = 10;

const COLUMNS: Column<Turn>[] = [
  { key: 'user', header: labels.columns.user, cell: ({ user }) => <Text text={user} /> },
  { key: 'agent', header: labels.columns.agent, cell: ({ agent }) => agent && <Text text={agent} /> },
  {
    key: 'answer',
    header: labels.columns.answer,
    cell: ({ answer, ends, problem }) => (
      <>
        {answer !== null && <Text text={answer} />}
        {ends && <em>{labels.ends}</em>}
        {problem !== null && labels.problem(problem)}
      </>
    ),
  },
];

const Text = ({ text }: { text: string }) => <span dir="auto">{text}</span>;

interface Props {
  agentId: string;
  /** The prompt as it stands in the form, saved or not. */
  prompt: string;
}

/** Lets the prompt answer what people said in the last calls, beside what the agent had said. */
export function TryOnCalls({ agentId, prompt }: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Section
      title={labels.title}
      actions={!isOpen && <Button onClick={() => setOpen(true)}>{labels.open}</Button>}
    >
      <p>{labels.text}</p>
      {isOpen && <Trials agentId={agentId} prompt={prompt} />}
    </Section>
  );
}

function Trials({ agentId, prompt }: Props) {
  // The same moment as long as the section is open, so that it shows the same calls.
  const [weekBegin] = useState(() => new Date(toMinutes(getWeek()).start).toISOString());
  const query = {
    agent_id: agentId,
    status: ['disconnected' as const],
    start_date: weekBegin,
    limit: MAX_CALLS,
  };
  const calls = api.useQuery('get', '/api/calls', { params: { query } });
  return (
    <Loaded query={calls}>
      {({ data }) =>
        data.length === 0 ? <p>{labels.none}</p> : <Results agentId={agentId} prompt={prompt} calls={data} />
      }
    </Loaded>
  );
}

function Results({ agentId, prompt, calls }: Props & { calls: Call[] }) {
  const [trials, setTrials] = useState<Trial[]>([]);
  const [failure, setFailure] = useState<Error>();
  const [tried, setTried] = useState<string>();
  const [isRunning, setRunning] = useState(false);
  const current = useRef<AbortController>(undefined);
  useEffect(() => () => current.current?.abort(), []);

  const run = async () => {
    const controller = new AbortController();
    current.current = controller;
    setRunning(true);
    setTrials([]);
    setFailure(undefined);
    setTried(prompt);
    try {
      // One after the other: a workspace may try one call at a time.
      for (const { call_id } of calls) {
        const { data } = await client.POST('/api/agents/{agent_id}/trials', {
          params: { path: { agent_id: agentId } },
          body: { call_id, prompt },
          signal: controller.signal,
        });
        if (!data) continue;
        setTrials((before) => [...before, data.data]);
        // Without a model, the other calls say the same.
        if (data.data.missing !== null) break;
      }
    } catch (error) {
      if (!controller.signal.aborted) setFailure(error as Error);
    } finally {
      if (current.current === controller) setRunning(false);
    }
  };
  const stop = () => {
    current.current?.abort();
    setRunning(false);
  };
  const find = (id: string) => calls.find(({ call_id }) => call_id === id);
  return (
    <>
      <p>
        {isRunning ? (
          <Button onClick={stop}>{labels.stop}</Button>
        ) : (
          <Button onClick={() => void run()}>{labels.run(calls.length)}</Button>
        )}
      </p>
      <p role="status">{isRunning && labels.running(trials.length + 1, calls.length)}</p>
      {tried !== undefined && tried !== prompt && <Notice kind="info">{labels.changed}</Notice>}
      {failure && <FailureNotice error={failure} />}
      {trials.map((trial) => (
        <TrialOfCall key={trial.call_id} trial={trial} call={find(trial.call_id)} />
      ))}
    </>
  );
}

function TrialOfCall({ trial, call }: { trial: Trial; call: Call | undefined }) {
  const name = call ? getPerson(call) : trial.call_id;
  if (trial.missing !== null) return <Notice kind="warn">{labels.missing(trial.missing)}</Notice>;
  return (
    <section>
      <h3>
        <Link href={`/calls/${trial.call_id}`}>{name}</Link> {call && <TimeText at={call.created_at} />}
      </h3>
      <Table<Turn>
        caption={labels.caption(name)}
        columns={COLUMNS}
        rows={trial.turns}
        rowKey={({ sequence }) => String(sequence)}
        empty={labels.silent}
      />
      {trial.truncated && <p>{labels.truncated}</p>}
    </section>
  );
}

import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { api, client, type Schemas } from '../../api/client';
import { Badge } from '../../ui/badge';
import { Button, buttonClass } from '../../ui/button';
import { useIdempotencyKey } from '../../ui/use-idempotency-key';
import { CallProgress } from '../../domain/call-progress';
import { MissingModel } from '../../domain/missing-model';
import { Loaded } from '../../ui/loaded';
import { Section } from '../../ui/page';
import { useIsScoped } from '../../session/session';
import { texts } from '../../texts';
import { StepForm } from './step-form';
import styles from './overview.module.css';

const labels = texts.first;

type Agent = Pick<Schemas['AgentSummaryDto'], 'id' | 'name'>;

interface Call {
  id: string;
  number: string;
}

/** The first steps: create an agent, call a number, follow the call. */
export function FirstSteps({ onLeave }: { onLeave: () => void }) {
  const agents = api.useQuery('get', '/api/agents', { params: { query: { limit: 1 } } });
  const [made, setMade] = useState<Agent>();
  const [call, setCall] = useState<Call>();
  const create = useMutation({
    mutationFn: async (name: string) => {
      const { data } = await client.POST('/api/agents', { body: { name, type: 'outbound' } });
      if (data) setMade({ id: data.data._id, name });
    },
  });
  const agent = made ?? agents.data?.data[0];
  const isScoped = useIsScoped();
  const getKey = useIdempotencyKey();
  const start = useMutation({
    mutationFn: async ({ agent_id, number }: { agent_id: string; number: string }) => {
      const { data } = await client.POST('/api/agents/{agent_id}/calls', {
        params: { path: { agent_id }, header: { 'Idempotency-Key': getKey({ agent_id, number }) } },
        body: { call_type: 'phonecall', direction: 'outbound', to_number: number },
      });
      if (data) setCall({ id: data.data.conversation_id, number });
    },
  });
  return (
    <Section title={labels.title}>
      <Loaded query={agents}>
        {() => (
          <ol className={styles.steps}>
            <Step title={labels.agent} isDone={agent !== undefined}>
              {agent ? (
                <p>{labels.agentDone(agent.name)}</p>
              ) : (
                <StepForm
                  text={labels.agentText}
                  field={{ name: 'name', label: labels.agentName, maxLength: 200 }}
                  action={labels.agent}
                  act={create}
                  onSubmit={(name) => create.mutate(name)}
                />
              )}
            </Step>
            <Step title={labels.call} isDone={call !== undefined}>
              {agent && !call && (
                <p>
                  <Link href={`/agents/${agent.id}/talk`} className={buttonClass()}>
                    {texts.agent.talk}
                  </Link>{' '}
                  {labels.talkText}
                </p>
              )}
              {agent && !call && !isScoped && <MissingModel />}
              {agent && !call && (
                <StepForm
                  text={labels.callText}
                  takesFocus={made !== undefined}
                  field={{
                    name: 'to_number',
                    label: labels.number,
                    help: labels.numberHelp,
                    type: 'tel',
                    maxLength: 30,
                  }}
                  action={labels.startCall}
                  act={start}
                  onSubmit={(text) =>
                    start.mutate({ agent_id: agent.id, number: text.replace(/[\s().-]/g, '') })
                  }
                />
              )}
              {call && <p>{labels.callDone(call.number)}</p>}
            </Step>
            <Step title={labels.watch} isDone={false}>
              {call ? <Watch id={call.id} onLeave={onLeave} /> : <p>{labels.watchText}</p>}
            </Step>
          </ol>
        )}
      </Loaded>
    </Section>
  );
}

const Step = ({ title, isDone, children }: { title: string; isDone: boolean; children: ReactNode }) => (
  <li>
    <div className={styles.step}>
      <h3>
        {title} {isDone && <Badge tone="good">{labels.done}</Badge>}
      </h3>
      {children}
    </div>
  </li>
);

/** The progress of the first call. */
function Watch({ id, onLeave }: { id: string; onLeave: () => void }) {
  const link = useRef<HTMLAnchorElement>(null);
  // The form that started the call has been removed, and the focus with it.
  useEffect(() => link.current?.focus(), []);
  return (
    <>
      <CallProgress id={id} />
      <div className={styles.actions}>
        <Link ref={link} href={`/calls/${id}`} className={buttonClass('primary')}>
          {labels.openCall}
        </Link>
        <Button onClick={onLeave}>{labels.calls}</Button>
      </div>
    </>
  );
}

import { useState } from 'react';
import { Link } from 'wouter';
import type { Schemas } from '../../../api/client';
import { Button, buttonClass } from '../../../ui/button';
import { Facts } from '../../../ui/facts';
import { focusHeadingIfLost } from '../../../ui/focus-heading';
import { Notice } from '../../../ui/notice';
import { Section } from '../../../ui/page';
import { Allowed } from '../../../ui/rights';
import { TimeText } from '../../../ui/time-text';
import { texts } from '../../../texts';
import { RestoredNotice } from '../versions/restored-notice';
import { PublishDialog } from './publish-dialog';
import { PublishModeDialog } from './publish-mode-dialog';
import { RollBackDialog } from './roll-back-dialog';

type Deployment = Schemas['AgentDeploymentDto'];

const { facts, ...labels } = texts.publishing;

interface Props {
  agent: Pick<Schemas['AgentDto'], '_id' | 'name'>;
  deployment: Deployment;
  /** Reads the agent and its deployment again. */
  refresh: () => Promise<unknown>;
}

/** The version of an agent that calls use, why they do not use the newest one, and what can be done about it. */
export function PublishingSection({ agent, deployment, refresh }: Props) {
  const [asked, setAsked] = useState<'publish' | 'roll back' | 'mode'>();
  const [restored, setRestored] = useState<Schemas['RestoredVersionDto']>();
  const { _id: id } = agent;
  const { version, active_version: active, status, publish, publish_own: own } = deployment;
  const isBehind = active !== version;
  const canPublish = isBehind && status !== 'deploying';
  const close = () => {
    setAsked(undefined);
    focusHeadingIfLost();
  };
  const done = () => {
    setRestored(undefined);
    return refresh();
  };
  return (
    <Section
      title={labels.title}
      actions={
        <>
          {canPublish && (
            <Button needs="administer" variant="primary" onClick={() => setAsked('publish')}>
              {labels.publish}
            </Button>
          )}
          {isBehind && (
            <Allowed to="operate">
              <Link className={buttonClass()} href={`/agents/${id}/talk?version=${version}`}>
                {labels.talk(version)}
              </Link>
            </Allowed>
          )}
          <Button needs="administer" onClick={() => setAsked('roll back')}>
            {labels.rollBack}
          </Button>
          <Button needs="administer" onClick={() => setAsked('mode')}>
            {labels.change}
          </Button>
        </>
      }
    >
      <RestoredNotice restored={restored} />
      <Facts
        facts={[
          { name: facts.active, value: <Active agentId={id} deployment={deployment} /> },
          {
            name: facts.publish,
            value: own === null ? labels.asWorkspace(labels.modes[publish]) : labels.modes[publish],
          },
        ]}
      />
      <div role="status">{isBehind && <Behind deployment={deployment} />}</div>
      {asked === 'publish' && <PublishDialog agentId={id} version={version} onDone={done} onClose={close} />}
      {asked === 'roll back' && (
        <RollBackDialog
          agent={agent}
          onDone={(found) => {
            setRestored(found);
            return refresh();
          }}
          onClose={close}
        />
      )}
      {asked === 'mode' && <PublishModeDialog agentId={id} own={own} onDone={done} onClose={close} />}
    </Section>
  );
}

function Active({ agentId, deployment }: { agentId: string; deployment: Deployment }) {
  const { active_version: active, deployed_at: since } = deployment;
  if (active === null) return labels.none;
  return (
    <>
      <Link href={`/agents/${agentId}/versions`}>{texts.versions.version(active)}</Link>
      {since && (
        <>
          {', '}
          {labels.since} <TimeText at={since} />
        </>
      )}
    </>
  );
}

/** Why calls do not use the newest version. */
function Behind({ deployment: { status, version, error, run_id: run } }: { deployment: Deployment }) {
  const toRun = run !== null && <Link href={`/rehearsal-runs/${run}`}>{labels.toRun}</Link>;
  if (status === 'failed')
    return (
      <Notice kind="warn">
        <p>
          {labels.failed(version)} {error} {toRun}
        </p>
      </Notice>
    );
  if (status === 'deploying')
    return (
      <Notice kind="info">
        <p>
          {run === null ? labels.waiting(version) : labels.deploying(version)} {toRun}
        </p>
      </Notice>
    );
  return <Notice kind="info">{labels.draft(version)}</Notice>;
}

import { useState } from 'react';
import { Link, useLocation, useParams } from 'wouter';
import { api, type Schemas } from '../../../api/client';
import { useDocument } from '../../../api/document';
import { CallDialog } from '../../../domain/call-dialog';
import { Button, buttonClass } from '../../../ui/button';
import { Loaded } from '../../../ui/loaded';
import { Page } from '../../../ui/page';
import { Allowed, useMay } from '../../../ui/rights';
import { AgentStatus } from '../agent-status';
import { PublishingSection } from '../publishing/publishing-section';
import { useDeployment } from '../publishing/use-deployment';
import { useIsScoped } from '../../../session/session';
import { texts } from '../../../texts';
import { DeleteAgentDialog } from './delete-agent-dialog';
import { AgentEditor } from './agent-editor';
import { AgentFacts } from './agent-facts';
import { useAgentNumber } from './use-agent-number';

export default function AgentPage() {
  const { id = '' } = useParams();
  const [, navigate] = useLocation();
  const [asked, setAsked] = useState<'call' | 'delete'>();
  const isScoped = useIsScoped();
  const mayChange = useMay('administer');
  const document = useDocument();
  const agent = api.useQuery('get', '/api/agents/{agent_id}', { params: { path: { agent_id: id } } });
  const [found] = agent.data?.data ?? [];
  const deployment = useDeployment(id);
  const published = deployment.data?.data;
  const refresh = async () => {
    const [read] = await Promise.all([agent.refetch(), deployment.refetch()]);
    return read.data?.data[0]?.deployment.version;
  };
  const number = useAgentNumber(isScoped ? undefined : found);
  const close = () => setAsked(undefined);
  const renderPublishing = (shown: Schemas['AgentDto'], found: Schemas['AgentDeploymentDto']) => (
    <PublishingSection agent={shown} deployment={found} refresh={refresh} />
  );
  return (
    <Page
      title={found?.name ?? texts.agent.title}
      actions={
        found && (
          <>
            <AgentStatus status={found.status} />
            <Allowed to="operate">
              <Link className={buttonClass('primary')} href={`/agents/${id}/talk`}>
                {texts.agent.talk}
              </Link>
            </Allowed>
            <Button needs="operate" onClick={() => setAsked('call')}>
              {texts.agent.testCall}
            </Button>
            <Link className={buttonClass()} href={`/calls?agent_id=${id}`}>
              {texts.agent.calls}
            </Link>
            <Link className={buttonClass()} href={`/agents/${id}/analysis`}>
              {texts.analysis.short}
            </Link>
            {!isScoped && (
              <>
                <Link className={buttonClass()} href={`/agents/${id}/rehearsals`}>
                  {texts.rehearsals.short}
                </Link>
                <Link className={buttonClass()} href={`/agents/${id}/versions`}>
                  {texts.agent.versions}
                </Link>
                <Button needs="administer" variant="danger" onClick={() => setAsked('delete')}>
                  {texts.agents.delete}
                </Button>
              </>
            )}
          </>
        )
      }
    >
      <Loaded query={agent}>
        {({ data: [shown] }) =>
          shown && (
            <>
              <AgentFacts agent={shown} number={number} isReadOnly={isScoped} />
              {published?.publish === 'gated' && renderPublishing(shown, published)}
              <Loaded query={document}>
                {(loaded) => (
                  <AgentEditor
                    key={id}
                    agent={shown}
                    document={loaded}
                    isUnpublished={published !== undefined && published.active_version !== published.version}
                    isReadOnly={isScoped || !mayChange}
                    refresh={refresh}
                  />
                )}
              </Loaded>
              {published?.publish === 'automatic' && renderPublishing(shown, published)}
            </>
          )
        }
      </Loaded>
      {asked === 'call' && found && (
        <CallDialog title={texts.agent.test.title(found.name)} agent={found} onClose={close} />
      )}
      {asked === 'delete' && found && (
        <DeleteAgentDialog
          agent={{ id, name: found.name, phoneNumber: number.data ?? '' }}
          onClose={close}
          onDeleted={() => navigate('/agents')}
        />
      )}
    </Page>
  );
}

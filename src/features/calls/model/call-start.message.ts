import { fillVariables, listVariables } from '@parley/worker';
import { type AgentAnalysis, FROM_MODEL } from '../../agents/agent-analysis';
import type { AgentSnapshot } from '../../agents/agent-version.entity';
import type { AgentConfiguration } from '../../agents/agent-versions.service';
import type { OfferedTool } from '../../tools/tool-definition';
import type { CallStart } from '../../../platform/messaging/wire';
import type { AcceptedCall } from './accepted-call';

/** A snapshot of a release without knowledge bases has none. */
function toKnowledgeBases({ knowledgeBases = [] }: AgentSnapshot): CallStart['knowledge_bases'] {
  return (knowledgeBases as string[]).map((id) => ({
    kb_id: id,
    search: `/api/knowledge-base/${id}/search`,
  }));
}

const toTool = ({
  name,
  description,
  parameters,
  mode,
  confirm,
  say,
}: OfferedTool): CallStart['tools'][number] => ({
  ...{ name, description, mode, confirm, say },
  parameters: { type: 'object', properties: {}, ...parameters },
});

/** The part of an analysis that the runtime finds out: other fields are the server's own. */
const toAnalysis = ({ fields, criteria }: AgentAnalysis): CallStart['analysis'] => ({
  fields: fields.filter(({ from }) => from === FROM_MODEL).map(({ from: _, ...field }) => field),
  criteria,
});

/** The message that offers a call to runtimes. It depends on two rows that do not change, so it can be published again. */
export function createCallStart(
  call: AcceptedCall,
  { snapshot, tools, analysis }: AgentConfiguration,
): CallStart {
  const { greeting, ...request } = call.request;
  const variables = listVariables(request);
  const fill = (text: unknown) => (typeof text === 'string' ? fillVariables(text, variables) : '');
  const agent = {
    ...snapshot,
    prompt: fill(snapshot.prompt),
    greeting: fill(snapshot.greeting),
  };
  return {
    conversation_id: call.id,
    workspaceId: call.workspaceId,
    userId: call.userId,
    agent_id: call.agentId,
    agent_version: call.agentVersion,
    campaign_id: call.campaignId,
    call_type: call.callType,
    direction: call.direction,
    channel: call.channel,
    to_number: call.toNumber,
    from_number: call.fromNumber,
    ...request,
    greeting: greeting === '' ? agent.greeting : fill(greeting),
    created_at: call.createdAt.toISOString(),
    expires_at: call.expiresAt.toISOString(),
    knowledge_bases: toKnowledgeBases(snapshot),
    tools: tools.map(toTool),
    analysis: toAnalysis(analysis),
    // The snapshot of an agent keeps the fields that its release had.
    agent: agent as unknown as CallStart['agent'],
  };
}

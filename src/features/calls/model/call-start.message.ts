import { MAX_PROMPT_LENGTH, PLACEHOLDER } from '../../agents/agent-texts';
import type { AgentSnapshot } from '../../agents/agent-version.entity';
import type { CallStart } from '../../../platform/messaging/wire';
import type { AcceptedCall } from './accepted-call';

/** Without this limit, kilobytes of placeholders and values would make a message of many megabytes. */
export const MAX_FILLED_LENGTH = 2 * MAX_PROMPT_LENGTH;

/**
 * Replaces `{{name}}` by the variable's value. A name without a value stays as it is, as does one whose value would make
 * the text longer than MAX_FILLED_LENGTH. Values are not filled again, so that they cannot read other variables.
 */
export function fillVariables(text: string, variables: Record<string, string>): string {
  let length = text.length;
  return text.replace(PLACEHOLDER, (placeholder, name: string) => {
    const value = Object.hasOwn(variables, name.trim()) ? variables[name.trim()] : undefined;
    const filled = length - placeholder.length + (value?.length ?? 0);
    if (value === undefined || filled > MAX_FILLED_LENGTH) return placeholder;
    length = filled;
    return value;
  });
}

/** A snapshot of a release without knowledge bases has none. */
function toKnowledgeBases({ knowledgeBases = [] }: AgentSnapshot): CallStart['knowledge_bases'] {
  return (knowledgeBases as string[]).map((id) => ({
    kb_id: id,
    search: `/api/knowledge-base/${id}/search`,
  }));
}

/** The message that offers a call to runtimes. It depends on two rows that do not change, so it can be published again. */
export function createCallStart(call: AcceptedCall, snapshot: AgentSnapshot): CallStart {
  const { greeting, ...request } = call.request;
  const { customer_name } = request;
  const variables = { ...(customer_name !== '' && { customer_name }), ...request.dynamic_variables };
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
    agent,
  };
}

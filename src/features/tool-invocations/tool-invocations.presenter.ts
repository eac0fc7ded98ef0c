import type { InvocationDto, ListedInvocationDto } from './tool-invocations.dto';
import type { InvocationRow, ListedInvocation } from './tool-invocations.repository';

export const presentInvocation = (invocation: InvocationRow): InvocationDto => ({
  invocation_id: invocation.id,
  state: invocation.state,
  result: invocation.result,
  error: invocation.error,
  arguments: invocation.arguments,
  variables: invocation.variables,
});

export const presentListed = (invocation: ListedInvocation): ListedInvocationDto => ({
  ...presentInvocation(invocation),
  call_id: invocation.conversationId,
  agent_id: invocation.agentId,
  tool: invocation.tool,
  attempts: invocation.attempts,
  repeats: invocation.repeats,
  asked_at: invocation.askedAt,
  settled_at: invocation.settledAt,
  settled_by: invocation.settledBy,
  note: invocation.note,
});

import type { Installation } from './installation';
import { repeated } from '../harness/call-invariants';
import { BOOK_TABLE, EFFECTS, type ToolRequest } from '../harness/shop';
import type { ToldInvocation } from './told-log';
import type { Violation } from '../harness/violation';

export interface Invocation {
  id: string;
  conversationId: string;
  tool: string;
  state: string;
}

const INVOCATIONS = `
  SELECT tool_invocations.id, conversation_id AS "conversationId", tool, state
  FROM tool_invocations JOIN conversations ON conversations.id = conversation_id
  WHERE to_number >= $1`;

export const readInvocations = (installation: Pick<Installation, 'rows'>, firstNumber: string) =>
  installation.rows<Invocation>(INVOCATIONS, [firstNumber]);

/** Compares the recorded invocations with the requests that the shop got, and with what the runtimes were told. */
export function checkTools(
  invocations: Invocation[],
  received: ToolRequest[],
  told: ToldInvocation[],
): Violation[] {
  const byId = new Map(invocations.map((invocation) => [invocation.id, invocation]));
  const receivedIds = new Set(received.map(({ invocationId }) => invocationId));
  const effects = received.filter(({ tool }) => EFFECTS.includes(tool));
  const sent = [...new Map(effects.map((request) => [request.invocationId, request])).values()];
  return [
    ...invocations
      .filter(({ state }) => state === 'running')
      .map(createViolation('An invocation was not settled')),
    ...invocations
      .filter(({ id, state }) => state === 'done' && !receivedIds.has(id))
      .map(createViolation('An invocation is recorded as done that the shop never received')),
    ...received
      .filter(({ invocationId }) => !byId.has(invocationId))
      .map(({ callId }) => ({ message: 'The shop received what is not recorded', conversationId: callId })),
    ...sent
      .map(({ invocationId }) => byId.get(invocationId))
      .filter((invocation) => invocation !== undefined)
      .filter(({ state }) => ['refused', 'failed'].includes(state))
      .map(createViolation('An invocation that the shop received is recorded as not done')),
    ...repeated(sent.map(({ tool, callId }) => `${callId} ${tool}`)).map((twice) => ({
      message: `An effect was asked of the shop twice: ${twice}`,
      conversationId: twice.split(' ')[0],
    })),
    ...repeated(effects.filter(({ tool }) => tool === BOOK_TABLE).map(({ callId }) => callId)).map(
      (conversationId) => ({ message: 'A table was booked twice', conversationId }),
    ),
    ...told
      .filter(({ invocationId, state }) => {
        const recorded = byId.get(invocationId)?.state;
        return recorded !== undefined && state !== 'unknown' && state !== recorded;
      })
      .map(({ invocationId, state }) => ({
        message: `A runtime was told ${state} of an invocation that is recorded as another`,
        conversationId: byId.get(invocationId)?.conversationId,
      })),
  ];
}

const createViolation =
  (message: string) =>
  ({ conversationId, tool }: Invocation): Violation => ({ message: `${message}: ${tool}`, conversationId });

import type { ReceivedWebhook } from '../support/webhook-receiver';
import type { Installation } from './installation';
import type { Violation } from './violation';

interface Heard {
  webhookId: string;
  type: string;
}

interface ToldCall {
  conversationId: string;
  status: string;
  deliveries: (Heard & { status: string })[];
}

const TOLD_CALLS = `
  SELECT conversations.id AS "conversationId", status,
         (SELECT COALESCE(jsonb_agg(jsonb_build_object('webhookId', id, 'type', type, 'status', status)
                                    ORDER BY sequence), '[]')
          FROM webhook_deliveries WHERE conversation_id = conversations.id) AS deliveries
  FROM conversations
  WHERE to_number >= $1 AND ended_at IS NOT NULL AND request->>'webhook_url' <> ''`;

/** Whoever asked to be told of a call has heard all of it, in order, and in the end how it ended. */
export async function checkWebhooks(
  installation: Installation,
  firstNumber: string,
  received: ReceivedWebhook[],
): Promise<Violation[]> {
  const calls = await installation.rows<ToldCall>(TOLD_CALLS, [firstNumber]);
  const heardOf = byConversation(received);
  return calls.flatMap((call) => {
    const heard = heardOf.get(call.conversationId) ?? [];
    return problemsOf(call, heard).map((problem) => ({
      sentence: `${problem}: ${JSON.stringify({ deliveries: call.deliveries, heard })}`,
      conversationId: call.conversationId,
    }));
  });
}

/** Each webhook once, in the order in which they first came. */
function byConversation(received: ReceivedWebhook[]): Map<string, Heard[]> {
  const heardOf = new Map<string, Heard[]>();
  for (const { id: webhookId, payload } of received) {
    const { type, data } = payload;
    const heard = heardOf.get(data.conversation_id) ?? [];
    heardOf.set(data.conversation_id, heard);
    if (!heard.some((other) => other.webhookId === webhookId)) heard.push({ webhookId, type });
  }
  return heardOf;
}

function problemsOf({ status, deliveries }: ToldCall, heard: Heard[]): string[] {
  const connected = status === 'disconnected';
  const types = heard.map(({ type }) => type);
  const sent = deliveries.map(({ webhookId }) => webhookId).join();
  return [
    ...(types.at(-1) === (connected ? 'call.ended' : 'call.failed') ? [] : ['An end was not told']),
    // A call whose runtime was taken for lost may fail first, and be put right by the runtime's late report.
    ...(!connected || isBefore(types, 'call.started', 'call.ended') ? [] : ['A start was not told first']),
    ...(heard.map(({ webhookId }) => webhookId).join() === sent
      ? []
      : ['What was told is not what happened']),
    ...(deliveries.every((delivery) => delivery.status === 'delivered') ? [] : ['A delivery is not done']),
  ];
}

const isBefore = (types: string[], first: string, second: string) =>
  types.includes(first) && types.indexOf(first) < types.indexOf(second);

import type { ReceivedWebhook } from '../../support/webhook-receiver';
import type { Installation } from './installation';
import type { Violation } from './violation';

interface ReceivedEvent {
  webhookId: string;
  type: string;
}

interface NotifiedCall {
  conversationId: string;
  status: string;
  deliveries: (ReceivedEvent & { status: string })[];
}

const NOTIFIED_CALLS = `
  SELECT conversations.id AS "conversationId", status,
         (SELECT COALESCE(jsonb_agg(jsonb_build_object('webhookId', id, 'type', type, 'status', status)
                                    ORDER BY sequence), '[]')
          FROM webhook_deliveries WHERE conversation_id = conversations.id) AS deliveries
  FROM conversations
  WHERE to_number >= $1 AND ended_at IS NOT NULL AND request->>'webhook_url' <> ''`;

/** The webhook_url of a call has received all of its events in order, and the end last. */
export async function checkWebhooks(
  installation: Installation,
  firstNumber: string,
  received: ReceivedWebhook[],
): Promise<Violation[]> {
  const calls = await installation.rows<NotifiedCall>(NOTIFIED_CALLS, [firstNumber]);
  const receivedFor = byConversation(received);
  return calls.flatMap((call) => {
    const events = receivedFor.get(call.conversationId) ?? [];
    return findProblems(call, events).map((problem) => ({
      message: `${problem}: ${JSON.stringify({ deliveries: call.deliveries, events })}`,
      conversationId: call.conversationId,
    }));
  });
}

/** Returns each webhook once, in the order of the first receipt. */
function byConversation(received: ReceivedWebhook[]): Map<string, ReceivedEvent[]> {
  const receivedFor = new Map<string, ReceivedEvent[]>();
  for (const { id: webhookId, payload } of received) {
    const { type, data } = payload;
    const events = receivedFor.get(data.conversation_id) ?? [];
    receivedFor.set(data.conversation_id, events);
    if (!events.some((other) => other.webhookId === webhookId)) events.push({ webhookId, type });
  }
  return receivedFor;
}

function findProblems({ status, deliveries }: NotifiedCall, events: ReceivedEvent[]): string[] {
  const connected = status === 'disconnected';
  const types = events.map(({ type }) => type);
  const sent = deliveries.map(({ webhookId }) => webhookId).join();
  return [
    ...(types.at(-1) === (connected ? 'call.ended' : 'call.failed')
      ? []
      : ['The end of a call was not delivered']),
    // A call may fail first as worker_lost and be corrected by a late report of its runtime.
    ...(!connected || isBefore(types, 'call.started', 'call.ended')
      ? []
      : ['The start of a call was not delivered before its end']),
    ...(events.map(({ webhookId }) => webhookId).join() === sent
      ? []
      : ['The received webhooks differ from the recorded deliveries']),
    ...(deliveries.every((delivery) => delivery.status === 'delivered')
      ? []
      : ['A delivery is not completed']),
  ];
}

const isBefore = (types: string[], first: string, second: string) =>
  types.includes(first) && types.indexOf(first) < types.indexOf(second);

import { randomUUID } from 'node:crypto';
import { STATUS } from '../../features/calls/model/call-states';
import type { WebhookAttempt } from '../../features/webhooks/webhook-attempt.entity';
import { EVENT_TYPE, type EventType } from '../../features/webhooks/event-types';
import { DELIVERY_STATUS } from '../../features/webhooks/webhook-delivery.entity';
import type { WebhookDelivery } from '../../features/webhooks/webhook-delivery.entity';
import type { DemoCall } from './demo-call';
import type { Random } from './random';

export interface DemoDelivery {
  /** The row without its data, which is the call as the API shows it. */
  delivery: Pick<
    WebhookDelivery,
    | 'id'
    | 'workspaceId'
    | 'conversationId'
    | 'orderingKey'
    | 'type'
    | 'url'
    | 'status'
    | 'createdAt'
    | 'attempts'
    | 'failures'
    | 'nextAttemptAt'
    | 'giveUpAt'
    | 'givenUpAt'
    | 'lastStatusCode'
    | 'lastError'
  >;
  attempts: Omit<WebhookAttempt, 'delivery'>[];
}

/** The times of the attempts at a receiver that is broken, in hours after the event. */
const BROKEN_HOURS = [0, 0.01, 0.05, 0.2, 0.5, 1, 2, 4, 8, 14, 20, 24];

const HOUR_MS = 3_600_000;

/** The shares of deliveries that fail at first, and that fail for good. */
const FAILS_ONCE = 0.05;
const FAILS = 0.02;

/** The events of a call that was started with an address, all of which are over. */
export function createDeliveries({ call }: DemoCall, random: Random, until: Date): DemoDelivery[] {
  const url = call.request.webhook_url;
  if (!url || !call.endedAt) return [];
  const { connectedAt, endedAt } = call;
  const ended = call.status === STATUS.disconnected ? EVENT_TYPE['call.ended'] : EVENT_TYPE['call.failed'];
  return [
    ...(connectedAt ? [createDelivery(call, EVENT_TYPE['call.started'], connectedAt, random, until)] : []),
    createDelivery(call, ended, endedAt, random, until),
  ];
}

function createDelivery(
  call: DemoCall['call'],
  type: EventType,
  createdAt: Date,
  random: Random,
  until: Date,
): DemoDelivery {
  const id = randomUUID();
  const giveUpAt = new Date(createdAt.getTime() + 24 * HOUR_MS);
  // A delivery with attempts left would be sent.
  const isFailed = random.chance(FAILS) && giveUpAt < until;
  const hours = isFailed ? BROKEN_HOURS : random.chance(FAILS_ONCE) ? [0, 0.002] : [0];
  const attempts = hours.map((hour, index) => {
    const isGood = !isFailed && index === hours.length - 1;
    return {
      deliveryId: id,
      number: index + 1,
      startedAt: new Date(createdAt.getTime() + hour * HOUR_MS),
      durationMs: random.between(isGood ? [20, 240] : [200, 1_800]),
      statusCode: isGood ? 200 : 503,
      error: isGood ? null : 'it answers with status 503',
      answerHeaders: { 'content-type': 'application/json', server: 'nginx' },
      answerBody: isGood ? '{"ok":true}' : '{"error":"The database of the shop is being moved."}',
    };
  });
  const last = attempts.at(-1);
  return {
    delivery: {
      id,
      workspaceId: call.workspaceId,
      conversationId: call.id,
      orderingKey: call.id,
      type,
      url: call.request.webhook_url,
      status: isFailed ? DELIVERY_STATUS.failed : DELIVERY_STATUS.delivered,
      createdAt,
      attempts: attempts.length,
      failures: isFailed ? attempts.length : 0,
      nextAttemptAt: null,
      giveUpAt,
      givenUpAt: isFailed ? giveUpAt : null,
      lastStatusCode: last?.statusCode ?? null,
      lastError: last?.error ?? null,
    },
    attempts,
  };
}

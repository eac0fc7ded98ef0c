import type { WebhookAttempt } from './webhook-attempt.entity';
import type { DeliveryWithAttempts, ListedDelivery } from './webhook-deliveries.repository';
import { DELIVERY_STATUS, type WebhookDelivery } from './webhook-delivery.entity';
import type { ValidSecrets } from './webhook-secrets.repository';
import type {
  AttemptDto,
  DeliveryDetailDto,
  DeliveryDto,
  SecretDto,
  WebhookPayloadDto,
} from './webhooks.dto';

/** The body of every attempt, in the form that the Standard Webhooks specification recommends. */
export const presentPayload = ({
  id,
  eventId,
  type,
  createdAt,
  data,
}: Pick<WebhookDelivery, 'id' | 'eventId' | 'type' | 'createdAt'> & { data: object }): WebhookPayloadDto => ({
  type,
  timestamp: createdAt,
  // A delivery of a release before events is its own event.
  event_id: eventId ?? id,
  data,
});

export const presentDelivery = (delivery: ListedDelivery): DeliveryDto => ({
  delivery_id: delivery.id,
  event_id: delivery.eventId ?? delivery.id,
  endpoint_id: delivery.endpointId,
  type: delivery.type,
  conversation_id: delivery.conversationId,
  url: delivery.url,
  status: delivery.status,
  created_at: delivery.createdAt,
  attempt_count: delivery.attempts,
  last_status_code: delivery.lastStatusCode,
  last_error: delivery.lastError,
  next_attempt_at: delivery.nextAttemptAt,
  given_up_at: delivery.status === DELIVERY_STATUS.failed ? delivery.givenUpAt : null,
  dismissed_at: delivery.dismissedAt,
});

const presentAttempt = (attempt: WebhookAttempt): AttemptDto => ({
  number: attempt.number,
  started_at: attempt.startedAt,
  duration_ms: attempt.durationMs,
  status_code: attempt.statusCode,
  error: attempt.error,
  answer: attempt.answerHeaders && { headers: attempt.answerHeaders, body: attempt.answerBody ?? '' },
});

export const presentDeliveryDetail = (delivery: DeliveryWithAttempts): DeliveryDetailDto => ({
  ...presentDelivery(delivery),
  payload: presentPayload({
    ...delivery,
    createdAt: delivery.eventRow?.createdAt ?? delivery.createdAt,
    data: delivery.eventRow?.data ?? delivery.data ?? {},
  }),
  attempts: delivery.attemptRows.map(presentAttempt),
});

export const presentSecrets = (secrets: ValidSecrets): SecretDto => ({
  secret: secrets.secret,
  previous_secret: secrets.previousSecret,
  previous_expires_at: secrets.previousExpiresAt,
});

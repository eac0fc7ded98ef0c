import type { WebhookAttempt } from './webhook-attempt.entity';
import type { WebhookDelivery } from './webhook-delivery.entity';
import type { Secrets } from './webhook-secrets.sql';
import type {
  AttemptDto,
  DeliveryDetailDto,
  DeliveryDto,
  SecretDto,
  WebhookPayloadDto,
} from './webhooks.dto';

/** The body of every attempt, as the Standard Webhooks specification recommends it. */
export const presentPayload = ({
  type,
  createdAt,
  data,
}: Pick<WebhookDelivery, 'type' | 'createdAt' | 'data'>): WebhookPayloadDto => ({
  type,
  timestamp: createdAt,
  data,
});

export const presentDelivery = (delivery: WebhookDelivery): DeliveryDto => ({
  delivery_id: delivery.id,
  type: delivery.type,
  conversation_id: delivery.conversationId,
  url: delivery.url,
  status: delivery.status,
  created_at: delivery.createdAt,
  attempt_count: delivery.attempts,
  last_status_code: delivery.lastStatusCode,
  last_error: delivery.lastError,
  next_attempt_at: delivery.nextAttemptAt,
});

const presentAttempt = (attempt: WebhookAttempt): AttemptDto => ({
  number: attempt.number,
  started_at: attempt.startedAt,
  duration_ms: attempt.durationMs,
  status_code: attempt.statusCode,
  error: attempt.error,
});

export type DeliveryWithLog = WebhookDelivery & { log: WebhookAttempt[] };

export const presentDeliveryDetail = (delivery: DeliveryWithLog): DeliveryDetailDto => ({
  ...presentDelivery(delivery),
  payload: presentPayload(delivery),
  attempts: delivery.log.map(presentAttempt),
});

export const presentSecrets = (secrets: Secrets): SecretDto => ({
  secret: secrets.secret,
  previous_secret: secrets.previousSecret,
  previous_expires_at: secrets.previousExpiresAt,
});

import type { ApiClient } from './client';
import { until } from './until';

interface ShownAttempt {
  number: number;
  started_at: string;
  duration_ms: number | null;
  status_code: number | null;
  error: string | null;
}

export interface ShownDelivery {
  delivery_id: string;
  type: string;
  conversation_id: string | null;
  event_id: string;
  endpoint_id: string | null;
  url: string;
  status: 'pending' | 'held' | 'delivered' | 'failed';
  created_at: string;
  attempt_count: number;
  last_status_code: number | null;
  last_error: string | null;
  next_attempt_at: string | null;
  given_up_at: string | null;
  payload: { type: string; timestamp: string; event_id: string; data: object };
  attempts: ShownAttempt[];
}

export interface ShownEndpoint {
  endpoint_id: string;
  url: string;
  events: string[];
  agent_ids: string[] | null;
  enabled: boolean;
  status: 'ok' | 'failing' | 'paused' | 'off';
  status_since: string;
  paused_reason: string | null;
  last_delivered_at: string | null;
  last_error: string | null;
  waiting: number;
}

/** Reads and sends the webhooks of a workspace through the API. */
export class Webhooks {
  constructor(private readonly api: ApiClient) {}

  /** Sends a test event. @returns the delivery's id */
  async sendTestEvent(url: string): Promise<string> {
    const { status, body } = await this.api.post('/api/webhooks/test', { url });
    if (status !== 202) throw new Error(`Sending a test event answered ${status}: ${JSON.stringify(body)}`);
    return (body as { data: { delivery_id: string } }).data.delivery_id;
  }

  async createEndpoint(url: string, fields: object = {}): Promise<string> {
    const { status, body } = await this.api.post('/api/webhooks/endpoints', {
      url,
      events: ['*'],
      ...fields,
    });
    if (status !== 201) throw new Error(`Creating an endpoint answered ${status}: ${JSON.stringify(body)}`);
    return (body as { data: ShownEndpoint }).data.endpoint_id;
  }

  async endpoint(id: string): Promise<ShownEndpoint> {
    const { body } = await this.api.get(`/api/webhooks/endpoints/${id}`);
    return (body as { data: ShownEndpoint }).data;
  }

  async changeEndpoint(id: string, fields: object): Promise<ShownEndpoint> {
    const { status, body } = await this.api.patch(`/api/webhooks/endpoints/${id}`, fields);
    if (status !== 200) throw new Error(`Changing an endpoint answered ${status}: ${JSON.stringify(body)}`);
    return (body as { data: ShownEndpoint }).data;
  }

  /** The deliveries of an endpoint, oldest first. */
  async ofEndpoint(id: string): Promise<ShownDelivery[]> {
    const { body } = await this.api.get(`/api/webhooks/deliveries?endpoint_id=${id}&limit=100`);
    return (body as { data: ShownDelivery[] }).data.reverse();
  }

  async delivery(id: string): Promise<ShownDelivery> {
    const { body } = await this.api.get(`/api/webhooks/deliveries/${id}`);
    return (body as { data: ShownDelivery }).data;
  }

  /** The deliveries of a call, oldest first. */
  async ofCall(conversationId: string): Promise<ShownDelivery[]> {
    const { body } = await this.api.get(`/api/webhooks/deliveries?conversation_id=${conversationId}`);
    return (body as { data: ShownDelivery[] }).data.reverse();
  }

  /** Waits until this many attempts have ended. */
  tried(id: string, attempts = 1): Promise<ShownDelivery> {
    return until(async () => {
      const delivery = await this.delivery(id);
      const ended = delivery.attempts.filter(({ duration_ms }) => duration_ms !== null);
      return ended.length >= attempts && delivery;
    });
  }

  async replay(id: string): Promise<void> {
    const { status, body } = await this.api.post(`/api/webhooks/deliveries/${id}/replay`);
    if (status !== 202) throw new Error(`Replaying answered ${status}: ${JSON.stringify(body)}`);
  }

  async secret(): Promise<string> {
    const { body } = await this.api.get('/api/webhooks/secret');
    return (body as { data: { secret: string } }).data.secret;
  }

  async rotateSecret(body?: object): Promise<string> {
    const answer = await this.api.post('/api/webhooks/secret/rotate', body);
    if (answer.status !== 200) throw new Error(`Rotating answered ${answer.status}.`);
    return (answer.body as { data: { secret: string } }).data.secret;
  }
}

import { List } from '../list';
import { checkPath } from '../path';
import type { Requests } from '../requests';
import { toList } from '../to-list';
import type { ListFilter, Query, RequestOptions, Schemas } from '../types';
import { unwrap } from '../unwrap';
import { WebhookEndpoints } from './webhook-endpoints';
import { verifyWebhook, type WebhookEvent, type WebhookHeaders } from '../verify-webhook';

export class Webhooks {
  readonly endpoints: WebhookEndpoints;

  constructor(private readonly requests: Requests) {
    this.endpoints = new WebhookEndpoints(requests);
  }

  deliveries(
    filter: ListFilter<'listWebhookDeliveries'> = {},
    options?: RequestOptions,
  ): List<Schemas['DeliveryDto']> {
    return new List(
      (page, limit) => {
        const query: Query<'listWebhookDeliveries'> = { ...filter, type: toList(filter.type), page, limit };
        return this.requests.safe(
          (api, init) => api.GET('/api/webhooks/deliveries', { params: { query }, ...init }),
          options,
        );
      },
      ({ delivery_id }) => delivery_id,
      filter.limit,
    );
  }

  /** A delivery with its payload and all attempts. */
  delivery(deliveryId: string, options?: RequestOptions): Promise<Schemas['DeliveryDetailDto']> {
    const path = checkPath({ delivery_id: deliveryId });
    return unwrap(
      this.requests.safe(
        (api, init) => api.GET('/api/webhooks/deliveries/{delivery_id}', { params: { path }, ...init }),
        options,
      ),
    );
  }

  /** Sends an event again. */
  replay(deliveryId: string, options?: RequestOptions): Promise<Schemas['AcceptedDeliveryDto']> {
    const path = checkPath({ delivery_id: deliveryId });
    return unwrap(
      this.requests.once(
        (api, init) =>
          api.POST('/api/webhooks/deliveries/{delivery_id}/replay', { params: { path }, ...init }),
        options,
      ),
    );
  }

  /** Sends an event of the type `webhook.test` to an address. */
  test(
    fields: Schemas['SendTestEventDto'],
    options?: RequestOptions,
  ): Promise<Schemas['AcceptedDeliveryDto']> {
    return unwrap(
      this.requests.once((api, init) => api.POST('/api/webhooks/test', { body: fields, ...init }), options),
    );
  }

  /** The secret that the workspace's webhooks are signed with. */
  secret(options?: RequestOptions): Promise<Schemas['SecretDto']> {
    return unwrap(this.requests.safe((api, init) => api.GET('/api/webhooks/secret', { ...init }), options));
  }

  /** Makes a new secret. If the answer is lost, read it with `secret`. */
  rotate(fields: Schemas['RotateSecretDto'] = {}, options?: RequestOptions): Promise<Schemas['SecretDto']> {
    return unwrap(
      this.requests.once(
        (api, init) => api.POST('/api/webhooks/secret/rotate', { body: fields, ...init }),
        options,
      ),
    );
  }

  /**
   * Checks the signature of a webhook that was received within the last five minutes.
   * @param body as it was received, not parsed
   * @throws ParleyError with the code INVALID_SIGNATURE
   */
  verify(body: string | Uint8Array, headers: WebhookHeaders, secret: string): WebhookEvent {
    return verifyWebhook(body, headers, secret);
  }
}

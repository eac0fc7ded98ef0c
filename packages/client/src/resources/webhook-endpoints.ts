import { List } from '../list';
import { checkPath } from '../path';
import type { Requests } from '../requests';
import type { ListFilter, RequestOptions, Schemas } from '../types';
import { unwrap } from '../unwrap';

/** The addresses that get the events of the workspace. */
export class WebhookEndpoints {
  constructor(private readonly requests: Requests) {}

  list(
    filter: ListFilter<'listWebhookEndpoints'> = {},
    options?: RequestOptions,
  ): List<Schemas['WebhookEndpointDto']> {
    return new List(
      (page, limit) =>
        this.requests.safe(
          (api, init) =>
            api.GET('/api/webhooks/endpoints', { params: { query: { ...filter, page, limit } }, ...init }),
          options,
        ),
      ({ endpoint_id }) => endpoint_id,
      filter.limit,
    );
  }

  get(endpointId: string, options?: RequestOptions): Promise<Schemas['WebhookEndpointDto']> {
    const path = checkPath({ endpoint_id: endpointId });
    return unwrap(
      this.requests.safe(
        (api, init) => api.GET('/api/webhooks/endpoints/{endpoint_id}', { params: { path }, ...init }),
        options,
      ),
    );
  }

  /** If the answer is lost, look into the list: the request is not sent again. */
  create(
    fields: Schemas['CreateWebhookEndpointDto'],
    options?: RequestOptions,
  ): Promise<Schemas['WebhookEndpointDto']> {
    return unwrap(
      this.requests.once(
        (api, init) => api.POST('/api/webhooks/endpoints', { body: fields, ...init }),
        options,
      ),
    );
  }

  /** Changes the fields that are given. */
  update(
    endpointId: string,
    fields: Schemas['ChangeWebhookEndpointDto'],
    options?: RequestOptions,
  ): Promise<Schemas['WebhookEndpointDto']> {
    const path = checkPath({ endpoint_id: endpointId });
    return unwrap(
      this.requests.once(
        (api, init) =>
          api.PATCH('/api/webhooks/endpoints/{endpoint_id}', { params: { path }, body: fields, ...init }),
        options,
      ),
    );
  }

  /** Deletes an endpoint and what waits for it. */
  async delete(endpointId: string, options?: RequestOptions): Promise<void> {
    const path = checkPath({ endpoint_id: endpointId });
    await this.requests.deletion(
      (api, init) => api.DELETE('/api/webhooks/endpoints/{endpoint_id}', { params: { path }, ...init }),
      options,
    );
  }

  /** The secret that signs what the endpoint gets. */
  secret(endpointId: string, options?: RequestOptions): Promise<Schemas['SecretDto']> {
    const path = checkPath({ endpoint_id: endpointId });
    return unwrap(
      this.requests.safe(
        (api, init) => api.GET('/api/webhooks/endpoints/{endpoint_id}/secret', { params: { path }, ...init }),
        options,
      ),
    );
  }

  /** Makes a new secret. If the answer is lost, read it with `secret`. */
  rotate(
    endpointId: string,
    fields: Schemas['RotateSecretDto'] = {},
    options?: RequestOptions,
  ): Promise<Schemas['SecretDto']> {
    const path = checkPath({ endpoint_id: endpointId });
    return unwrap(
      this.requests.once(
        (api, init) =>
          api.POST('/api/webhooks/endpoints/{endpoint_id}/secret/rotate', {
            ...{ params: { path }, body: fields },
            ...init,
          }),
        options,
      ),
    );
  }

  /** Sends an event of the type `webhook.test`, whatever the status of the endpoint is. */
  test(endpointId: string, options?: RequestOptions): Promise<Schemas['AcceptedDeliveryDto']> {
    const path = checkPath({ endpoint_id: endpointId });
    return unwrap(
      this.requests.once(
        (api, init) => api.POST('/api/webhooks/endpoints/{endpoint_id}/test', { params: { path }, ...init }),
        options,
      ),
    );
  }

  /** Sends again what was held or failed since a time. */
  replay(
    endpointId: string,
    fields: Schemas['ReplayDeliveriesDto'],
    options?: RequestOptions,
  ): Promise<Schemas['ReplayedDeliveriesDto']> {
    const path = checkPath({ endpoint_id: endpointId });
    return unwrap(
      this.requests.once(
        (api, init) =>
          api.POST('/api/webhooks/endpoints/{endpoint_id}/replay', {
            ...{ params: { path }, body: fields },
            ...init,
          }),
        options,
      ),
    );
  }
}

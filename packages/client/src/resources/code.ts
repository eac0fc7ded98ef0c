import { List } from '../list';
import type { Requests } from '../requests';
import type { KeyedRequestOptions, ListFilter, RequestOptions, Schemas } from '../types';

/** Agents, rehearsals and tools as files have them. */
export class Code {
  constructor(private readonly requests: Requests) {}

  list(filter: ListFilter<'listCode'> = {}, options?: RequestOptions): List<Schemas['CodeResourceDto']> {
    return new List(
      (page, limit) =>
        this.requests.safe(
          (api, init) => api.GET('/api/code', { params: { query: { ...filter, page, limit } }, ...init }),
          options,
        ),
      ({ id }) => id,
      filter.limit,
    );
  }

  /** Makes resources as their definitions say: all of them, or none. */
  async apply(
    changes: Schemas['ApplyCodeDto'],
    options?: KeyedRequestOptions,
  ): Promise<Schemas['AppliedCodeDto']> {
    const { body } = await this.requests.keyed(
      (api, init) => api.POST('/api/code', { body: changes, ...init }),
      options,
    );
    return body.data;
  }
}

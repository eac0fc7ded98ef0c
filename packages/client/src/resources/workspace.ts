import { List } from '../list';
import { checkPath } from '../path';
import type { Requests } from '../requests';
import { toList } from '../to-list';
import type { ListFilter, Query, RequestOptions, Schemas } from '../types';
import { unwrap } from '../unwrap';

/** The workspace of the credential. */
export class Workspace {
  constructor(private readonly requests: Requests) {}

  get(options?: RequestOptions): Promise<Schemas['WorkspaceDto']> {
    return unwrap(this.requests.safe((api, init) => api.GET('/api/workspace', { ...init }), options));
  }

  /** Every change of the credits with the balance after it, the newest first. */
  credits(
    filter: ListFilter<'listCreditEntries'> = {},
    options?: RequestOptions,
  ): List<Schemas['CreditEntryDto']> {
    return new List(
      (page, limit) => {
        const query: Query<'listCreditEntries'> = { ...filter, kind: toList(filter.kind), page, limit };
        return this.requests.safe(
          (api, init) => api.GET('/api/workspace/credits', { params: { query }, ...init }),
          options,
        );
      },
      ({ id }) => id,
      filter.limit,
    );
  }

  /** For how many days the workspace keeps what its calls leave behind. */
  retention(options?: RequestOptions): Promise<Schemas['RetentionDto']> {
    return unwrap(
      this.requests.safe((api, init) => api.GET('/api/workspace/retention', { ...init }), options),
    );
  }

  setRetention(fields: Schemas['RetentionDto'], options?: RequestOptions): Promise<Schemas['RetentionDto']> {
    return unwrap(
      this.requests.safe(
        (api, init) => api.PUT('/api/workspace/retention', { body: fields, ...init }),
        options,
      ),
    );
  }

  /** The way of new versions of the agents to calls. */
  publishing(options?: RequestOptions): Promise<Schemas['WorkspacePublishingDto']> {
    return unwrap(
      this.requests.safe((api, init) => api.GET('/api/workspace/publishing', { ...init }), options),
    );
  }

  setPublishing(
    fields: Schemas['WorkspacePublishingDto'],
    options?: RequestOptions,
  ): Promise<Schemas['WorkspacePublishingDto']> {
    return unwrap(
      this.requests.safe(
        (api, init) => api.PUT('/api/workspace/publishing', { body: fields, ...init }),
        options,
      ),
    );
  }

  /** Removes a person from the calls and campaigns of the workspace. @returns an erasure, which goes on */
  erase(fields: Schemas['EraseDto'], options?: RequestOptions): Promise<Schemas['RequestedErasureDto']> {
    return unwrap(
      this.requests.once((api, init) => api.POST('/api/erasures', { body: fields, ...init }), options),
    );
  }

  erasure(erasureId: string, options?: RequestOptions): Promise<Schemas['ErasureDto']> {
    const path = checkPath({ erasure_id: erasureId });
    return unwrap(
      this.requests.safe(
        (api, init) => api.GET('/api/erasures/{erasure_id}', { params: { path }, ...init }),
        options,
      ),
    );
  }
}

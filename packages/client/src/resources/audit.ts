import { List } from '../list';
import type { Requests } from '../requests';
import type { ListFilter, RequestOptions, Schemas } from '../types';

export class Audit {
  constructor(private readonly requests: Requests) {}

  /** Lists the changes of the workspace with their actors, the newest first. */
  list(
    filter: ListFilter<'listAuditEntries'> = {},
    options?: RequestOptions,
  ): List<Schemas['AuditEntryDto']> {
    return new List(
      (page, limit) =>
        this.requests.safe(
          (api, init) => api.GET('/api/audit', { params: { query: { ...filter, page, limit } }, ...init }),
          options,
        ),
      (entry) => JSON.stringify([entry.at, entry.action, entry.target, entry.request_id, entry.details]),
      filter.limit,
    );
  }
}

import { type Download, openDownload } from '../download';
import { List } from '../list';
import { checkPath } from '../path';
import type { Requests } from '../requests';
import type { KeyedRequestOptions, ListFilter, Query, RequestOptions, Schemas } from '../types';
import { unwrap } from '../unwrap';

/** The rehearsals of agents. */
export class Rehearsals {
  constructor(private readonly requests: Requests) {}

  list(
    agentId: string,
    filter: ListFilter<'listRehearsals'> = {},
    options?: RequestOptions,
  ): List<Schemas['RehearsalDto']> {
    const path = checkPath({ agent_id: agentId });
    return new List(
      (page, limit) =>
        this.requests.safe(
          (api, init) =>
            api.GET('/api/agents/{agent_id}/rehearsals', {
              params: { path, query: { ...filter, page, limit } },
              ...init,
            }),
          options,
        ),
      ({ rehearsal_id }) => rehearsal_id,
      filter.limit,
    );
  }

  get(agentId: string, rehearsalId: string, options?: RequestOptions): Promise<Schemas['RehearsalDto']> {
    const path = checkPath({ agent_id: agentId, rehearsal_id: rehearsalId });
    return unwrap(
      this.requests.safe(
        (api, init) =>
          api.GET('/api/agents/{agent_id}/rehearsals/{rehearsal_id}', { params: { path }, ...init }),
        options,
      ),
    );
  }

  async create(
    agentId: string,
    fields: Schemas['WriteRehearsalDto'],
    options?: KeyedRequestOptions,
  ): Promise<Schemas['RehearsalDto']> {
    const path = checkPath({ agent_id: agentId });
    const { body } = await this.requests.keyed(
      (api, init) =>
        api.POST('/api/agents/{agent_id}/rehearsals', { params: { path }, body: fields, ...init }),
      options,
    );
    return body.data;
  }

  /** Replaces the whole rehearsal. */
  update(
    agentId: string,
    rehearsalId: string,
    fields: Schemas['WriteRehearsalDto'],
    options?: RequestOptions,
  ): Promise<Schemas['RehearsalDto']> {
    const path = checkPath({ agent_id: agentId, rehearsal_id: rehearsalId });
    return unwrap(
      this.requests.safe(
        (api, init) =>
          api.PUT('/api/agents/{agent_id}/rehearsals/{rehearsal_id}', {
            params: { path },
            body: fields,
            ...init,
          }),
        options,
      ),
    );
  }

  async delete(agentId: string, rehearsalId: string, options?: RequestOptions): Promise<void> {
    const path = checkPath({ agent_id: agentId, rehearsal_id: rehearsalId });
    await this.requests.deletion(
      (api, init) =>
        api.DELETE('/api/agents/{agent_id}/rehearsals/{rehearsal_id}', { params: { path }, ...init }),
      options,
    );
  }

  /** All rehearsals of an agent as YAML, in parts as they arrive. */
  async export(agentId: string, options?: RequestOptions): Promise<Download> {
    const path = checkPath({ agent_id: agentId });
    return openDownload(
      await this.requests.stream(
        (api, init) =>
          api.GET('/api/agents/{agent_id}/rehearsals/export', {
            params: { path },
            parseAs: 'stream',
            ...init,
          }),
        options,
      ),
    );
  }

  /** Stores rehearsals by their names: all of them, or none. */
  import(
    agentId: string,
    file: Schemas['ImportRehearsalsDto'],
    { replace }: Query<'importRehearsals'> = {},
    options?: RequestOptions,
  ): Promise<Schemas['ImportedRehearsalsDto']> {
    const path = checkPath({ agent_id: agentId });
    return unwrap(
      this.requests.safe(
        (api, init) =>
          api.POST('/api/agents/{agent_id}/rehearsals/import', {
            params: { path, query: { replace } },
            body: file,
            ...init,
          }),
        options,
      ),
    );
  }
}

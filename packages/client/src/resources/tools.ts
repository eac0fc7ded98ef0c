import { List } from '../list';
import { checkPath } from '../path';
import type { Requests } from '../requests';
import type { KeyedRequestOptions, ListFilter, RequestOptions, Schemas } from '../types';
import { unwrap } from '../unwrap';

export class Tools {
  constructor(private readonly requests: Requests) {}

  list(filter: ListFilter<'listTools'> = {}, options?: RequestOptions): List<Schemas['ToolDto']> {
    return new List(
      (page, limit) =>
        this.requests.safe(
          (api, init) => api.GET('/api/tools', { params: { query: { ...filter, page, limit } }, ...init }),
          options,
        ),
      ({ tool_id }) => tool_id,
      filter.limit,
    );
  }

  get(toolId: string, options?: RequestOptions): Promise<Schemas['ToolDto']> {
    const path = checkPath({ tool_id: toolId });
    return unwrap(
      this.requests.safe(
        (api, init) => api.GET('/api/tools/{tool_id}', { params: { path }, ...init }),
        options,
      ),
    );
  }

  async create(fields: Schemas['WriteToolDto'], options?: KeyedRequestOptions): Promise<Schemas['ToolDto']> {
    const { body } = await this.requests.keyed(
      (api, init) => api.POST('/api/tools', { body: fields, ...init }),
      options,
    );
    return body.data;
  }

  /** Replaces the whole tool. A secret that is left out stays. */
  update(
    toolId: string,
    fields: Schemas['WriteToolDto'],
    options?: RequestOptions,
  ): Promise<Schemas['ToolDto']> {
    const path = checkPath({ tool_id: toolId });
    return unwrap(
      this.requests.safe(
        (api, init) => api.PUT('/api/tools/{tool_id}', { params: { path }, body: fields, ...init }),
        options,
      ),
    );
  }

  async delete(toolId: string, options?: RequestOptions): Promise<void> {
    const path = checkPath({ tool_id: toolId });
    await this.requests.deletion(
      (api, init) => api.DELETE('/api/tools/{tool_id}', { params: { path }, ...init }),
      options,
    );
  }

  /** Sends the request of a tool once. The answer may take a minute, which `timeoutMs` has to allow. */
  test(
    toolId: string,
    fields: Schemas['TestToolDto'],
    options?: RequestOptions,
  ): Promise<Schemas['ToolTestDto']> {
    const path = checkPath({ tool_id: toolId });
    return unwrap(
      this.requests.once(
        (api, init) => api.POST('/api/tools/{tool_id}/test', { params: { path }, body: fields, ...init }),
        options,
      ),
    );
  }

  /** Asks the server of a tool of the kind `mcp` for its tools. It changes nothing. */
  async discover(toolId: string, options?: RequestOptions): Promise<Schemas['DiscoveredToolDto'][]> {
    const path = checkPath({ tool_id: toolId });
    const { tools } = await unwrap(
      this.requests.safe(
        (api, init) => api.POST('/api/tools/{tool_id}/discover', { params: { path }, ...init }),
        options,
      ),
    );
    return tools;
  }
}

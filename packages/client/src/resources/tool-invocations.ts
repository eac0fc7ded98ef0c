import { type Download, openDownload } from '../download';
import { List } from '../list';
import { checkPath } from '../path';
import type { Requests } from '../requests';
import type { Filter, ListFilter, RequestOptions, Schemas } from '../types';
import { unwrap } from '../unwrap';

type Invocation = Schemas['ListedInvocationDto'];

export class ToolInvocations {
  constructor(private readonly requests: Requests) {}

  /** Lists the invocations of all calls, the newest first. */
  list(filter: ListFilter<'listInvocations'> = {}, options?: RequestOptions): List<Invocation> {
    return new List(
      (page, limit) =>
        this.requests.safe(
          (api, init) =>
            api.GET('/api/tool-invocations', { params: { query: { ...filter, page, limit } }, ...init }),
          options,
        ),
      ({ invocation_id }) => invocation_id,
      filter.limit,
    );
  }

  /** Lists the invocations of a call, in the order of the askings. */
  ofCall(callId: string, options?: RequestOptions): Promise<Invocation[]> {
    const path = checkPath({ call_id: callId });
    return unwrap(
      this.requests.safe(
        (api, init) => api.GET('/api/calls/{call_id}/tools', { params: { path }, ...init }),
        options,
      ),
    );
  }

  /** All invocations of a filter as CSV or as a JSON object a line, in parts as they arrive. */
  async export(filter: Filter<'exportInvocations'> = {}, options?: RequestOptions): Promise<Download> {
    return openDownload(
      await this.requests.stream(
        (api, init) =>
          api.GET('/api/tool-invocations/export', {
            params: { query: filter },
            parseAs: 'stream',
            ...init,
          }),
        options,
      ),
    );
  }

  /** Says what came of an unknown invocation. After `refused`, the agent may do the same again in that call. */
  resolve(
    invocationId: string,
    fields: Schemas['ResolveInvocationDto'],
    options?: RequestOptions,
  ): Promise<Invocation> {
    const path = checkPath({ invocation_id: invocationId });
    return unwrap(
      this.requests.once(
        (api, init) =>
          api.POST('/api/tool-invocations/{invocation_id}/resolve', {
            params: { path },
            body: fields,
            ...init,
          }),
        options,
      ),
    );
  }

  /**
   * Sends the request of an unknown invocation again, with the same key, and waits for up to a minute for what comes
   * of it. An address that does not honour the key may do it twice.
   */
  resend(invocationId: string, options?: RequestOptions): Promise<Invocation> {
    const path = checkPath({ invocation_id: invocationId });
    return unwrap(
      this.requests.once(
        (api, init) =>
          api.POST('/api/tool-invocations/{invocation_id}/resend', { params: { path }, ...init }),
        options,
      ),
    );
  }
}

import { type Download, openDownload } from '../download';
import { List } from '../list';
import { checkPath } from '../path';
import type { Requests } from '../requests';
import { toCallLists } from '../to-list';
import type { Filter, KeyedRequestOptions, ListFilter, Query, RequestOptions, Schemas } from '../types';
import { unwrap } from '../unwrap';
import { CALL, waitForEnd, type WaitOptions } from '../wait-for-end';

export class Calls {
  constructor(private readonly requests: Requests) {}

  /** Starts a call through an agent, once, however often the request has to be repeated. */
  async start(
    agentId: string,
    fields: Schemas['StartCallDto'],
    options?: KeyedRequestOptions,
  ): Promise<Schemas['StartedCallDto']> {
    const path = checkPath({ agent_id: agentId });
    const started = await this.requests.keyed(
      (api, init) => api.POST('/api/agents/{agent_id}/calls', { params: { path }, body: fields, ...init }),
      options,
    );
    return started.body.data;
  }

  list(filter: ListFilter<'listCalls'> = {}, options?: RequestOptions): List<Schemas['CallDto']> {
    return new List(
      (page, limit) => {
        const query: Query<'listCalls'> = { ...filter, ...toCallLists(filter), page, limit };
        return this.requests.safe(
          (api, init) => api.GET('/api/calls', { params: { query }, ...init }),
          options,
        );
      },
      ({ call_id }) => call_id,
      filter.limit,
    );
  }

  get(callId: string, options?: RequestOptions): Promise<Schemas['CallDetailDto']> {
    const path = checkPath({ call_id: callId });
    return unwrap(
      this.requests.safe(
        (api, init) => api.GET('/api/calls/{call_id}', { params: { path }, ...init }),
        options,
      ),
    );
  }

  /** Lists the events of the call, in order. */
  timeline(callId: string, options?: RequestOptions): Promise<Schemas['TimelineEntryDto'][]> {
    const path = checkPath({ call_id: callId });
    return unwrap(
      this.requests.safe(
        (api, init) => api.GET('/api/calls/{call_id}/timeline', { params: { path }, ...init }),
        options,
      ),
    );
  }

  transcript(callId: string, options?: RequestOptions): Promise<Schemas['TranscriptDto']> {
    const path = checkPath({ call_id: callId });
    return unwrap(
      this.requests.safe(
        (api, init) => api.GET('/api/calls/{call_id}/transcript', { params: { path }, ...init }),
        options,
      ),
    );
  }

  hangup(callId: string, options?: RequestOptions): Promise<Schemas['HangUpDto']> {
    const path = checkPath({ call_id: callId });
    return unwrap(
      this.requests.once(
        (api, init) => api.POST('/api/calls/{call_id}/hangup', { params: { path }, ...init }),
        options,
      ),
    );
  }

  /** All calls of a filter as CSV or as a JSON object a line, in parts as they arrive. */
  async export(filter: Filter<'exportCalls'> = {}, options?: RequestOptions): Promise<Download> {
    const query: Query<'exportCalls'> = { ...filter, ...toCallLists(filter) };
    return openDownload(
      await this.requests.stream(
        (api, init) => api.GET('/api/calls/export', { params: { query }, parseAs: 'stream', ...init }),
        options,
      ),
    );
  }

  /**
   * Waits until a call has ended, however it ended.
   * @throws ParleyError with the code TIMEOUT if it goes on for longer
   */
  waitForEnd(callId: string, options?: WaitOptions): Promise<Schemas['CallDetailDto']> {
    return waitForEnd(CALL, (request) => this.get(callId, request), options);
  }
}

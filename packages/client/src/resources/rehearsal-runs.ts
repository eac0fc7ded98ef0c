import { type Download, openDownload } from '../download';
import { List } from '../list';
import { checkPath } from '../path';
import type { Requests } from '../requests';
import type { KeyedRequestOptions, ListFilter, RequestOptions, Schemas } from '../types';
import { unwrap } from '../unwrap';
import { RUN, waitForEnd, type WaitOptions } from '../wait-for-end';

/** The runs of rehearsals. */
export class RehearsalRuns {
  constructor(private readonly requests: Requests) {}

  async start(
    agentId: string,
    fields: Schemas['StartRunDto'] = {},
    options?: KeyedRequestOptions,
  ): Promise<Schemas['RehearsalRunDto']> {
    const path = checkPath({ agent_id: agentId });
    const { body } = await this.requests.keyed(
      (api, init) =>
        api.POST('/api/agents/{agent_id}/rehearsal-runs', { params: { path }, body: fields, ...init }),
      options,
    );
    return body.data;
  }

  list(
    filter: ListFilter<'listRehearsalRuns'> = {},
    options?: RequestOptions,
  ): List<Schemas['RehearsalRunDto']> {
    return new List(
      (page, limit) =>
        this.requests.safe(
          (api, init) =>
            api.GET('/api/rehearsal-runs', { params: { query: { ...filter, page, limit } }, ...init }),
          options,
        ),
      ({ run_id }) => run_id,
      filter.limit,
    );
  }

  get(runId: string, options?: RequestOptions): Promise<Schemas['RehearsalRunDetailDto']> {
    const path = checkPath({ run_id: runId });
    return unwrap(
      this.requests.safe(
        (api, init) => api.GET('/api/rehearsal-runs/{run_id}', { params: { path }, ...init }),
        options,
      ),
    );
  }

  /**
   * One conversation of a run.
   * @param repeat from 1 on
   * @param against whether it is that of the version with which the run is compared
   */
  getResult(
    runId: string,
    { name, repeat, against }: { name: string; repeat: number; against?: boolean },
    options?: RequestOptions,
  ): Promise<Schemas['RehearsalResultDto']> {
    const path = checkPath({ run_id: runId, name, repeat: String(repeat) });
    return unwrap(
      this.requests.safe(
        (api, init) =>
          api.GET('/api/rehearsal-runs/{run_id}/results/{name}/{repeat}', {
            params: { path, query: { against } },
            ...init,
          }),
        options,
      ),
    );
  }

  /** The whole report as JSON, in parts as they arrive: the bytes of which `report_sha256` is the hash. */
  async report(runId: string, options?: RequestOptions): Promise<Download> {
    const path = checkPath({ run_id: runId });
    return openDownload(
      await this.requests.stream(
        (api, init) =>
          api.GET('/api/rehearsal-runs/{run_id}/report', { params: { path }, parseAs: 'stream', ...init }),
        options,
      ),
    );
  }

  /** The results as JUnit XML, in parts as they arrive. */
  async junit(runId: string, options?: RequestOptions): Promise<Download> {
    const path = checkPath({ run_id: runId });
    return openDownload(
      await this.requests.stream(
        (api, init) =>
          api.GET('/api/rehearsal-runs/{run_id}/junit', { params: { path }, parseAs: 'stream', ...init }),
        options,
      ),
    );
  }

  cancel(runId: string, options?: RequestOptions): Promise<Schemas['RehearsalRunDto']> {
    const path = checkPath({ run_id: runId });
    return unwrap(
      this.requests.safe(
        (api, init) => api.POST('/api/rehearsal-runs/{run_id}/cancel', { params: { path }, ...init }),
        options,
      ),
    );
  }

  /**
   * Waits until a run has ended, however it ended.
   * @throws ParleyError with the code TIMEOUT if it goes on for longer
   */
  waitForEnd(runId: string, options?: WaitOptions): Promise<Schemas['RehearsalRunDetailDto']> {
    return waitForEnd(RUN, (request) => this.get(runId, request), options);
  }
}

import type { Requests } from '../requests';
import type { Filter, Query, RequestOptions, Schemas } from '../types';
import { unwrap } from '../unwrap';

export class Reports {
  constructor(private readonly requests: Requests) {}

  /** The numbers of calls, and one page of them. */
  statistics(
    filter: Filter<'getCallStatistics'> = {},
    options?: RequestOptions,
  ): Promise<Schemas['CallStatisticsDto']> {
    return unwrap(
      this.requests.safe(
        (api, init) => api.GET('/api/reports/agents/calls', { params: { query: filter }, ...init }),
        options,
      ),
    );
  }

  /** The calls over time. */
  series(filter: Filter<'getCallSeries'> = {}, options?: RequestOptions): Promise<Schemas['CallSeriesDto']> {
    const query = filter as Query<'getCallSeries'>;
    return unwrap(
      this.requests.safe(
        (api, init) => api.GET('/api/reports/calls/series', { params: { query }, ...init }),
        options,
      ),
    );
  }
}

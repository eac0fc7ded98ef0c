import type { Requests } from '../requests';
import { toCallLists } from '../to-list';
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
    const query: Query<'getCallSeries'> = { ...filter, ...toCallLists(filter) };
    return unwrap(
      this.requests.safe(
        (api, init) => api.GET('/api/reports/calls/series', { params: { query }, ...init }),
        options,
      ),
    );
  }

  /** The time in which agents answered, and the usage of providers. */
  measurements(
    filter: Filter<'getCallMeasurements'> = {},
    options?: RequestOptions,
  ): Promise<Schemas['CallMeasurementsDto']> {
    return unwrap(
      this.requests.safe(
        (api, init) => api.GET('/api/reports/calls/measurements', { params: { query: filter }, ...init }),
        options,
      ),
    );
  }
}

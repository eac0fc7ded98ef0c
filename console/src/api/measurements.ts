import { api, type Schemas } from './client';
import type { operations } from './schema';

export type Measurements = Schemas['CallMeasurementsDto'];
type MeasurementsQuery = NonNullable<operations['getCallMeasurements']['parameters']['query']>;

export const MEASUREMENT_GROUPS = ['agent', 'agent_version', 'campaign'] as const;
export type MeasurementGroup = (typeof MEASUREMENT_GROUPS)[number];

/** The latency and the usage of calls over time. The last ones stay until others by the same groups are read. */
export const useMeasurements = (query: MeasurementsQuery, isEnabled = true) =>
  api.useQuery(
    'get',
    '/api/reports/calls/measurements',
    { params: { query } },
    {
      enabled: isEnabled,
      placeholderData: (last, lastQuery) =>
        lastQuery?.queryKey[2]?.params?.query?.group_by === query.group_by ? last : undefined,
      select: ({ data }) => data,
    },
  );

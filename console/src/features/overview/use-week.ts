import { useSeries } from '../../api/series';
import { type Counted, toFilters } from '../../domain/counted-calls';
import { getWeek } from '../../ui/filters/periods';
import { zone } from '../../ui/moment';

/** The counted calls of the last seven days, by the reasons of their ends. */
export const useWeek = (counted: Counted) =>
  useSeries({
    ...toFilters(counted),
    ...{ start_date: getWeek().start, interval: 'day', timezone: zone, group_by: 'disconnect_reason' },
  });

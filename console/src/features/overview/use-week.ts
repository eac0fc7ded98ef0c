import { useSeries } from '../../api/series';
import { firstOfWeek, zone } from '../../ui/moment';

/** The calls of the last seven days, by the reasons of their ends. */
export const useWeek = () =>
  useSeries({ start_date: firstOfWeek(), interval: 'day', timezone: zone, group_by: 'disconnect_reason' });

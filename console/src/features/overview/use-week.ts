import { useSeries } from '../../api/series';
import { daysBefore, dayText, zone } from '../../ui/moment';

/** The first of the last seven days. */
export const firstOfWeek = () => dayText(daysBefore(new Date(), 6));

/** The calls of the last seven days, by the reasons of their ends. */
export const useWeek = () =>
  useSeries({ start_date: firstOfWeek(), interval: 'day', timezone: zone, group_by: 'disconnect_reason' });

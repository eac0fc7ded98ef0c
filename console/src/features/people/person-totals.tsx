import type { Series } from '../../api/series';
import { Tiles } from '../../domain/figure-tiles';
import { texts } from '../../texts';
import { dayName, dayText, durationText } from '../../ui/moment';

const labels = texts.people;
const sums = texts.sums;

interface Props {
  totals: Series['totals'];
  /** The time of the newest call. */
  lastCall: string;
}

/** The totals of the calls of a person. */
export const PersonTotals = ({ totals: { calls, connected, seconds }, lastCall }: Props) => (
  <Tiles
    label={labels.totals}
    tiles={[
      { key: 'calls', name: sums.calls, value: calls.toLocaleString() },
      { key: 'connected', name: sums.connected, value: connected.toLocaleString() },
      { key: 'seconds', name: sums.seconds, value: durationText(seconds) },
      { key: 'last', name: labels.lastCall, value: dayName(dayText(new Date(lastCall))) },
    ]}
  />
);

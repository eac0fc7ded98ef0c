import type { Series } from '../../../api/series';
import { findBestHours } from './best-hours';

/** A series with these outgoing calls in the hours of 1 June 2026 by UTC. */
function seriesOf(hours: Record<number, [calls: number, connected: number]>, timezone = 'UTC'): Series {
  const buckets = Object.entries(hours).map(([hour, [calls, connected]]) => ({
    start: new Date(Date.UTC(2026, 5, 1, Number(hour))).toISOString(),
    groups: [
      { key: 'outbound', calls, connected },
      { key: 'inbound', calls: 1_000, connected: 1_000 },
    ],
  }));
  return { buckets, timezone } as unknown as Series;
}

describe('The best hours of a campaign', () => {
  test('are those in which outgoing calls were answered more often than on average, the best first', () => {
    const found = findBestHours(
      seriesOf({ 8: [100, 30], 9: [100, 20], 10: [100, 20], 17: [100, 40], 18: [100, 50] }),
    );

    expect(found).toEqual({
      calls: 500,
      answered: 160,
      best: [{ from: 17, until: 19, calls: 200, answered: 90 }],
    });
  });

  test('are hours by the clock of the campaign, and end with the day', () => {
    const { best } = findBestHours(seriesOf({ 9: [100, 10], 21: [100, 60] }, 'Europe/Berlin'));

    expect(best).toEqual([{ from: 23, until: 24, calls: 100, answered: 60 }]);
  });

  test('do not come from a few calls', () => {
    expect(findBestHours(seriesOf({ 9: [100, 10], 21: [19, 19] })).best).toEqual([]);
    expect(findBestHours(seriesOf({})).best).toEqual([]);
  });
});

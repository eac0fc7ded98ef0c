import fc from 'fast-check';
import { type QuarterOfCalls, cutSegments } from './call-segments';

const QUARTER_MS = 15 * 60_000;

const quarters = (...counts: number[]): QuarterOfCalls[] =>
  counts
    .map((calls, index) => ({ startsAt: new Date(Date.UTC(2026, 2, 1) + index * QUARTER_MS), calls }))
    .filter(({ calls }) => calls > 0);

const shown = (counts: number[], maxCalls = 10_000) =>
  cutSegments(quarters(...counts), maxCalls).map(({ startsAt, endsAt }) =>
    [startsAt, endsAt].map((time) => time.toISOString().slice(11, 16)).join('-'),
  );

describe('Segments', () => {
  test('end with the quarter of an hour that makes them large', () => {
    expect(shown([300, 300, 700, 499])).toEqual(['00:00-00:30', '00:30-00:45']);
  });

  test('end with the hour if they are not small', () => {
    expect(shown([0, 60, 60, 60, 1, 0, 0, 200, 1])).toEqual(['00:15-01:00', '01:00-02:00']);
  });

  test('wait for more calls while they are small, also over hours without any', () => {
    expect(shown([10, 0, 0, 0, 0, 0, 10, 0, 200, 0, 0, 0, 1])).toEqual(['00:00-02:15']);
    expect(shown([200])).toEqual([]);
  });

  test('of a step have about as many calls as it may read', () => {
    expect(shown([600, 600, 600], 1_000)).toEqual(['00:00-00:15', '00:15-00:30']);
  });

  test('never overlap, and contain every call before their end', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(0, 0, 1, 50, 130, 600), { maxLength: 200 }), (counts) => {
        const all = quarters(...counts);
        const segments = cutSegments(all, 1_000_000);
        const end = segments.at(-1)?.endsAt.getTime() ?? 0;
        for (const { startsAt } of all.filter((quarter) => quarter.startsAt.getTime() < end)) {
          const containing = segments.filter(
            (segment) => segment.startsAt <= startsAt && startsAt < segment.endsAt,
          );
          expect(containing).toHaveLength(1);
        }
      }),
    );
  });
});

/** The number of calls of a workspace that were created in a quarter of an hour. */
export interface QuarterOfCalls {
  startsAt: Date;
  calls: number;
}

export interface Segment {
  startsAt: Date;
  /** The end of the segment, exclusive. */
  endsAt: Date;
}

/** A segment ends when it has this many calls. */
const MAX_CALLS = 500;

/** A segment with this many calls ends with its hour, because reports ask for whole hours of a time zone. */
const MIN_CALLS = 125;

const QUARTER_MS = 15 * 60_000;
const HOUR_MS = 4 * QUARTER_MS;

const getHour = ({ startsAt }: QuarterOfCalls) => Math.floor(startsAt.getTime() / HOUR_MS);

/**
 * Cuts the calls of a workspace into segments, oldest first. The calls that remain are too few for a segment, until
 * more calls follow.
 * @param quarters the quarters of an hour that have calls, oldest first
 */
export function cutSegments(quarters: readonly QuarterOfCalls[], maxCalls: number): Segment[] {
  const segments: Segment[] = [];
  let first: QuarterOfCalls | undefined;
  let calls = 0;
  let allCalls = 0;
  for (const [index, quarter] of quarters.entries()) {
    first ??= quarter;
    calls += quarter.calls;
    const next = quarters[index + 1];
    const isEndOfHour = next !== undefined && getHour(next) !== getHour(quarter);
    if (calls < (isEndOfHour ? MIN_CALLS : MAX_CALLS)) continue;
    segments.push({ startsAt: first.startsAt, endsAt: new Date(quarter.startsAt.getTime() + QUARTER_MS) });
    allCalls += calls;
    if (allCalls >= maxCalls) break;
    first = undefined;
    calls = 0;
  }
  return segments;
}

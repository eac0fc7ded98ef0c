/** The dimensions by which the calls of a segment are counted. `all` has one value, ''. */
export const DIMENSIONS = [
  'all',
  'agent',
  'agent_version',
  'campaign',
  'direction',
  'channel',
  'call_type',
  'disconnect_reason',
  'outcome',
  'worker',
  'line',
  'duration',
] as const;
export type Dimension = (typeof DIMENSIONS)[number];

const ROUND_DURATIONS = [
  5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 240, 300, 420, 600, 900, 1_200, 1_800, 3_600,
];

/** The number of characters of an outcome by which calls are counted. The outcome itself may be longer. */
export const COUNTED_OUTCOME_LENGTH = 100;

/**
 * The seconds at which bands of durations begin. A round one is a band of its own, so that it may be either bound.
 */
export const DURATION_BANDS = [0, 1, ...ROUND_DURATIONS.flatMap((seconds) => [seconds, seconds + 1])];

/**
 * The values of `duration` within two inclusive bounds.
 * @returns undefined if a bound is within a band
 */
export function durationValues(min: number | null, max: number | null): string[] | undefined {
  const first = DURATION_BANDS.indexOf(min ?? 0);
  const last = max === null ? DURATION_BANDS.length : DURATION_BANDS.indexOf(max + 1);
  if (first < 0 || last < 0) return undefined;
  return DURATION_BANDS.slice(first, last).map((_, index) => String(first + index + 1));
}

/** The value of `agent_version`: a version belongs to its agent. */
export const versionValue = (agentId: string, version: number) => `${agentId}/${version}`;

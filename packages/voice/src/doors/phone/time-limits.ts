/** The longest time for which a carrier lets a phone ring. */
export const MAX_RING_SECONDS = 40;
const MIN_RING_SECONDS = 5;

/**
 * The time for which a carrier lets a phone ring. It is no longer than the lease of the call: nothing else ends a call that
 * rings when its runtime is killed.
 */
export const toRingSeconds = (leaseSeconds: number): number =>
  Math.max(MIN_RING_SECONDS, Math.min(MAX_RING_SECONDS, leaseSeconds));

/** If a call has neither an answer nor an end after this time, the runtime requests its state from the carrier. */
export const toAnswerMs = (ringSeconds: number): number => ringSeconds * 1_000 + 15_000;

/** The time within which the stream of an incoming call connects after the call was answered. */
export const PICK_UP_MS = 15_000;

/** The longest call at a carrier by default. The persons of a transferred call have this time. */
export const MAX_CALL_SECONDS = 4 * 3_600;

/** The time limit that the carrier gets: one minute more than the limit in the runtime. */
export const toTimeLimitSeconds = (maximumMs: number): number => Math.ceil(maximumMs / 1_000) + 60;

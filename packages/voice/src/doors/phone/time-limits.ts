/** The time for which a carrier lets a phone ring. */
export const RING_SECONDS = 40;

/** If a call has neither an answer nor an end after this time, the runtime requests its state from the carrier. */
export const ANSWER_MS = RING_SECONDS * 1_000 + 15_000;

/** The time within which the stream of an incoming call connects after the call was answered. */
export const PICK_UP_MS = 15_000;

/** The time limit that the carrier gets: one minute more than the limit in the runtime. */
export const toTimeLimitSeconds = (maximumMs: number): number => Math.ceil(maximumMs / 1_000) + 60;

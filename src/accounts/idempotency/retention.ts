/** How long a response is kept with its Idempotency-Key, and so how long the key repeats it. docs/tour.md names it too. */
export const RETENTION_HOURS = 24;

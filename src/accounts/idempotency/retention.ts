/** The time for which a response is kept with its Idempotency-Key and repeated. docs/tour.md names it too. */
export const RETENTION_HOURS = 24;

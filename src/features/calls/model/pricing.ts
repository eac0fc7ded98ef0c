/** Credits that a call holds from its acceptance to its end. */
export const HOLD = 1;

/** Credits for each started minute of connected time. */
export const CREDITS_PER_MINUTE = 1;

/**
 * SQL: the charge of a call that was connected.
 * @param connected SQL: the time for which it was connected
 */
export const chargeFor = (connected: string) =>
  `${CREDITS_PER_MINUTE} * GREATEST(1, CEIL(EXTRACT(EPOCH FROM ${connected}) / 60))`;

/** The current UTC day. */
export const TODAY = `(now() AT TIME ZONE 'UTC')::date`;

/** The time at which the next UTC day begins. */
export const TOMORROW = `((${TODAY} + 1)::timestamp AT TIME ZONE 'UTC')`;

/** Credits that a row of `workspaces` has spent on the current UTC day. */
export const SPENT_TODAY = `(CASE WHEN workspaces.spent_on >= ${TODAY} THEN workspaces.spent_credits ELSE 0 END)`;

/** Whether a time is in the current UTC day. */
export const isToday = (time: string) => `(${time} AT TIME ZONE 'UTC')::date = ${TODAY}`;

/**
 * Assignments for an UPDATE of `workspaces` that add credits to those spent today. GREATEST: a transaction that began
 * before midnight must not return to the counter of the day before.
 */
export const addSpending = (credits: string) => `
  spent_on = GREATEST(workspaces.spent_on, ${TODAY}), spent_credits = GREATEST(0, ${SPENT_TODAY} + ${credits})`;

/*
 * The parties of a call. A call that reached a runtime has the claim with which the runtime requested it; the client
 * sets `direction`.
 */

/** SQL: the number of the person whom the agent calls, or who called, for a row of `conversations`. '' if there is none. */
export const personNumber = (call: string) =>
  `CASE WHEN ${call}.incoming_claim_id IS NULL THEN ${call}.to_number ELSE ${call}.from_number END`;

/** SQL: the workspace's own number in a call, for a row of `conversations`. '' if the runtime's trunk decides. */
export const lineNumber = (call: string) =>
  `CASE WHEN ${call}.incoming_claim_id IS NULL THEN ${call}.from_number ELSE ${call}.to_number END`;

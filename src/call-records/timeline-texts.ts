import type { DisconnectReason } from '../calls/call-states';

/** As the clause of a sentence. @param by who ended the call */
type Clauses = Partial<Record<DisconnectReason, (by: string) => string>>;

const ENDS: Clauses = {
  user_hangup: () => 'the person hung up',
  agent_hangup: () => 'the agent hung up',
  call_transfer: () => 'the agent transferred the call',
  voicemail_reached: () => 'a voicemail had answered, and the call ended',
  inactivity: () => 'nobody spoke any more, and the call ended',
  max_duration_reached: () => 'the call reached its longest duration, and ended',
  cancelled: (by) => `the call was cut off by the ${by}`,
  error: () => 'an error ended the call',
  dial_failed: () => 'the network lost the call',
};

const FAILURES: Clauses = {
  user_hangup: () => 'the person hung up before the call was connected',
  agent_hangup: () => 'the agent hung up before the call was connected',
  voicemail_reached: () => 'a voicemail answered, and the call was not connected',
  inactivity: () => 'nothing happened, and the call was not connected',
  max_duration_reached: () => 'the call was not connected in the longest time that it may take',
  dial_busy: () => 'the line was busy',
  dial_no_answer: () => 'nobody answered',
  dial_failed: () => 'the network could not put the call through',
  invalid_destination: () => 'the number cannot be called',
  cancelled: (by) => `the ${by} cancelled the call before it was connected`,
  error: () => 'an error kept the call from being connected',
};

const nameOf = (reason: DisconnectReason) => reason.replaceAll('_', ' ');

/** How a connected call ended, before its duration. */
export const endOf = (reason: DisconnectReason, by: string) =>
  ENDS[reason]?.(by) ?? `the ${by} ended the call (${nameOf(reason)})`;

/** Why a call was not connected. */
export const failureOf = (reason: DisconnectReason, by: string) =>
  FAILURES[reason]?.(by) ?? `the ${by} ended the call before it was connected (${nameOf(reason)})`;

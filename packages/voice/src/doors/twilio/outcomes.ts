import type { DisconnectReason } from '@parley/worker';
import { TwilioError } from './twilio-client';

/** Numbers that cannot be called: not valid, not reachable, not allowed as a destination. */
const INVALID_NUMBER = new Set([21211, 21214, 21217, 21401, 21407, 13223, 13224]);
const BY_STATUS = new Map<string, DisconnectReason>([
  ['busy', 'dial_busy'],
  ['no-answer', 'dial_no_answer'],
  ['canceled', 'cancelled'],
]);
const BY_SIP_CODE = new Map<string, DisconnectReason>([
  ['404', 'invalid_destination'],
  ['484', 'invalid_destination'],
  ['604', 'invalid_destination'],
  ['486', 'dial_busy'],
  ['600', 'dial_busy'],
  ['408', 'dial_no_answer'],
  ['480', 'dial_no_answer'],
]);

/** Why a call that nobody answered ended. @returns undefined while it is not over */
export function unansweredReason(status: string, sipCode = ''): DisconnectReason | undefined {
  // A call that was completed without audio was answered and ended before its stream came here.
  if (status === 'failed' || status === 'completed') return BY_SIP_CODE.get(sipCode) ?? 'dial_failed';
  return BY_STATUS.get(status);
}

export const refusedReason = (error: unknown): DisconnectReason =>
  error instanceof TwilioError && INVALID_NUMBER.has(error.code) ? 'invalid_destination' : 'dial_failed';

/** Reads the result of the machine detection. @returns undefined for a person, and for an unknown result */
export function readMachine(answeredBy: string): { greetingIsOver: boolean } | undefined {
  if (answeredBy === 'machine_start' || answeredBy === 'fax') return { greetingIsOver: false };
  return answeredBy.startsWith('machine_end') ? { greetingIsOver: true } : undefined;
}

import type { DisconnectReason } from '@parley/worker';
import { describeError } from '../../errors';
import { type CarrierEnd, reasonBySipCode } from '../phone/carrier-end';
import { TwilioError } from './twilio-client';

/** Numbers that cannot be called: not valid, not reachable, not allowed as a destination. */
const INVALID_NUMBER = new Set([21211, 21214, 21217, 21401, 21407, 13223, 13224]);
const BY_STATUS = new Map<string, DisconnectReason>([
  ['busy', 'dial_busy'],
  ['no-answer', 'dial_no_answer'],
  ['canceled', 'cancelled'],
]);

/** The end of a call by its status. @returns undefined while it is not over */
export function readEnd(status: string, sipCode = ''): CarrierEnd | undefined {
  const detail = `Twilio: ${status}${sipCode && `, SIP ${sipCode}`}`;
  if (status === 'failed') return { reason: reasonBySipCode(sipCode), detail };
  // It was answered, and ended before its stream came here.
  if (status === 'completed') return { reason: 'dial_failed', detail: `${detail}, without a media stream` };
  const reason = BY_STATUS.get(status);
  return reason && { reason, detail };
}

export function readRefusal(error: unknown): CarrierEnd {
  if (!(error instanceof TwilioError))
    return { reason: 'dial_failed', detail: `Twilio: ${describeError(error)}` };
  const code = error.code > 0 ? `, code ${error.code}` : '';
  return {
    reason: INVALID_NUMBER.has(error.code) ? 'invalid_destination' : 'dial_failed',
    detail: `Twilio: status ${error.status}${code}`,
  };
}

/** Reads the result of the machine detection. @returns undefined for a person, and for an unknown result */
export function readMachine(answeredBy: string): { greetingIsOver: boolean } | undefined {
  if (answeredBy === 'machine_start' || answeredBy === 'fax') return { greetingIsOver: false };
  return answeredBy.startsWith('machine_end') ? { greetingIsOver: true } : undefined;
}

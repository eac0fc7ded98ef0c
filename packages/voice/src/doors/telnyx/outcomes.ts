import type { DisconnectReason } from '@parley/worker';
import { describeError } from '../../errors';
import { type CarrierEnd, reasonBySipCode } from '../phone/carrier-end';
import { TelnyxError } from './telnyx-client';

/** Telnyx's codes of a number that is none. */
const INVALID_NUMBER = new Set(['10002', '10016']);
const BY_CAUSE = new Map<string, DisconnectReason>([
  ['user_busy', 'dial_busy'],
  ['no_answer', 'dial_no_answer'],
  ['timeout', 'dial_no_answer'],
  ['not_found', 'invalid_destination'],
  ['originator_cancel', 'cancelled'],
]);

/** The end of a call by its cause. Other causes say too little, so that the SIP code decides. */
export function readEnd({ hangup_cause: cause, sip_hangup_cause: sip }: Record<string, unknown>): CarrierEnd {
  const word = typeof cause === 'string' ? cause : 'unspecified';
  const code = typeof sip === 'string' || typeof sip === 'number' ? String(sip) : '';
  const isCode = /^\d{3}$/.test(code);
  return {
    reason: BY_CAUSE.get(word) ?? declinedReason(word, isCode) ?? reasonBySipCode(code),
    detail: `Telnyx: ${word}${isCode ? `, SIP ${code}` : ''}`,
  };
}

/** Without a SIP code, a rejection is one by the person. */
const declinedReason = (word: string, hasCode: boolean): DisconnectReason | undefined =>
  word === 'call_rejected' && !hasCode ? 'dial_busy' : undefined;

export function readRefusal(error: unknown): CarrierEnd {
  if (!(error instanceof TelnyxError))
    return { reason: 'dial_failed', detail: `Telnyx: ${describeError(error)}` };
  return {
    reason: INVALID_NUMBER.has(error.code) ? 'invalid_destination' : 'dial_failed',
    detail: `Telnyx: status ${error.status}${error.code && `, code ${error.code}`}`,
  };
}

/** Reads an event of the machine detection. @returns undefined for a person, and for an unknown result */
export function readMachine(type: string, result: unknown): { greetingIsOver: boolean } | undefined {
  if (/^call\.machine\.(premium\.)?greeting\.ended$/.test(type))
    return result === 'beep_detected' || result === 'ended' ? { greetingIsOver: true } : undefined;
  const isMachine = result === 'machine' || result === 'fax_detected';
  return /^call\.machine\.(premium\.)?detection\.ended$/.test(type) && isMachine
    ? { greetingIsOver: false }
    : undefined;
}

import { CallFailed, type DisconnectReason, shorten } from '@parley/worker';
import type { Answerer } from '../../conversation/contract';
import type { SessionEnd } from '../session';
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
/** The causes of calls that were answered. All others are failures. */
const ANSWERED_BY_CAUSE = new Map<string, SessionEnd['reason']>([
  ['normal_clearing', 'user_hangup'],
  ['originator_cancel', 'user_hangup'],
  ['time_limit', 'max_duration_reached'],
]);

interface TelnyxEnd extends CarrierEnd {
  /** The cause is one of a call that was not answered. Otherwise the call may have been answered. */
  isUnanswered: boolean;
}

/** The end of a call by its cause. Other causes say too little, so that the SIP code decides. */
export function readEnd({ hangup_cause: cause, sip_hangup_cause: sip }: Record<string, unknown>): TelnyxEnd {
  const word = typeof cause === 'string' ? cause : 'unspecified';
  const code = typeof sip === 'string' || typeof sip === 'number' ? String(sip) : '';
  const isCode = /^\d{3}$/.test(code);
  const known = BY_CAUSE.get(word) ?? (isDeclined(word, code) ? 'dial_busy' : undefined);
  return {
    reason: known ?? reasonBySipCode(code),
    answeredReason: ANSWERED_BY_CAUSE.get(word) ?? 'error',
    detail: `Telnyx: ${word}${isCode ? `, SIP ${code}` : ''}`,
    isUnanswered: known !== undefined || (isCode && Number(code) >= 300),
  };
}

/** Why Telnyx could not connect a stream. */
export const readStreamFailure = ({ failure_reason: reason }: Record<string, unknown>): string =>
  `Telnyx: streaming.failed${typeof reason === 'string' ? `, ${shorten(reason, 100)}` : ''}`;

/** A rejection with SIP 403, or without a SIP code, is one by the person. */
const isDeclined = (word: string, code: string) =>
  word === 'call_rejected' && (code === '403' || !/^\d{3}$/.test(code));

export function toRefusal(error: unknown): CallFailed {
  if (!(error instanceof TelnyxError))
    return new CallFailed('dial_failed', `Telnyx: ${describeError(error)}`);
  return new CallFailed(
    INVALID_NUMBER.has(error.code) ? 'invalid_destination' : 'dial_failed',
    `Telnyx: ${describeStatus(error)}`,
  );
}

/** An incoming call that Telnyx did not answer. */
export function toUnansweredRefusal(error: unknown): CallFailed {
  if (!(error instanceof TelnyxError)) return new CallFailed('error', `Telnyx: ${describeError(error)}`);
  const detail = `Telnyx: ${describeStatus(error)}`;
  return new CallFailed(error.isGone ? 'user_hangup' : 'error', detail);
}

const describeStatus = ({ status, code }: TelnyxError) => `status ${status}${code && `, code ${code}`}`;

/** Some voicemails record without a beep. */
const GREETING_ENDS = new Set(['beep_detected', 'no_beep_detected', 'ended']);

const ANSWERERS: ReadonlyMap<unknown, Answerer> = new Map([
  ['human', 'person'],
  ['human_residence', 'person'],
  ['human_business', 'person'],
  ['machine', 'machine'],
  ['fax_detected', 'fax'],
]);

/** Reads an event of the machine detection. @returns undefined for an unknown result, and for another event */
export function readAnswerer(type: string, result: unknown): Answerer | undefined {
  if (/^call\.machine\.(premium\.)?greeting\.ended$/.test(type))
    return GREETING_ENDS.has(String(result)) ? 'beep' : undefined;
  return /^call\.machine\.(premium\.)?detection\.ended$/.test(type) ? ANSWERERS.get(result) : undefined;
}

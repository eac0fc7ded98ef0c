import { CallFailed, type DisconnectReason } from '@parley/worker';
import type { SessionEnd } from '../session';

/** The end of a call as its carrier reports it. */
export interface CarrierEnd {
  /** Counts for a call that nobody answered. */
  reason: DisconnectReason;
  /** Counts for a call that was answered. */
  answeredReason: SessionEnd['reason'];
  /** The carrier and its own words and codes, such as `Twilio: failed, SIP 503`. */
  detail: string;
}

const BY_SIP_CODE = new Map<number, DisconnectReason>([
  ...[404, 410, 484, 604].map((code) => [code, 'invalid_destination'] as const),
  ...[486, 600, 603, 607, 608].map((code) => [code, 'dial_busy'] as const),
  ...[408, 480, 487].map((code) => [code, 'dial_no_answer'] as const),
]);
const BY_Q850_CAUSE = new Map<number, DisconnectReason>([
  ...[1, 2, 3, 22, 28].map((cause) => [cause, 'invalid_destination'] as const),
  ...[17, 21].map((cause) => [cause, 'dial_busy'] as const),
  ...[18, 19, 20].map((cause) => [cause, 'dial_no_answer'] as const),
]);

/** The causes of a normal end. 0: the channel said none. */
const HANG_UPS = new Set([0, 16, 31]);

/** A person who declines is busy. @returns `dial_failed` for the errors of networks, such as a full trunk */
export const reasonBySipCode = (code: unknown): DisconnectReason =>
  BY_SIP_CODE.get(Number(code)) ?? 'dial_failed';

export const reasonByQ850Cause = (cause: unknown): DisconnectReason =>
  BY_Q850_CAUSE.get(Number(cause)) ?? 'dial_failed';

/** @returns `error` for the failures of networks and devices */
export const answeredReasonByQ850Cause = (cause: unknown): SessionEnd['reason'] =>
  HANG_UPS.has(Number(cause)) ? 'user_hangup' : 'error';

/** @param end before the answer of an incoming call. The caller is gone, unless the carrier or its stream failed. */
export const toUnanswered = ({ reason, detail }: CarrierEnd): CallFailed =>
  new CallFailed(reason === 'error' ? 'error' : 'user_hangup', detail);

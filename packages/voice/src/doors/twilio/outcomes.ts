import { CallFailed, type DisconnectReason } from '@parley/worker';
import type { Answerer } from '../../conversation/contract';
import { describeError } from '../../errors';
import { type CarrierEnd, reasonBySipCode } from '../phone/carrier-end';
import type { CallSpeech } from '../../speech/carrier-speech';
import { toLanguageTag } from './twiml';
import { TwilioError } from './twilio-client';

/** Numbers that are not valid, or cannot be reached. */
const INVALID_NUMBER = new Set([21211, 21214, 21217, 13223, 13224]);
const BY_STATUS = new Map<string, DisconnectReason>([
  ['busy', 'dial_busy'],
  ['no-answer', 'dial_no_answer'],
  ['canceled', 'cancelled'],
]);

/** The status of a call that was answered, and may be over. */
export const isAnswered = (status: string) => status === 'in-progress' || status === 'completed';

/** The end of a call by its status. @returns undefined while it is not over */
export function readEnd(status: string, sipCode = ''): CarrierEnd | undefined {
  const detail = `Twilio: ${status}${sipCode && `, SIP ${sipCode}`}`;
  // A call that was answered. Only one whose callbacks did not come counts as none.
  if (status === 'completed')
    return {
      ...{ reason: 'dial_failed', answeredReason: 'user_hangup' },
      detail: `${detail}, without a media stream`,
    };
  const reason = status === 'failed' ? reasonBySipCode(sipCode) : BY_STATUS.get(status);
  return reason && { reason, answeredReason: 'error', detail };
}

/** The end of a call whose callback did not come. */
export const UNREPORTED: CarrierEnd = {
  ...{ reason: 'dial_failed', answeredReason: 'user_hangup' },
  detail: 'Twilio: the call is over, and no callback came',
};

/** A call that was answered, and whose stream does not come here, or not come back. */
export const WITHOUT_STREAM: CarrierEnd = {
  ...{ reason: 'error', answeredReason: 'error' },
  detail: 'Twilio: the connection of the call to this runtime could not be opened',
};

/** A call that ConversationRelay did not take: Twilio gives no reason here. */
export const toWithoutRelay = ({ language, voice }: CallSpeech): CarrierEnd => ({
  ...{ reason: 'error', answeredReason: 'error' },
  detail:
    'Twilio: ConversationRelay could not be connected. It does not reach this runtime, or has not the language ' +
    `${toLanguageTag(language)}${voice && ` with the voice ${voice}`}`,
});

/** The other number of a transfer. It is taken back if the person hangs up. @returns undefined while it rings */
export function readTransfer(
  status: string,
  sipCode = '',
): { failure?: string; hasHungUp?: boolean } | undefined {
  if (isAnswered(status)) return {};
  if (status === 'canceled') return { hasHungUp: true };
  const end = readEnd(status, sipCode);
  return end && { failure: end.detail };
}

export function toRefusal(error: unknown): CallFailed {
  if (!(error instanceof TwilioError))
    return new CallFailed('dial_failed', `Twilio: ${describeError(error)}`);
  const code = error.code > 0 ? `, code ${error.code}` : '';
  return new CallFailed(
    INVALID_NUMBER.has(error.code) ? 'invalid_destination' : 'dial_failed',
    `Twilio: status ${error.status}${code}`,
  );
}

/** Reads the result of the machine detection. @returns undefined for an unknown result */
export function readAnswerer(answeredBy: string): Answerer | undefined {
  if (answeredBy === 'human') return 'person';
  if (answeredBy === 'fax') return 'fax';
  if (answeredBy === 'machine_start') return 'machine';
  return answeredBy.startsWith('machine_end') ? 'beep' : undefined;
}

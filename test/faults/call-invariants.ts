import type { Dialled } from './dial-log';
import type { Start } from './start';
import type { Violation } from './violation';

export interface Call {
  id: string;
  to_number: string;
  status: string;
  disconnect_reason: string | null;
  campaign_id: string | null;
  worker_id: string | null;
}

const ENDED = ['disconnected', 'failed'];
const NEVER_DIALLED = ['dispatch_failed', 'dispatch_expired'];

/**
 * What must be true of calls, by what was answered, what the database knows and what was dialled.
 * @param livingWorker the runtime that was not killed: one that was may have been so between its claim and its dial
 * @param mayExpire whether there was a time without any runtime
 */
export function checkCalls(
  calls: Call[],
  starts: Start[],
  dialled: Dialled[],
  livingWorker: string,
  mayExpire = false,
): Violation[] {
  const byId = new Map(calls.map((call) => [call.id, call]));
  const dialledIds = new Set(dialled.map(({ conversationId }) => conversationId));
  const dialledNumbers = new Set(dialled.map(({ number }) => number));
  return [
    ...calls.filter(({ status }) => !ENDED.includes(status)).map(about('A call has not ended')),
    ...calls
      .filter(({ id }) => !dialledIds.has(id))
      .filter((call) => !isCancelled(call) && !(isLost(call) && call.worker_id !== livingWorker))
      .filter(({ disconnect_reason }) => !(mayExpire && disconnect_reason === 'dispatch_expired'))
      .map(about('A call was accepted, and never dialled')),
    ...calls
      .filter((call) => dialledIds.has(call.id) && isLost(call) && call.worker_id === livingWorker)
      .map(about('A call is taken for lost whose runtime has told its end')),
    ...repeated(calls.map(({ to_number }) => to_number)).map((number) => ({
      sentence: 'One request became two calls',
      number,
    })),
    ...checkDials(dialled),
    ...dialled
      .filter(({ conversationId, number }) => byId.get(conversationId)?.to_number !== number)
      .map((line) => ({ sentence: 'A number was dialled that no call has', ...line })),
    ...dialled
      .map(({ conversationId }) => byId.get(conversationId))
      .filter((call) => call !== undefined)
      .filter(({ disconnect_reason }) => NEVER_DIALLED.includes(disconnect_reason ?? ''))
      .map(about('A call was dialled that says it never was')),
    ...starts.flatMap((start) => checkStart(start, byId, dialledNumbers)),
  ];
}

/** Every number that was dialled twice. */
export const checkDials = (dialled: Dialled[]): Violation[] =>
  repeated(dialled.map(({ number }) => number)).map((number) => ({
    sentence: 'A number was dialled twice',
    number,
  }));

function checkStart(start: Start, calls: Map<string, Call>, dialledNumbers: Set<string>): Violation[] {
  const { outcome, number, answer, answers } = start;
  if (answers.size > 1) return [{ sentence: 'One request was answered with two calls', number, start }];
  if (outcome === 'refused' && dialledNumbers.has(number)) {
    return [{ sentence: 'A call was refused, and dialled all the same', number, start }];
  }
  if (outcome !== 'answered') return [];
  const call = calls.get(answer);
  if (call?.to_number !== number) {
    return [{ sentence: 'A call was answered 200 that there is not', number, start }];
  }
  if (call.disconnect_reason === 'dispatch_failed') {
    return [{ sentence: 'A call was answered 200, and cancelled', number, start }];
  }
  return [];
}

/** The fenced cancel of a call that nobody was told of: who was answered 200 is asked about on its own. */
const isCancelled = ({ disconnect_reason, campaign_id }: Call) =>
  disconnect_reason === 'dispatch_failed' && campaign_id === null;

const isLost = ({ disconnect_reason }: Call) => disconnect_reason === 'worker_lost';

const about =
  (sentence: string) =>
  (call: Call): Violation => ({ sentence, conversationId: call.id });

const repeated = (values: string[]): string[] => {
  const seen = new Set<string>();
  return [...new Set(values.filter((value) => seen.size === seen.add(value).size))];
};

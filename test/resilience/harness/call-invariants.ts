import type { DialledCall } from './dial-log';
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
/** The reasons that workers report. */
const REPORTED = ['user_hangup', 'dial_busy'];
const NOT_DISPATCHED = ['dispatch_failed', 'dispatch_expired'];

interface CallExceptions {
  /** Whether there was a period without any runtime. */
  mayExpire?: boolean;
  /** The campaigns whose calls are taken back before a runtime claims them. */
  steered?: string[];
  /** The numbers of these campaigns, which have several calls. */
  retried?: ReadonlySet<string>;
}

/**
 * Compares the calls in the database with the answers to clients and the numbers that were dialled.
 * @param livingWorkers the runtimes that are still running: a killed one may have died between its claim and its dial
 */
export function checkCalls(
  calls: Call[],
  starts: Start[],
  dialled: DialledCall[],
  livingWorkers: string[],
  { mayExpire = false, steered = [], retried = new Set() }: CallExceptions = {},
): Violation[] {
  const byId = new Map(calls.map((call) => [call.id, call]));
  const dialledIds = new Set(dialled.map(({ conversationId }) => conversationId));
  const dialledNumbers = new Set(dialled.map(({ number }) => number));
  return [
    ...calls.filter(({ status }) => !ENDED.includes(status)).map(createViolation('A call has not ended')),
    ...calls
      .filter(({ id }) => !dialledIds.has(id))
      .filter((call) => !isCancelled(call) && !isTakenBack(call, steered))
      .filter((call) => !(isLost(call) && !wasClaimedBy(call, livingWorkers)))
      .filter(({ disconnect_reason }) => !(mayExpire && disconnect_reason === 'dispatch_expired'))
      .map(createViolation('An accepted call was never dialled')),
    ...calls
      .filter((call) => dialledIds.has(call.id) && isLost(call) && wasClaimedBy(call, livingWorkers))
      .map(createViolation('A call ended as worker_lost although its runtime was running')),
    ...repeated(calls.map(({ to_number }) => to_number).filter((number) => !retried.has(number))).map(
      (number) => ({
        message: 'One request created two calls',
        number,
      }),
    ),
    ...checkDials(dialled, retried),
    ...dialled
      .filter(({ conversationId, number }) => byId.get(conversationId)?.to_number !== number)
      .map((line) => ({ message: 'A number was dialled that belongs to no call', ...line })),
    ...dialled
      .map(({ conversationId }) => byId.get(conversationId))
      .filter((call) => call !== undefined)
      .filter(({ disconnect_reason }) => NOT_DISPATCHED.includes(disconnect_reason ?? ''))
      .map(createViolation('A dialled call is recorded as not dispatched')),
    ...starts.flatMap((start) => checkStart(start, byId, dialledNumbers)),
  ];
}

/** An end that a worker has kept is reported, even if the worker was killed. */
export function checkKeptEnds(calls: Call[], ended: DialledCall[]): Violation[] {
  const ids = new Set(ended.map(({ conversationId }) => conversationId));
  return calls
    .filter((call) => ids.has(call.id) && !REPORTED.includes(call.disconnect_reason ?? ''))
    .map(createViolation('An end that its worker had kept was not reported'));
}

/**
 * Returns every number that was dialled twice.
 * @param retried numbers that have several calls, each of which is dialled once
 */
export const checkDials = (dialled: DialledCall[], retried: ReadonlySet<string>): Violation[] => [
  ...repeated(dialled.map(({ number }) => number).filter((number) => !retried.has(number))).map((number) => ({
    message: 'A number was dialled twice',
    number,
  })),
  ...repeated(dialled.map(({ conversationId }) => conversationId)).map((conversationId) => ({
    message: 'A call was dialled twice',
    conversationId,
  })),
];

function checkStart(start: Start, calls: Map<string, Call>, dialledNumbers: Set<string>): Violation[] {
  const { outcome, number, answer, answers } = start;
  if (answers.size > 1) return [{ message: 'One request was answered with two calls', number, start }];
  if (outcome === 'refused' && dialledNumbers.has(number)) {
    return [{ message: 'A refused call was dialled', number, start }];
  }
  if (outcome !== 'answered') return [];
  const call = calls.get(answer);
  if (call?.to_number !== number) {
    return [{ message: 'A call that was answered with 200 does not exist', number, start }];
  }
  if (call.disconnect_reason === 'dispatch_failed') {
    return [{ message: 'A call that was answered with 200 was cancelled', number, start }];
  }
  return [];
}

/** Only calls that were not answered with 200 may be cancelled; `checkStart` checks the others. */
const isCancelled = ({ disconnect_reason, campaign_id }: Call) =>
  disconnect_reason === 'dispatch_failed' && campaign_id === null;

const isTakenBack = ({ disconnect_reason, campaign_id, worker_id }: Call, steered: string[]) =>
  disconnect_reason === 'cancelled' && worker_id === null && steered.includes(campaign_id ?? '');

const wasClaimedBy = ({ worker_id }: Call, workers: string[]) => workers.includes(worker_id ?? '');

const isLost = ({ disconnect_reason }: Call) => disconnect_reason === 'worker_lost';

const createViolation =
  (message: string) =>
  (call: Call): Violation => ({ message, conversationId: call.id });

/** The values that are there more than once. */
export const repeated = (values: string[]): string[] => {
  const seen = new Set<string>();
  return [...new Set(values.filter((value) => seen.size === seen.add(value).size))];
};

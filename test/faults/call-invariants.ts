import type { Dialled } from './dial-log';
import type { Start } from './start';
import type { Violation } from './violation';

export interface Call {
  id: string;
  to_number: string;
  status: string;
  disconnect_reason: string | null;
}

const ENDED = ['disconnected', 'failed'];
const NEVER_DIALLED = ['dispatch_failed', 'dispatch_expired'];

/** What must be true of calls, by what was answered, what the database knows and what was dialled. */
export function checkCalls(calls: Call[], starts: Start[], dialled: Dialled[]): Violation[] {
  const byId = new Map(calls.map((call) => [call.id, call]));
  const dialledNumbers = new Set(dialled.map(({ number }) => number));
  return [
    ...calls.filter(({ status }) => !ENDED.includes(status)).map(about('A call has not ended')),
    ...repeated(calls.map(({ to_number }) => to_number)).map((number) => ({
      sentence: 'One request became two calls',
      number,
    })),
    ...repeated(dialled.map(({ number }) => number)).map((number) => ({
      sentence: 'A number was dialled twice',
      number,
    })),
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

function checkStart(start: Start, calls: Map<string, Call>, dialledNumbers: Set<string>): Violation[] {
  const { outcome, number, answer } = start;
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

const about =
  (sentence: string) =>
  (call: Call): Violation => ({ sentence, conversationId: call.id });

const repeated = (values: string[]): string[] => {
  const seen = new Set<string>();
  return [...new Set(values.filter((value) => seen.size === seen.add(value).size))];
};

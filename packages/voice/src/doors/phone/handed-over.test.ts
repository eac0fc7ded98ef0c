import { VirtualClock } from '../../rehearsal/virtual-clock';
import { HandedOver } from './handed-over';

/** Follows a call of two persons. Nobody reports its end. */
function follow(answers: (boolean | Error)[]) {
  const clock = new VirtualClock();
  const done: string[] = [];
  const calls = new HandedOver(clock, {
    isOver: (id) => {
      if (id !== 'CA1') return Promise.resolve(true);
      done.push('asked');
      const answer = answers.shift() ?? false;
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    },
    hangUp: (callId, id) => void done.push(`hung up ${callId} ${id}`),
  });
  const { ended } = calls.follow('call-1', 'CA1', 600);
  let isOver = false;
  void ended.then(() => (isOver = true));
  const pass = async (seconds: number) => {
    clock.advance(seconds * 1_000);
    // The work that a timer begins goes on in promises.
    await new Promise(setImmediate);
    return isOver;
  };
  return { calls, done, pass };
}

test('If nobody reports the end of a call of two persons, it ends when the carrier says so', async () => {
  const { done, pass } = follow([false, new Error('Twilio answered 500'), true]);
  expect([await pass(30), await pass(30), await pass(30), await pass(30)]).toEqual([
    false,
    false,
    true,
    true,
  ]);
  expect(done).toEqual(['asked', 'asked', 'asked']);
});

test('A call of two persons ends after its time limit, also if more calls were made since than are known', async () => {
  const { calls, pass } = follow([]);
  for (let index = 0; index < 10_001; index++) calls.follow(`call ${index}`, `other ${index}`, 600);
  for (let seconds = 0; seconds < 630; seconds += 30) expect(await pass(30)).toBe(false);
  expect(await pass(30)).toBe(true);
});

test('The carrier is not asked about a call of two persons after a report of its end', async () => {
  const { calls, done, pass } = follow([]);
  calls.ended('CA1');
  expect(await pass(30)).toBe(true);
  expect(done).toEqual([]);
});

test('A call of two persons is hung up a minute after its longest time, if the carrier has not ended it', async () => {
  const { done, pass } = follow([]);
  for (let seconds = 0; seconds < 630; seconds += 30) expect(await pass(30)).toBe(false);
  expect(new Set(done)).toEqual(new Set(['asked']));
  expect(await pass(30)).toBe(true);
  expect(done.at(-1)).toBe('hung up call-1 CA1');
});

test('A process that ends asks no carrier any more', async () => {
  const { calls, done, pass } = follow([]);
  calls.close();
  calls.follow('call-2', 'CA1', 600);
  expect(await pass(60)).toBe(false);
  expect(done).toEqual([]);
});

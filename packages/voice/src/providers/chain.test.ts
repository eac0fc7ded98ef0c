import { VirtualClock } from '../rehearsal/virtual-clock';
import { BusyError, ContentError, PlaceError, RefusalError } from '../retries';
import { AccountLimit } from '../speech/account-limit';
import { Chain, type FellBack } from './chain';
import { EndedError, ProviderHealth } from './provider-health';

/** The results of a provider, each with the time before it; an error ends it. */
type Script = readonly (readonly [ms: number, result: string | Error])[];

const never: Script = [[Infinity, '']];

function setUp(scripts: Record<string, Script[]>, { hedgeMs }: { hedgeMs?: number } = {}) {
  const clock = new VirtualClock();
  const health = new ProviderHealth({ failures: 3, ms: 30_000 }, undefined, clock);
  const fallbacks: FellBack[] = [];
  const asked: string[] = [];
  const aborted: string[] = [];
  const candidates = Object.keys(scripts).map((provider) => ({ provider, model: 'm', use: provider }));
  const fellBack = (fallback: FellBack) => void fallbacks.push(fallback);
  const chain = new Chain('language', candidates, { health, clock, hedgeMs, fellBack });
  const open = async function* (provider: string, signal: AbortSignal) {
    asked.push(provider);
    signal.addEventListener('abort', () => aborted.push(provider), { once: true });
    for (const [ms, result] of scripts[provider]?.shift() ?? []) {
      await new Promise<void>((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
        if (ms === 0) resolve();
        else if (ms !== Infinity) clock.after(ms, resolve);
      });
      if (result instanceof Error) throw result;
      yield result;
    }
  };
  /** @returns the results with their times, and the message of the failure */
  async function run(signal = new AbortController().signal) {
    const startedAt = clock.now();
    const results: [number, string][] = [];
    let isOver = false;
    let failed: unknown;
    void (async () => {
      for await (const result of chain.run(open, signal)) results.push([clock.now() - startedAt, result]);
    })()
      .catch((error: unknown) => (failed = error))
      .finally(() => (isOver = true));
    for (let turn = 0; turn < 2_000 && !isOver; turn++) {
      await clock.settled();
      if (!isOver && clock.nextAt !== Infinity) clock.advance(clock.nextAt - clock.now());
    }
    return { results, failed, isOver };
  }
  return { run, chain, health, clock, fallbacks, asked, aborted };
}

test('a provider that refuses, or ends in the middle, is replaced at once', async () => {
  const { run, fallbacks } = setUp({
    one: [
      [[100, new BusyError('It is busy', 60_000)]],
      [
        [100, 'a'],
        [100, new Error('cut')],
      ],
    ],
    two: [[[50, 'b']], [[50, 'c']]],
  });
  expect((await run()).results).toEqual([[150, 'b']]);
  expect((await run()).results).toEqual([
    [100, 'a'],
    [250, 'c'],
  ]);
  expect(fallbacks.map(({ why }) => why)).toEqual(['It is busy', 'cut']);
});

test('a provider has 2.5 s for its first word, and 1.5 s for each further one, if another follows', async () => {
  const { run } = setUp({
    one: [
      never,
      [
        [2_400, 'a'],
        [1_600, 'b'],
      ],
    ],
    two: [[[3_000, 'c']], [[0, 'd']]],
  });
  expect((await run()).results).toEqual([[5_500, 'c']]);
  expect((await run()).results).toEqual([
    [2_400, 'a'],
    [3_900, 'd'],
  ]);
});

test('the last one is tried once more, and then the failure names all', async () => {
  const { run } = setUp({
    one: [[[0, new Error('first')]]],
    two: [[[0, new Error('x')]], [[0, new Error('y')]]],
  });
  const { results, failed } = await run();
  expect(results).toEqual([]);
  expect(failed).toMatchObject({ name: 'FinalError', message: 'language: one: first; two: x; two: y' });
});

test('beside a provider that gives nothing for the time of the hedge the next one is asked, and the first answer counts', async () => {
  const slow = setUp({ one: [[[1_400, 'late']]], two: [[[100, 'b']]] }, { hedgeMs: 900 });
  expect((await slow.run()).results).toEqual([[1_000, 'b']]);
  expect(slow.aborted).toContain('one');
  const faster = setUp({ one: [[[950, 'a']]], two: [[[100, 'b']]] }, { hedgeMs: 900 });
  expect((await faster.run()).results).toEqual([[950, 'a']]);
  expect(faster.aborted).toContain('two');
  expect(faster.fallbacks).toEqual([]);
  expect(faster.health.report()).toContainEqual(expect.objectContaining({ name: 'two', requests: 0 }));
});

test('after an abort no other provider is asked, also if the first does not end at once', async () => {
  const { chain, clock } = setUp({ one: [], two: [] }, { hedgeMs: 900 });
  const person = new AbortController();
  const asked: string[] = [];
  const ask = (provider: string) => {
    asked.push(provider);
    return new Promise<string>(() => undefined);
  };
  const failed = chain.once(ask, person.signal).catch((error: Error) => error.message);
  await clock.settled();
  person.abort(new Error('interrupted'));
  clock.advance(900);
  await clock.settled();
  clock.advance(1_600);
  await clock.settled();
  clock.advance(1_600);
  expect(await failed).toBe('interrupted');
  expect(asked).toEqual(['one']);
});

test('after three failures in a row a provider is skipped for 30 s, and then one call tries it', async () => {
  const failure: Script = [[0, new Error('down')]];
  const { run, clock, asked, health } = setUp({
    one: [failure, failure, failure, failure, [[0, 'a']]],
    two: Array.from({ length: 9 }, (): Script => [[0, 'b']]),
  });
  for (let call = 0; call < 5; call++) await run();
  expect(asked.filter((name) => name === 'one')).toHaveLength(3);
  expect(health.report()[0]).toMatchObject({ name: 'one', state: 'open', requests: 3, failures: 3 });
  clock.advance(30_000);
  // The try fails, and the provider is skipped again.
  await run();
  await run();
  expect(asked.filter((name) => name === 'one')).toHaveLength(4);
  clock.advance(30_000);
  expect((await run()).results).toEqual([[0, 'a']]);
  expect(health.report().map(({ state }) => state)).toEqual(['ok', 'ok']);
});

test('while one call tries a provider, the others skip it', () => {
  const { health, clock } = setUp({});
  const asked = { part: 'synthesis', provider: 'one', model: '' } as const;
  for (let failure = 0; failure < 3; failure++) health.settle(asked, new Error('down'));
  clock.advance(30_000);
  expect([health.admit(asked), health.admit(asked)]).toEqual([true, false]);
});

test('the reported state of a provider changes with the time, also without a request', () => {
  const { clock } = setUp({});
  let read: () => { isOpen: boolean }[] = () => [];
  const metrics = {
    asked: () => undefined,
    fellBack: () => undefined,
    watch: (given: typeof read) => void (read = given),
  };
  const health = new ProviderHealth({ failures: 3, ms: 30_000 }, metrics, clock);
  const asked = { part: 'synthesis', provider: 'one', model: '' } as const;
  for (let failure = 0; failure < 3; failure++) health.settle(asked, new Error('down'));
  const states = () => [health.report()[0]?.state, read()[0]?.isOpen];
  expect(states()).toEqual(['open', true]);
  clock.advance(30_000);
  expect(states()).toEqual(['failing', false]);
  clock.advance(300_000);
  expect(states()).toEqual(['ok', false]);
});

test('an answer that began, and was interrupted, ends a row of failures', () => {
  const { health } = setUp({});
  const asked = { part: 'language', provider: 'one', model: '' } as const;
  for (let call = 0; call < 4; call++) {
    health.settle(asked, new Error('down'));
    health.settle(asked, new EndedError(), 400);
  }
  expect(health.isOpen(asked)).toBe(false);
  for (let call = 0; call < 3; call++) {
    health.settle(asked, new Error('down'));
    health.settle(asked, new EndedError());
  }
  expect(health.isOpen(asked)).toBe(true);
});

test('requests that are wrong, and those that a person ends, open nothing', async () => {
  const wrong = [404, 422, 400].map((status): Script => [
    [0, new RefusalError(`It answered ${status}`, status)],
  ]);
  const { run, asked } = setUp({ one: [...wrong, [[0, 'a']]], two: wrong.map((): Script => [[0, 'b']]) });
  for (let call = 0; call < 3; call++) await run();
  expect((await run()).results).toEqual([[0, 'a']]);
  expect(asked.filter((name) => name === 'one')).toHaveLength(4);

  const ended = setUp({ one: [never, never, never, [[0, 'a']]], two: [] });
  for (let call = 0; call < 3; call++) {
    const person = new AbortController();
    const running = ended.run(person.signal);
    person.abort(new Error('interrupted'));
    expect((await running).failed).toMatchObject({ message: 'interrupted' });
  }
  expect((await ended.run()).results).toEqual([[0, 'a']]);
  expect(ended.fallbacks).toEqual([]);
});

test.each([
  ['an answer that cannot be used', new ContentError('It answered nothing')],
  ['a wait for a place of this process', new PlaceError('All 2 places were taken')],
])('%s opens nothing', async (_, error) => {
  const { run, health } = setUp({
    one: Array.from({ length: 4 }, (): Script => [[0, error]]),
    two: Array.from({ length: 4 }, (): Script => [[0, 'b']]),
  });
  for (let call = 0; call < 4; call++) expect((await run()).results).toEqual([[0, 'b']]);
  expect(health.report()[0]).toMatchObject({ name: 'one', state: 'ok', failures: 4 });
});

test('a provider that was slow because this process had no place for the request is not skipped', async () => {
  const { chain, clock, health } = setUp({ one: [], two: [] }, { hedgeMs: 900 });
  const limit = new AccountLimit('X_MAX_CONCURRENT', 1, clock);
  limit.enter();
  for (let call = 0; call < 4; call++) {
    const ask = async (provider: string, signal: AbortSignal) => {
      if (provider === 'one') await limit.enter().within(signal);
      return provider;
    };
    const answered = chain.once(ask, new AbortController().signal);
    await clock.settled();
    clock.advance(900);
    expect(await answered).toBe('two');
    await clock.settled();
  }
  expect(health.report()).toContainEqual(
    expect.objectContaining({ name: 'one', state: 'ok', requests: 4, failures: 4 }),
  );
});

test('a request outside a conversation does not change the circuit of conversations', async () => {
  const { chain, health } = setUp({ one: [], two: [] });
  const asked = { part: 'language', provider: 'one', model: 'm' } as const;
  const { signal } = new AbortController();
  const refuse = (provider: string) =>
    provider === 'one' ? Promise.reject(new RefusalError('It answered 500', 500)) : Promise.resolve(provider);
  for (let call = 0; call < 4; call++) expect(await chain.once(refuse, signal, true)).toBe('two');
  expect(health.isOpen(asked)).toBe(false);
  for (let failure = 0; failure < 3; failure++) health.settle(asked, new Error('down'));
  expect(await chain.once((provider) => Promise.resolve(provider), signal, true)).toBe('two');
  expect(health.isOpen(asked)).toBe(true);
});

test('a provider without followers keeps its errors and its time limits', async () => {
  const { run } = setUp({
    only: [
      [[0, new Error('down')]],
      [
        [4_900, 'a'],
        [2_900, 'b'],
      ],
    ],
  });
  expect((await run()).failed).toMatchObject({ message: 'down' });
  expect((await run()).results).toEqual([
    [4_900, 'a'],
    [7_800, 'b'],
  ]);
});

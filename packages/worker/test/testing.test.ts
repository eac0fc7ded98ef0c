import {
  type Call,
  CallFailed,
  type Handler,
  type Logger,
  type RehearsalFacts,
  type ReportedCriterion,
} from '@parley/worker';
import { fakeServer, type OfferOptions } from '@parley/worker/testing';
import { collectingLogger } from './support/workers';

const unreadable = {
  get name(): string {
    throw new Error('No name');
  },
  [Symbol.for('nodejs.util.inspect.custom')]() {
    throw new Error('No text');
  },
};

/** As many criteria with this answer. */
const answers = (count: number, answer: ReportedCriterion) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`criterion ${index}`, answer]));

describe('A fake server', () => {
  const server = fakeServer({ logger: { debug() {}, info() {}, warn() {}, error() {} } });

  test('shows the reports of a handler, its turns and its end', async () => {
    const { events, turns, end } = await server.offer(
      async (call) => {
        await call.connected(new Date('2026-01-31T09:30:00Z'));
        call.turn({ speaker: 'agent', text: call.start.greeting });
        call.turn({ speaker: 'user', text: 'Hello' });
        await call.recorded({ url: 'https://recordings.example.com/1.wav' });
        return { reason: 'agent_hangup', by: 'agent', summary: 'Said hello.', outcome: 'completed' };
      },
      { start: { greeting: 'Good day!' } },
    );

    expect(events.map(({ type }) => type)).toEqual([
      'call.connected.v1',
      'call.transcript.v1',
      'call.transcript.v1',
      'call.recorded.v1',
      'call.ended.v1',
    ]);
    expect(events[0]?.body).toMatchObject({ occurred_at: '2026-01-31T09:30:00.000Z' });
    expect(turns).toEqual([
      { sequence: 1, speaker: 'agent', text: 'Good day!' },
      { sequence: 2, speaker: 'user', text: 'Hello' },
    ]);
    expect(end).toEqual({
      type: 'call.ended.v1',
      reason: 'agent_hangup',
      by: 'agent',
      summary: 'Said hello.',
      outcome: 'completed',
    });
  });

  test.each([
    { says: 'before the return', endedAt: '2026-01-31T09:31:00Z', reported: '2026-01-31T09:31:00.000Z' },
    {
      says: 'before the call was connected',
      endedAt: '2026-01-31T09:00:00Z',
      reported: '2026-01-31T09:30:00.000Z',
    },
  ])('reports the time of the end that a handler names: $says', async ({ endedAt, reported }) => {
    const { events } = await server.offer(async (call) => {
      await call.connected(new Date('2026-01-31T09:30:00Z'));
      return { endedAt: new Date(endedAt) };
    });
    expect(events.at(-1)?.body).toMatchObject({ occurred_at: reported });
  });

  test('has the facts about a rehearsal before its end, unless they are larger than a message', async () => {
    const facts = (text: string): RehearsalFacts => ({
      turns: [{ speaker: 'agent', text, at_ms: 0 }],
      end: { reason: 'user_hangup', by: 'user' },
      ...{ variables: {}, outcome: 'completed', opt_out: false },
      figures: { turns: 1, turn_gap_ms_p95: null, interrupted_ms: null, seconds: 1.5, tokens: 0 },
    });
    const { events } = await server.offer(
      async (call) => {
        expect(() => call.rehearsed(facts('x'.repeat(60_000)))).toThrow(/at most 60000 bytes, not 602\d\d/);
        await call.connected();
        await call.rehearsed(facts('Hello'));
      },
      { start: { call_type: 'rehearsal' } },
    );
    const another = server.offer((call) => {
      expect(() => call.rehearsed(facts(''))).toThrow('is no rehearsal');
      expect(() => call.judged([], 0)).toThrow('is no rehearsal');
    });

    expect(events.map(({ type }) => type)).toEqual([
      'call.connected.v1',
      'call.rehearsed.v1',
      'call.ended.v1',
    ]);
    expect(events[1]?.body).toMatchObject({ facts: facts('Hello') });
    expect((await another).end.reason).toBe('error');
  });

  test('has the judgement about a rehearsal, with reasons that fit', async () => {
    const reason = 'é'.repeat(3_000);
    const { events } = await server.offer(
      async (call) => {
        await call.connected();
        await call.judged(Array(50).fill({ pass: true, reason }), 12);
      },
      { start: { call_type: 'rehearsal' } },
    );

    const [, { type, body } = { type: '', body: {} }] = events;
    expect(type).toBe('call.judged.v1');
    expect(body).toMatchObject({ tokens: 12 });
    expect(body.answers).toHaveLength(50);
    expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(65_536);
  });

  test('shows where the person of a web call can join it, until it is connected', async () => {
    const url = 'wss://voice.example.com/voice/4711?secret=Zm9v';
    const expiresAt = new Date(Date.now() + 60_000);
    const { events } = await server.offer(
      async (call) => {
        await call.joinable(url, expiresAt);
        await call.connected();
        await call.joinable(url, expiresAt);
      },
      { start: { call_type: 'webcall' } },
    );

    expect(events.map(({ type }) => type)).toEqual([
      'call.joinable.v1',
      'call.connected.v1',
      'call.ended.v1',
    ]);
    expect(events[0]?.body).toMatchObject({ url, expires_at: expiresAt.toISOString() });
  });

  test.each<[string, string, Date, object]>([
    ['an address of another kind', 'ftp://voice.example.com', new Date(), { call_type: 'webcall' }],
    ['a long address', `wss://voice.example.com/${'x'.repeat(2_048)}`, new Date(), { call_type: 'webcall' }],
    [
      'a time that is far ahead',
      'wss://a.example',
      new Date(Date.now() + 3_700_000),
      { call_type: 'webcall' },
    ],
    ['a time that is none', 'wss://a.example', new Date('x'), { call_type: 'webcall' }],
    ['a phone call', 'wss://a.example', new Date(), {}],
  ])('refuses to let the person join with %s', async (_, url, at, start) => {
    const { events } = await server.offer((call) => call.joinable(url, at), { start });

    expect(events.map(({ type }) => type)).toEqual(['call.failed.v1']);
  });

  test('shows where users hear a call of any type, also after it is connected', async () => {
    const url = 'wss://voice.example.com/voice/listen/4711?secret=Zm9v';
    const expiresAt = new Date(Date.now() + 60_000);
    const { events } = await server.offer(async (call) => {
      expect(() => call.listenable('ftp://voice.example.com', expiresAt)).toThrow(TypeError);
      expect(() => call.listenable(url, new Date(Date.now() + 86_500_000))).toThrow('at most a day ahead');
      await call.connected();
      await call.listenable(url, expiresAt);
    });

    expect(events[1]).toMatchObject({
      type: 'call.joinable.v1',
      body: { listen: { url, expires_at: expiresAt.toISOString() } },
    });
  });

  test('shows the first twenty warnings of a handler, shortened', async () => {
    const { events } = await server.offer(async (call) => {
      for (let number = 0; number < 25; number++)
        await call.warn('voice_fallback', `${number} ${'x'.repeat(600)}`);
    });

    const warnings = events.filter(({ type }) => type === 'call.warning.v1');
    expect(warnings).toHaveLength(20);
    expect(warnings[0]?.body).toMatchObject({
      code: 'voice_fallback',
      occurred_at: expect.any(String) as string,
    });
    expect(warnings[0]?.body.text).toMatch(/^0 x{497}…$/);
  });

  describe('with tools', () => {
    const described = {
      description: 'Books.',
      parameters: {},
      mode: 'wait' as const,
      confirm: false,
      say: '',
    };
    const tools: OfferOptions['tools'] = {
      book_table: ({ day }: { day: string }) => ({ booking: `on ${day}` }),
      cancel: () => Promise.reject(new Error('There is no booking')),
      remind: ({ at }) => new Promise<void>(() => at),
    };

    async function use(use: (call: Call) => Promise<unknown>, options: OfferOptions = { tools }) {
      let used: unknown;
      await server.offer(async (call) => void (used = await use(call)), options);
      return used;
    }

    test('gives a handler what their functions return, as an answer of the server', async () => {
      expect(await use((call) => call.tool('book_table', { day: '2026-03-03' }))).toEqual({
        invocationId: expect.any(String) as string,
        state: 'done',
        result: { booking: 'on 2026-03-03' },
        error: null,
        code: null,
        repeated: false,
        variables: {},
      });
    });

    test.each<[string, string, OfferOptions, object]>([
      ['with the message that a function throws', 'cancel', { tools }, { error: 'There is no booking' }],
      ['that the test does not have', 'hang_up', { tools }, { code: 'TOOL_NOT_FOUND' }],
      ['of a test without any', 'book_table', {}, { code: 'TOOL_NOT_FOUND' }],
      [
        'that need the consent of the person',
        'cancel',
        { tools, start: { tools: [{ ...described, name: 'cancel', confirm: true }] } },
        { code: 'TOOL_NOT_CONFIRMED' },
      ],
    ])('refuses those %s', async (_, name, options, refusal) => {
      expect(await use((call) => call.tool(name), options)).toMatchObject({ state: 'refused', ...refusal });
    });

    test('has them in the message of the call, as the test describes them', async () => {
      const start = { tools: [{ ...described, name: 'book_table' }] };
      const names = await use(
        ({ start }) => Promise.resolve(start.tools?.map(({ name, description }) => [name, description])),
        { tools, start },
      );
      expect(names).toEqual([
        ['book_table', 'Books.'],
        ['cancel', 'cancel'],
        ['remind', 'remind'],
      ]);
    });

    test('runs those in the background while the handler goes on', async () => {
      const start = { tools: [{ ...described, name: 'book_table', mode: 'background' as const }] };
      const seen = await use(
        async (call) => {
          const asked = await call.tool('book_table', { day: '1' });
          return [asked.state, (await call.waitForTool(asked)).result];
        },
        { tools, start },
      );
      expect(seen).toEqual(['running', { booking: 'on 1' }]);
    });

    test('stops waiting for one when the signal of the handler is aborted', async () => {
      const seen = await use((call) => call.tool('remind', {}, { signal: call.signal }), {
        tools,
        hangUpAfterMs: 5,
      });
      expect(seen).toMatchObject({ state: 'running', result: null });
    });
  });

  const untilInterrupted: Handler = async (call) => {
    await call.connected();
    await new Promise((_, reject) =>
      call.signal.addEventListener('abort', () => reject(call.signal.reason as Error)),
    );
  };

  test.each<{ what: string; handler: Handler; options: object; end: object }>([
    {
      what: 'is cancelled by the system, unless the handler returns a reason',
      handler: untilInterrupted,
      options: { hangUpAfterMs: 5 },
      end: { type: 'call.ended.v1', reason: 'cancelled', by: 'system' },
    },
    {
      what: 'ends with the reason that the handler returns',
      handler: async (call) => {
        await call.connected();
        await new Promise((resolve) => call.signal.addEventListener('abort', resolve));
        return { reason: 'user_hangup' };
      },
      options: { hangUpAfterMs: 5 },
      end: { type: 'call.ended.v1', reason: 'user_hangup', by: 'user' },
    },
    {
      what: 'is cancelled before it is connected, too',
      handler: async (call) => {
        await new Promise((resolve) => call.signal.addEventListener('abort', resolve));
        throw new Error('The dialler was aborted');
      },
      options: { hangUpAfterMs: 5 },
      end: { type: 'call.failed.v1', reason: 'cancelled', by: 'system' },
    },
  ])('a call that is hung up $what', async ({ handler, options, end }) => {
    expect((await server.offer(handler, options)).end).toMatchObject(end);
  });

  test('offers a call that reaches the worker', async () => {
    const seen: unknown[] = [];
    const { end } = await server.offer(
      (call) => {
        seen.push(call.direction, call.start.from_number, call.start.dynamic_variables);
        throw new CallFailed('dial_failed');
      },
      { incoming: { from_number: '+15557778899', dynamic_variables: { a: 'b' } } },
    );

    expect(seen).toEqual(['inbound', '+15557778899', { a: 'b' }]);
    expect(end).toMatchObject({ type: 'call.failed.v1', reason: 'dial_failed' });
  });

  test.each<{ what: string; handler: Handler }>([
    { what: 'a speaker', handler: (call) => void call.turn({ speaker: 'caller' as 'user', text: '' }) },
    { what: 'a time', handler: (call) => void call.connected('now' as unknown as Date) },
    { what: 'a recording', handler: (call) => call.recorded({ url: 'ftp://a' }) },
    {
      what: 'a field of an analysis',
      handler: (call) => call.analyzed({ rating: NaN }),
    },
    { what: 'criteria that are a list', handler: (call) => call.analyzed({}, { criteria: [] as never }) },
    {
      what: 'more than 50 criteria',
      handler: (call) => call.analyzed({}, { criteria: answers(51, { pass: true }) }),
    },
    ...[
      ...[true, {}, { pass: 'yes' }, { pass: true, turns: ['3'] }, { pass: true, turns: [-1] }],
      ...[
        { pass: true, turns: Array.from({ length: 101 }, () => 1) },
        { pass: null, reason: null },
      ],
    ].map((answer) => ({
      what: `the answer ${JSON.stringify(answer).slice(0, 40)} to a criterion`,
      handler: (call: Call) => call.analyzed({}, { criteria: answers(1, answer as ReportedCriterion) }),
    })),
    { what: 'a wish of an analysis', handler: (call) => call.analyzed({}, { optOut: 1n as never }) },
    {
      what: 'a duration',
      handler: (call) => call.recorded({ url: 'https://a.example/1.wav', durationSec: 10n as never }),
    },
  ])('fails a handler with $what that is not valid', async ({ handler }) => {
    expect((await server.offer(handler)).end).toMatchObject({ type: 'call.failed.v1', reason: 'error' });
  });

  test.each<{ what: string; returned: object }>([
    { what: 'reason that is a function', returned: { reason: () => 1 } },
    { what: 'reason that is a bigint', returned: { reason: 10n } },
    { what: 'reason that is not known', returned: { reason: 'bored' } },
    { what: 'reason of 70,000 characters', returned: { reason: 'x'.repeat(70_000) } },
    { what: 'party with a function', returned: { by: { leave() {} } } },
    { what: 'party of 70,000 characters', returned: { by: 'x'.repeat(70_000) } },
    {
      what: 'reason that cannot be read',
      returned: {
        get reason() {
          throw new Error('Not ready');
        },
      },
    },
  ])('ends a call as an error, with one line in the log, for a $what', async ({ returned }) => {
    const log = collectingLogger();
    const { end, events } = await fakeServer({ logger: log }).offer(async (call) => {
      await call.connected();
      return returned;
    });

    expect(end).toMatchObject({ type: 'call.ended.v1', reason: 'error', by: 'system' });
    expect(events.at(-1)?.body).toMatchObject({ disconnect_reason: 'error', disconnected_by: 'system' });
    const errors = log.lines.filter((line) => line.startsWith('error'));
    expect(errors).toEqual([expect.stringMatching(/^error The handler of the call \S+ failed: /)]);
    expect(errors[0]?.length).toBeLessThan(2_000);
  });

  test.each<{ what: string; thrown: unknown }>([
    { what: 'an object without a prototype', thrown: Object.create(null) },
    { what: 'nothing', thrown: undefined },
    { what: 'an object that cannot be shown', thrown: unreadable },
    { what: 'a CallFailed with an unknown reason', thrown: new CallFailed('bored' as 'error') },
  ])('ends a call as an error for a handler that throws $what', async ({ thrown }) => {
    const log = collectingLogger();
    const { end } = await fakeServer({ logger: log }).offer(() => {
      throw thrown;
    });

    expect(end).toMatchObject({ type: 'call.failed.v1', reason: 'error', by: 'system' });
    expect(log.lines.filter((line) => line.startsWith('error'))).toHaveLength(1);
  });

  test.each<{ what: string; fail: () => unknown }>([
    {
      what: 'throws',
      fail: () => {
        throw new Error('The disk is full');
      },
    },
    { what: 'rejects', fail: () => Promise.reject(new Error('The disk is full')) },
  ])('survives a logger that $what', async ({ fail }) => {
    const logger = { debug: fail, info: fail, warn: fail, error: fail } as Logger;
    const { end } = await fakeServer({ logger }).offer(() => {
      throw new Error('The trunk is gone');
    });

    expect(end).toMatchObject({ type: 'call.failed.v1', reason: 'error' });
  });

  test('gives the analysis, with the turns that show the answers to criteria', async () => {
    const { analysis } = await server.offer(async (call) => {
      await call.connected();
      call.turn({ speaker: 'agent', text: 'May I record this call?' });
      const said = call.turn({ speaker: 'user', text: 'Yes.' });
      await call.analyzed({ rating: 3 });
      const consent = { pass: true, turns: [said ?? 0], reason: 'x'.repeat(3_000) };
      await call.analyzed({ rating: 4 }, { criteria: { consent, price: { pass: null } } });
    });

    expect(analysis).toEqual({
      fields: { rating: 4 },
      criteria: {
        consent: { pass: true, turns: [2], reason: `${'x'.repeat(1_999)}…` },
        price: { pass: null },
      },
    });
  });

  test('sends the answers to criteria in a message that is small enough, whatever they contain', async () => {
    const turns = Array.from({ length: 100 }, () => Number.MAX_SAFE_INTEGER);
    const criteria = answers(50, { pass: false, turns, reason: '\u0001'.repeat(2_000) });
    const { events } = await server.offer((call) => call.analyzed({}, { criteria }));

    const report = events.find(({ type }) => type === 'call.analyzed.v1')?.body as { criteria: object };
    expect(Object.keys(report.criteria)).toEqual(Object.keys(criteria));
    expect(Buffer.byteLength(JSON.stringify(report))).toBeLessThanOrEqual(65_536);
  });

  test('sends many turns in few messages, each small enough', async () => {
    const { events, turns } = await server.offer(async (call) => {
      await call.connected();
      for (let count = 0; count < 1_000; count++)
        call.turn({ speaker: 'user', text: '\u0001'.repeat(8_000) });
    });

    expect(turns.map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: 1_000 }, (_, index) => index + 1),
    );
    for (const { body } of events)
      expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThanOrEqual(65_536);
  });

  test('takes no more than 5,000 turns of a call, as the server does', async () => {
    const { events, turns } = await server.offer(async (call) => {
      await call.connected();
      for (let count = 0; count < 5_100; count++) call.turn({ speaker: 'user', text: 'Yes' });
    });

    expect(turns).toHaveLength(5_000);
    expect(events.length).toBeLessThan(100);
  });
});

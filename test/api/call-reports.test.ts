import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { MESSAGE_TYPES } from '../../src/platform/messaging/wire';
import { createAgent } from '../support/agents';
import { outcome } from '../support/answers';
import { AgentCalls } from '../support/calls';
import { findWrongMeasurements, measureCalls } from '../support/measurements';
import { type TestWorkspace, useOwnParley } from '../support/parley';
import { until } from '../support/until';
import { TakenCall, TestWorker, WORKER_ID } from '../support/worker';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into all of it
type Shown = any;

const AT = '2026-01-31T09:30:08.000Z';

const turn = (sequence: number, fields: object = {}) => ({
  sequence,
  speaker: 'agent',
  text: `Turn ${sequence}`,
  started_at: AT,
  ...fields,
});

describe('The transcript, the recording and the analysis of a call', () => {
  const parley = useOwnParley();
  let worker: TestWorker;
  let workspace: TestWorkspace;
  let calls: AgentCalls;

  beforeAll(async () => {
    worker = await TestWorker.start(parley);
  });
  afterAll(() => worker.stop());
  beforeEach(async () => {
    workspace = await parley.workspace();
    calls = new AgentCalls(workspace.api, await createAgent(workspace));
  });

  async function takenCall(): Promise<TakenCall> {
    const id = await calls.start();
    return (await worker.findOffer(id)).take();
  }

  const readTranscript = async ({ conversationId }: TakenCall): Promise<Shown> =>
    (await workspace.api.get(`/api/calls/${conversationId}/transcript`)).body.data;

  const read = async ({ conversationId }: TakenCall): Promise<Shown> =>
    (await workspace.api.get(`/api/calls/${conversationId}`)).body.data;

  /** Waits until the transcript has this many turns. */
  const withTurns = (call: TakenCall, count: number): Promise<Shown> =>
    until(async () => {
      const transcript = await readTranscript(call);
      return transcript.turns.length === count && transcript;
    });

  const endedBefore = (call: TakenCall, interval: string) =>
    parley.sql(`UPDATE conversations SET ended_at = now() - $2::interval WHERE id = $1`, [
      call.conversationId,
      interval,
    ]);

  test('has all turns of a message with a thousand, in any form that can be stored', async () => {
    const call = await takenCall();

    await call.transcript([
      turn(1, { text: 'a\0b', tool: null, ended_at: null }),
      ...Array.from({ length: 700 }, (_, index) => ({
        sequence: index + 2,
        speaker: 'user',
        text: '.',
        started_at: '2026-01-31T09:30:08Z',
      })),
    ]);

    const { turns, truncated } = await withTurns(call, 701);
    expect(turns[0]).toMatchObject({ text: 'a\uFFFDb', tool: null });
    expect(truncated).toBe(false);
  });

  test('gives two long transcripts at once, and a third when one was read', async () => {
    const call = await takenCall();
    await parley.sql('INSERT INTO call_transcripts (conversation_id, turns) VALUES ($1, 5000)', [
      call.conversationId,
    ]);
    await parley.sql(
      `INSERT INTO transcript_turns (conversation_id, sequence, speaker, text, started_at)
       SELECT $1, n, 'agent', repeat('x', 8000), now() FROM generate_series(1, 5000) AS n`,
      [call.conversationId],
    );
    const path = `/api/calls/${call.conversationId}/transcript`;
    const begin = async () => {
      const request = get(parley.url + path, { headers: { 'x-api-key': workspace.apiKey }, agent: false });
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      return response;
    };
    const readers = await Promise.all([begin(), begin()]);

    expect(await outcome(workspace.api.get(path))).toMatchObject({
      status: 503,
      body: { error_code: 'WORKSPACE_BUSY' },
    });

    readers[0].destroy();
    await until(async () => (await workspace.api.get(path)).status === 200);
    readers[1].destroy();
  });

  test('has the first twenty warnings of its runtime in its timeline, each once', async () => {
    const call = await takenCall();
    const warn = (number: number, fields: object = {}) =>
      call.report(MESSAGE_TYPES.warning, { code: 'voice_fallback', text: `Warning ${number}`, ...fields });
    const warnings = async (): Promise<Shown[]> => {
      const { body } = await workspace.api.get(`/api/calls/${call.conversationId}/timeline`);
      return body.data.filter(({ kind }: Shown) => kind === 'warning');
    };

    await warn(1, { occurred_at: AT, text: 'x'.repeat(600) });
    await warn(1, { occurred_at: AT, text: 'x'.repeat(600) });
    await warn(2, { token: randomUUID() });
    await warn(2, { occurred_at: 'now' });
    await call.ended();
    for (let number = 2; number <= 25; number++) await warn(number, { occurred_at: '2100-01-01T00:00:00Z' });
    await call.report(MESSAGE_TYPES.analyzed, { fields: {} });
    await until(async () => (await read(call)).analysis);

    const shown = await until(async () => {
      const found = await warnings();
      return found.length >= 20 && found;
    });
    expect(shown).toHaveLength(20);
    expect(shown[0]).toMatchObject({
      source: 'runtime',
      text: `${'x'.repeat(499)}…`,
      data: { code: 'voice_fallback', worker_id: WORKER_ID },
    });
    expect(new Set(shown.slice(1).map(({ text }) => text))).toEqual(
      new Set(Array.from({ length: 19 }, (_, index) => `Warning ${index + 2}`)),
    );
    const { accepted_at } = (
      await parley.sql<{ accepted_at: Date }>('SELECT accepted_at FROM conversations WHERE id = $1', [
        call.conversationId,
      ])
    )[0] as { accepted_at: Date };
    for (const { at } of shown) {
      expect(new Date(at as string).getTime()).toBeGreaterThanOrEqual(accepted_at.getTime());
      expect(new Date(at as string).getTime()).toBeLessThan(Date.now() + 60_000);
    }
    expect((await read(call)).ended_at).not.toBeNull();
  });

  test('has no transcript at first', async () => {
    expect(await readTranscript(await takenCall())).toEqual({ turns: [], complete: false, truncated: false });
  });

  test('has the turns in their order, whichever way they arrive', async () => {
    const call = await takenCall();
    const tool = { name: 'find_slot', arguments: { day: 'Tuesday' }, result: [1, null, 'ä'] };

    await call.transcript([turn(3, { speaker: 'tool', tool }), turn(2, { speaker: 'user' })]);
    await withTurns(call, 2);
    await call.transcript([turn(1, { ended_at: '2026-01-31T10:30:10+01:00' }), turn(2, { text: 'Again' })]);

    expect(await withTurns(call, 3)).toEqual({
      turns: [
        {
          sequence: 1,
          speaker: 'agent',
          text: 'Turn 1',
          started_at: AT,
          ended_at: '2026-01-31T09:30:10.000Z',
          latency_ms: null,
          tool: null,
        },
        {
          sequence: 2,
          speaker: 'user',
          text: 'Turn 2',
          started_at: AT,
          ended_at: null,
          latency_ms: null,
          tool: null,
        },
        {
          sequence: 3,
          speaker: 'tool',
          text: 'Turn 3',
          started_at: AT,
          ended_at: null,
          latency_ms: null,
          tool,
        },
      ],
      complete: false,
      truncated: false,
    });
  });

  test('is complete when it has as many turns as the end has counted', async () => {
    const call = await takenCall();
    await call.transcript([turn(1)]);
    await call.ended({ transcript_turns: 2 });
    await calls.reached(call.conversationId, 'disconnected');
    expect(await withTurns(call, 1)).toMatchObject({ complete: false });

    await call.transcript([turn(2)]);

    expect(await withTurns(call, 2)).toMatchObject({ complete: true });
  });

  test('has the latency of each answer, and adds it and the usage to the sums, also from late reports', async () => {
    const at = (seconds: number) => new Date(Date.parse(AT) + seconds * 1_000).toISOString();
    const person = (sequence: number, until: number | null) =>
      turn(sequence, { speaker: 'user', ended_at: until === null ? null : at(until) });
    const answer = (sequence: number, from: number) => turn(sequence, { started_at: at(from) });
    const measured = (turns: number): Promise<Shown> =>
      until(async () => {
        // The server measures too, and either may be the first.
        await measureCalls(parley);
        const { totals } = (await workspace.api.get('/api/reports/calls/measurements')).body.data;
        return totals.latency.turns === turns && totals;
      });
    const call = await takenCall();
    await call.transcript([turn(0), person(1, 2), answer(2, 3), person(3, null), answer(4, 6)]);
    await withTurns(call, 5);
    await call.ended();
    await calls.reached(call.conversationId, 'disconnected');

    const first = await measured(1);
    expect(first.latency.p50_ms).toBeGreaterThan(900);
    expect(first.latency.p50_ms).toBeLessThan(1_100);
    expect(first.usage).toEqual([]);

    await call.report(MESSAGE_TYPES.analyzed, { fields: { llm_tokens: 120, llm_provider: 'openai' } });
    await call.transcript([person(5, 8), answer(6, 10)]);
    const { turns } = await withTurns(call, 7);
    expect(turns.map(({ latency_ms }: Shown) => latency_ms)).toEqual([
      ...[null, null, 1_000, null, null, null, 2_000],
    ]);
    await until(async () => (await measured(2)).usage.length === 1);
    // A repeated report counts once.
    await call.report(MESSAGE_TYPES.analyzed, { fields: { llm_tokens: 150, llm_provider: 'openai' } });
    await call.transcript([person(5, 8), answer(6, 10)]);
    await until(async () => (await read(call)).analysis?.llm_tokens === 150);
    expect((await measured(2)).usage).toEqual([{ kind: 'llm_tokens', provider: 'openai', amount: 150 }]);
    expect(await findWrongMeasurements(parley, workspace.workspaceId)).toEqual([]);
  });

  test('is cut if a text or a value of a tool is too long, and shows that', async () => {
    const call = await takenCall();

    await call.transcript([
      turn(1, { text: 'x'.repeat(8_001) }),
      turn(2, { speaker: 'tool', tool: { name: 'read', result: { page: 'y'.repeat(9_000) } } }),
    ]);

    const { turns, truncated } = await withTurns(call, 2);
    expect(truncated).toBe(true);
    expect(turns[0].text).toBe(`${'x'.repeat(7_999)}…`);
    expect(turns[1].tool.result).toMatch(/^{"page":"y+…$/);
    expect(turns[1].tool.result).toHaveLength(8_000);
  });

  test('has 5,000 turns at most', async () => {
    const call = await takenCall();
    await parley.sql('INSERT INTO call_transcripts (conversation_id, turns) VALUES ($1, 4998)', [
      call.conversationId,
    ]);
    await parley.sql(
      `INSERT INTO transcript_turns (conversation_id, sequence, speaker, text, started_at)
       SELECT $1, number, 'user', '', now() FROM generate_series(1, 4998) AS number`,
      [call.conversationId],
    );

    await call.transcript([turn(4998), turn(9000), turn(9002), turn(9001)]);

    const transcript = await until(async () => {
      const found = await readTranscript(call);
      return found.truncated && found;
    });
    expect(transcript.turns).toHaveLength(5_000);
    expect(transcript.turns.slice(-2).map(({ sequence }: Shown) => sequence)).toEqual([9000, 9001]);
  });

  test('counts the digits of large numbers, which Postgres writes out', async () => {
    const call = await takenCall();
    const numbers = Array.from({ length: 100 }, () => 1e308);

    await call.transcript([
      turn(1, { speaker: 'tool', tool: { name: 'measure', arguments: [1e308], result: numbers } }),
    ]);

    const { turns, truncated } = await withTurns(call, 1);
    expect(truncated).toBe(true);
    expect(turns[0].tool).toEqual({
      name: 'measure',
      arguments: [1e308],
      result: JSON.stringify(numbers),
    });
  });

  test('has 8,000,000 bytes at most, of which later turns take what is left', async () => {
    const call = await takenCall();
    const { conversationId } = call;
    // A control character has six bytes in JSON.
    const large = (sequence: number) => turn(sequence, { text: '\u0001'.repeat(8_000) });
    const readSize = async () => {
      const [found] = await parley.sql<{ bytes: number; stored: number }>(
        `SELECT bytes, (SELECT sum(octet_length(to_jsonb(text)::text))::int FROM transcript_turns
                        WHERE conversation_id = $1) AS stored
         FROM call_transcripts WHERE conversation_id = $1`,
        [conversationId],
      );
      return found;
    };

    await call.transcript([large(1)]);
    await withTurns(call, 1);
    const { bytes = 0, stored = 0 } = (await readSize()) ?? {};
    expect(stored).toBe(48_002);
    expect(bytes).toBeGreaterThanOrEqual(stored);
    await parley.sql('UPDATE call_transcripts SET bytes = 8000000 - 60000 WHERE conversation_id = $1', [
      conversationId,
    ]);
    await call.transcript([large(2)]);
    await withTurns(call, 2);
    await call.transcript([large(3)]);
    const full = await until(async () => {
      const found = await readTranscript(call);
      return found.truncated && found;
    });
    await call.transcript([turn(4)]);

    expect(full.turns).toHaveLength(2);
    const { turns } = await withTurns(call, 3);
    expect(turns.map(({ sequence }: Shown) => sequence)).toEqual([1, 2, 4]);
  });

  test('takes turns for a day after the end, and nothing with a wrong token', async () => {
    const [early, late, other] = [await takenCall(), await takenCall(), await takenCall()];
    for (const call of [early, late]) {
      await call.ended();
      await calls.reached(call.conversationId, 'disconnected');
    }
    await endedBefore(early, '23 hours');
    await endedBefore(late, '25 hours');

    await late.transcript([turn(1)]);
    await new TakenCall(parley, other.conversationId, randomUUID()).transcript([turn(1)]);
    await early.transcript([turn(1)]);

    await withTurns(early, 1);
    expect((await readTranscript(late)).turns).toEqual([]);
    expect((await readTranscript(other)).turns).toEqual([]);
  });

  test('has an analysis of 50 fields at most', async () => {
    const call = await takenCall();
    const createFields = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`field ${index}`, index]));
    const deadEvents = async () => (await workspace.api.get('/api/runtimes')).body.data.dead.events as number;
    const before = await deadEvents();

    await call.report(MESSAGE_TYPES.analyzed, { fields: createFields(51) });
    await until(async () => (await deadEvents()) === before + 1);
    expect((await read(call)).analysis).toBeNull();
    await call.report(MESSAGE_TYPES.analyzed, { fields: createFields(50) });

    expect(await until(async () => (await read(call)).analysis)).toEqual(createFields(50));
  });

  test('has the latest recording and analysis, for a week after the end', async () => {
    const call = await takenCall();
    await call.ended();
    await calls.reached(call.conversationId, 'disconnected');
    await endedBefore(call, '6 days');

    await call.report(MESSAGE_TYPES.recorded, { recording_url: 'https://a.example/1.wav' });
    await call.report(MESSAGE_TYPES.recorded, {
      recording_url: 'https://a.example/2.wav',
      duration_sec: 12.5,
    });
    await call.report(MESSAGE_TYPES.analyzed, {
      fields: { satisfied: true, rating: 4.5, note: 'ü', none: null },
    });

    const shown = await until(async () => {
      const found = await read(call);
      return found.recording_url === 'https://a.example/2.wav' && found.analysis && found;
    });
    expect(shown).toMatchObject({
      has_recording: true,
      analysis: { satisfied: true, rating: 4.5, note: 'ü', none: null },
    });
    const { body } = await workspace.api.get(`/api/calls/${call.conversationId}/timeline`);
    const kinds = body.data.map(({ kind }: Shown) => kind as string);
    expect(kinds).toEqual(expect.arrayContaining(['recorded', 'analyzed']));

    await endedBefore(call, '8 days');
    await call.report(MESSAGE_TYPES.recorded, { recording_url: 'https://a.example/3.wav' });
    await call.report(MESSAGE_TYPES.analyzed, { fields: {} });
    const other = await takenCall();
    await other.report(MESSAGE_TYPES.recorded, { recording_url: 'https://a.example/other.wav' });
    await other.report(MESSAGE_TYPES.analyzed, { fields: { seen: true } });
    await until(async () => {
      const found = await read(other);
      return found.recording_url && found.analysis;
    });
    expect(await read(call)).toMatchObject({
      recording_url: 'https://a.example/2.wav',
      analysis: { rating: 4.5 },
    });
  });
});

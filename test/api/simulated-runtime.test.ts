import { randomUUID } from 'node:crypto';
import { loadRuntimeConfig } from '../../src/config';
import type { IncomingDelivery } from '../../src/platform/messaging/message-broker';
import { MESSAGE_TYPES } from '../../src/platform/messaging/wire';
import { start as startRuntimeProcess } from '../../src/tools/simulated-runtime/main';
import { createAgent, readAgent } from '../support/agents';
import { AgentCalls } from '../support/calls';
import { readLedger } from '../support/ledger';
import { type TestParley, type TestWorkspace, useOwnParley } from '../support/parley';
import { useSimulatedRuntimes } from '../support/simulated-runtimes';
import { until } from '../support/until';
import { WireTap } from '../support/wire-tap';
import { TestWorker } from '../support/worker';

const callTo = (lastDigits: string, fields: object = {}) => ({
  to_number: `+155512345${lastDigits}`,
  ...fields,
});

let lastNumber = 6_000_000;

/** Waits until a runtime has claimed the call. */
const taken = (calls: AgentCalls, id: string) =>
  until(async () => ((await calls.conversation(id)) as { status: string }).status !== 'queued');

/** A workspace with ten credits and an agent that greets. */
async function newAgent(parley: TestParley, fields: object = {}) {
  const workspace = await parley.workspace({ credits: 10 });
  const agentId = await createAgent(workspace, { greeting: 'Good day, {{customer}}!', ...fields });
  return { workspace, agentId, calls: new AgentCalls(workspace.api, agentId) };
}

describe('The simulated runtime', () => {
  const parley = useOwnParley();
  const startRuntime = useSimulatedRuntimes(parley);
  const variables = { customer: 'Ada', delivery_day: 'Tuesday' };

  describe('plays the scenario of the last two digits of the number:', () => {
    beforeEach(() => startRuntime());

    test.each([
      {
        what: 'any other number is a complete conversation',
        request: callTo('67', { dynamic_variables: variables, customer_name: 'Ada Lovelace' }),
        ends: { disconnect_reason: 'agent_hangup', disconnected_by: 'agent' },
        metadata: {
          summary:
            'The agent opened with “Good day, Ada!” The agent confirmed customer: Ada; delivery day: Tuesday. ' +
            'The agent said goodbye and hung up. Outcome: completed.',
          process_compliance: 'compliant (greeting, confirmation, goodbye)',
          outcome: 'completed',
        },
      },
      {
        what: 'a web call without a number too',
        request: { to_number: undefined, call_type: 'webcall', greeting: 'Welcome.' },
        ends: { disconnect_reason: 'agent_hangup', disconnected_by: 'agent' },
        metadata: {
          summary: 'The agent opened with “Welcome.” The agent said goodbye and hung up. Outcome: completed.',
          process_compliance: 'compliant (greeting, goodbye)',
          outcome: 'completed',
        },
      },
      {
        what: '03 is a voicemail',
        request: callTo('03', { dynamic_variables: variables }),
        ends: { disconnect_reason: 'voicemail_reached', disconnected_by: 'agent' },
        metadata: {
          summary: 'A voicemail answered, so the agent did not say “Good day, Ada!” Outcome: voicemail.',
          process_compliance: 'compliant',
          outcome: 'voicemail',
        },
      },
      {
        what: '03 is a voicemail, which an agent that may leaves its message on',
        agent: { voicemailConfig: { isEnabled: true, message: 'Please call back.' } },
        request: callTo('03', { dynamic_variables: variables }),
        ends: { disconnect_reason: 'voicemail_reached', disconnected_by: 'agent' },
        metadata: {
          summary:
            'A voicemail answered, so the agent did not say “Good day, Ada!” ' +
            'The agent left “Please call back.” Outcome: voicemail.',
          process_compliance: 'compliant (voicemail message)',
          outcome: 'voicemail',
        },
      },
      {
        what: '04 is a user who hangs up',
        request: callTo('04', { dynamic_variables: variables }),
        ends: { disconnect_reason: 'user_hangup', disconnected_by: 'user' },
        metadata: {
          summary:
            'The agent opened with “Good day, Ada!” The user had no time and hung up. Outcome: user_hung_up.',
          process_compliance: 'incomplete, without goodbye',
          outcome: 'user_hung_up',
        },
      },
    ])('$what', async ({ agent, request, ends, metadata }) => {
      const { workspace, agentId, calls } = await newAgent(parley, agent);

      const id = await calls.start(request);

      expect(await calls.reached(id, 'disconnected')).toMatchObject({ ...ends, metadata });
      expect(await readLedger(parley, workspace.workspaceId)).toEqual({
        credits: 9,
        entries: ['hold -1', 'release 1', 'charge -1'],
      });
      const { stats } = (await readAgent(workspace, agentId)) as { stats: object };
      expect(stats).toMatchObject({ totalCalls: 1, successRate: 1 });
    });

    test.each([
      { what: '01 is busy', digits: '01', reason: 'dial_busy' },
      { what: '02 does not answer', digits: '02', reason: 'dial_no_answer' },
    ])('$what', async ({ digits, reason }) => {
      const { workspace, agentId, calls } = await newAgent(parley);

      const id = await calls.start(callTo(digits));

      expect(await calls.reached(id, 'failed')).toMatchObject({
        disconnect_reason: reason,
        disconnected_by: 'system',
        connected_at: null,
        metadata: { summary: '', process_compliance: '', outcome: '' },
      });
      expect(await readLedger(parley, workspace.workspaceId)).toEqual({
        credits: 10,
        entries: ['hold -1', 'release 1'],
      });
      const { stats } = (await readAgent(workspace, agentId)) as { stats: object };
      expect(stats).toMatchObject({ totalCalls: 1, successRate: 0 });
    });

    test('a greeting with very long variables results in a summary of valid length', async () => {
      const { calls } = await newAgent(parley);

      const id = await calls.start({
        greeting: '{{a}}'.repeat(400),
        dynamic_variables: { a: '😀'.repeat(2_000) },
      });

      const { metadata } = (await calls.reached(id, 'disconnected')) as { metadata: { summary: string } };
      expect(metadata.summary).toMatch(
        /^The agent opened with “(😀){249}…”\. The agent confirmed a: (😀){99}…\. The agent said/u,
      );
    });

    test('a hundred and fifty calls at once all end', async () => {
      const workspace = await parley.workspace({ credits: 150 });
      const agentId = await createAgent(workspace);
      const calls = new AgentCalls(workspace.api, agentId);

      await Promise.all(Array.from({ length: 150 }, () => calls.start()));

      const stats = await until(async () => {
        const agent = (await readAgent(workspace, agentId)) as { stats: { totalCalls: number } };
        return agent.stats.totalCalls === 150 && agent.stats;
      }, 20_000);
      expect(stats).toMatchObject({ successRate: 1 });
      expect((await readLedger(parley, workspace.workspaceId)).credits).toBe(0);
    });
  });

  describe('reports a transcript, a recording and an analysis:', () => {
    beforeEach(() => startRuntime());

    // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into all of it
    const read = async ({ api }: TestWorkspace, path: string): Promise<any> =>
      (await api.get(`/api/calls/${path}`)).body.data;

    test('the lines of both sides while they are spoken, complete at its end', async () => {
      const { workspace, calls } = await newAgent(parley);
      const id = await calls.start({ customer_name: 'Ada', dynamic_variables: variables });

      const during = await until(async () => {
        const transcript = await read(workspace, `${id}/transcript`);
        return transcript.turns.length > 0 && transcript;
      });
      expect(during).toMatchObject({ truncated: false });
      await calls.reached(id, 'disconnected');
      const { turns, complete } = await until(async () => {
        const transcript = await read(workspace, `${id}/transcript`);
        return transcript.complete && transcript;
      });

      expect(complete).toBe(true);
      expect(turns.map(({ speaker, text }: Record<string, string>) => `${speaker}: ${text}`)).toEqual([
        'agent: Good day, Ada!',
        'user: Hello, this is Ada.',
        'agent: Let me check what I have: customer: Ada; delivery day: Tuesday. Is that right?',
        'user: Yes, that is right.',
        'agent: Thank you, Ada. Goodbye!',
      ]);
      expect(turns.map(({ sequence }: { sequence: number }) => sequence)).toEqual([1, 2, 3, 4, 5]);
    });

    test('a recording that a browser can play, and an analysis', async () => {
      const { workspace, calls } = await newAgent(parley);
      const id = await calls.start(callTo('07'));

      const call = await until(async () => {
        const found = await read(workspace, id);
        return found.recording_url && found.analysis && found;
      });

      expect(call.analysis).toEqual({ outcome: 'user_hung_up', lines: 2, all_duties_done: false });
      const whole = await fetch(call.recording_url as string);
      expect([whole.status, whole.headers.get('content-type')]).toEqual([200, 'audio/wav']);
      const wav = Buffer.from(await whole.arrayBuffer());
      expect(wav.toString('latin1', 0, 4)).toBe('RIFF');
      const part = await fetch(call.recording_url as string, { headers: { range: 'bytes=40-99' } });
      expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 40-99/${wav.length}`]);
      expect(Buffer.from(await part.arrayBuffer())).toEqual(wav.subarray(40, 100));
      const beyond = await fetch(call.recording_url as string, { headers: { range: 'bytes=999999-' } });
      expect(beyond.status).toBe(416);
      const timeline = await read(workspace, `${id}/timeline`);
      expect(timeline.map(({ text }: { text: string }) => text)).toContainEqual(
        expect.stringContaining('The person asked not to be called again.'),
      );
    });

    test('texts that are too long for the contract with their beginning', async () => {
      const { workspace, calls } = await newAgent(parley);
      const id = await calls.start({
        greeting: '{{a}}'.repeat(400),
        dynamic_variables: { a: '\u0001'.repeat(4_000) },
      });

      const { turns } = await until(async () => {
        const transcript = await read(workspace, `${id}/transcript`);
        return transcript.complete && transcript;
      });

      expect(turns[0].text).toBe(`${'\u0001'.repeat(7_999)}…`);
    });
  });

  describe('takes calls that reach it:', () => {
    async function withNumber(fields: object = {}) {
      const found = await newAgent(parley, fields);
      const number = `+1555${(lastNumber += 1)}`;
      await found.workspace.api.put(`/api/agents/${found.agentId}/phone-number`, { phone_number: number });
      const incoming = () =>
        until(async () => {
          const { body } = await found.workspace.api.get('/api/calls?direction=inbound&status=disconnected');
          return (body.data as { call_id: string; from_number: string }[])[0];
        });
      return { ...found, number, incoming };
    }

    test('a caller speaks with the agent of the number', async () => {
      const { number, calls, incoming } = await withNumber();
      const runtime = await startRuntime();

      const refusal = await runtime.receive({ to_number: number, from_number: '+15557778899' });

      expect(refusal).toBeUndefined();
      const { call_id, from_number } = await incoming();
      expect(from_number).toBe('+15557778899');
      expect(await calls.reached(call_id, 'disconnected')).toMatchObject({
        disconnect_reason: 'agent_hangup',
        metadata: { outcome: 'completed' },
      });
    });

    test('a caller is refused with the reason', async () => {
      const { number } = await withNumber({ status: false });
      const runtime = await startRuntime();

      expect(await runtime.receive({ to_number: number, from_number: '' })).toBe('agent_off');
    });

    test('06 calls back the number that it was called from', async () => {
      const { number, calls, incoming } = await withNumber();
      await startRuntime();

      const id = await calls.start(callTo('06'));

      expect(await calls.reached(id, 'disconnected')).toMatchObject({ disconnect_reason: 'user_hangup' });
      expect(await incoming()).toMatchObject({ to_number: number, from_number: callTo('06').to_number });
    });

    test('a stop interrupts such a call, and reports it', async () => {
      const { number, workspace } = await withNumber();
      const runtime = await startRuntime({ pace: 1_000, graceMs: 50 });
      const received = runtime.receive({ to_number: number, from_number: '' });
      const connected = async () =>
        (await workspace.api.get('/api/calls?status=connected')).body.data as object[];
      await until(async () => (await connected()).length === 1);

      await runtime.stop();
      await received;

      const ended = await until(async () => {
        const { body } = await workspace.api.get('/api/calls?status=disconnected');
        return (body.data as object[])[0];
      });
      expect(ended).toMatchObject({ disconnect_reason: 'error', disconnected_by: 'system' });
    });
  });

  test('says hello, with its capacity', async () => {
    const { workspace } = await newAgent(parley);
    const workerId = `runtime ${randomUUID()}`;
    await startRuntime({ workerId });

    const worker = await until(async () => {
      const { body } = await workspace.api.get('/api/runtimes');
      return (body.data.workers as { worker_id: string }[]).find(({ worker_id }) => worker_id === workerId);
    });

    expect(worker).toMatchObject({ name: 'Simulated runtime', capacity: 2_000, calls: 0 });
  });

  describe('when a message comes more than once', () => {
    let tap: WireTap;

    beforeAll(async () => {
      tap = await WireTap.on(parley, [{ exchange: parley.topology.events, routingKey: 'call.#' }]);
    });
    afterAll(() => tap.close());

    test('dials once', async () => {
      const { calls } = await newAgent(parley);
      const holder = await TestWorker.start(parley);
      const id = await calls.start();
      const { start } = await holder.findOffer(id);
      await holder.stop();
      for (let copy = 0; copy < 3; copy++) {
        await parley.broker.publish({
          exchange: '',
          routingKey: parley.topology.callsQueue,
          type: MESSAGE_TYPES.callStart,
          messageId: id,
          body: start,
        });
      }

      const runtime = await startRuntime();
      await calls.reached(id, 'disconnected');
      await runtime.stop();

      const after = await TestWorker.start(parley);
      await after.findOffer(await calls.start());
      expect(after.findOffers(id)).toEqual([]);
      const { connected, ended } = MESSAGE_TYPES;
      const states = tap.of(id).filter(({ type }) => [connected, ended].includes(type as typeof connected));
      expect(states.map(({ type }) => type)).toEqual([connected, ended]);
      await after.stop();
    });
  });

  describe('when it stops', () => {
    test('lets the active calls end, and accepts no others', async () => {
      const { calls } = await newAgent(parley);
      const runtime = await startRuntime({ pace: 100 });
      const id = await calls.start();
      await taken(calls, id);

      await runtime.stop();

      expect(await calls.reached(id, 'disconnected')).toMatchObject({ metadata: { outcome: 'completed' } });
      const other = await TestWorker.start(parley);
      await other.findOffer(await calls.start());
      await other.stop();
    });

    test('interrupts a call that takes too long, and reports it', async () => {
      const { calls } = await newAgent(parley);
      const runtime = await startRuntime({ pace: 1_000, graceMs: 50 });
      const id = await calls.start({ greeting: 'Hello!' });
      await calls.reached(id, 'connected');

      await runtime.stop();

      expect(await calls.reached(id, 'disconnected')).toMatchObject({
        disconnect_reason: 'error',
        disconnected_by: 'system',
        metadata: {
          summary: expect.stringMatching(/The runtime was stopped\. Outcome: interrupted\.$/) as string,
          process_compliance: expect.stringMatching(/^incomplete, without /) as string,
          outcome: 'interrupted',
        },
      });
    });

    test('interrupts a call that rings too long, and reports it', async () => {
      const { calls } = await newAgent(parley);
      const runtime = await startRuntime({ pace: 60_000, graceMs: 50 });
      const id = await calls.start();
      await calls.reached(id, 'accepted');

      await runtime.stop();

      expect(await calls.reached(id, 'failed')).toMatchObject({
        disconnect_reason: 'error',
        disconnected_by: 'system',
      });
    });
  });

  test('rejects a message of an unknown type', async () => {
    const { broker, topology } = parley;
    const dead: string[] = [];
    const coroner = await broker.consume({ queue: topology.deadCallsQueue, prefetch: 10 }, (delivery) => {
      dead.push(delivery.message.type);
      delivery.ack();
    });
    await startRuntime();

    await broker.publish({
      exchange: topology.calls,
      routingKey: 'call.start.voice.any',
      type: 'call.start.v2',
      messageId: randomUUID(),
      body: {},
    });

    await until(() => dead.includes('call.start.v2'));
    await coroner.cancel();
  });
});

describe('The simulated runtime, when the server does not answer its claims,', () => {
  const parley = useOwnParley({ ROLES: 'http' });
  const startRuntime = useSimulatedRuntimes(parley);

  test('repeats the same claim, and requeues the call when it stops', async () => {
    const claims: IncomingDelivery[] = [];
    const { topology, broker } = parley;
    const silence = await broker.consume({ queue: topology.claimsQueue, prefetch: 10 }, (delivery) => {
      claims.push(delivery);
      delivery.ack();
    });
    const { calls } = await newAgent(parley);
    const runtime = await startRuntime({ claimTimeoutMs: 200, graceMs: 50 });

    const id = await calls.start();
    await until(() => claims.length === 2);
    await runtime.stop();

    const [first, second] = claims.map(({ message }) => message.body);
    expect(first).toEqual({
      conversation_id: id,
      claim_id: expect.any(String) as string,
      worker_id: 'test runtime',
    });
    expect(second).toEqual(first);
    const other = await TestWorker.start(parley);
    await other.findOffer(id);
    await other.stop();
    await silence.cancel();
  });

  test('drops a call whose claim is refused', async () => {
    const { topology, broker } = parley;
    const refusals: string[] = [];
    const server = await broker.consume({ queue: topology.claimsQueue, prefetch: 10 }, async (delivery) => {
      const { replyTo = '', correlationId, body } = delivery.message;
      const { conversation_id } = body as { conversation_id: string };
      await broker.publish({
        exchange: '',
        routingKey: replyTo,
        correlationId,
        type: MESSAGE_TYPES.claimRefused,
        messageId: randomUUID(),
        body: { conversation_id, reason: 'It was cancelled.' },
      });
      refusals.push(conversation_id);
      delivery.ack();
    });
    const { calls } = await newAgent(parley);
    const runtime = await startRuntime();

    const id = await calls.start();
    await until(() => refusals.includes(id));
    await runtime.stop();

    const other = await TestWorker.start(parley);
    await other.findOffer(await calls.start());
    expect(other.findOffers(id)).toEqual([]);
    await other.stop();
    await server.cancel();
  });
});

describe('A server with the role of a runtime', () => {
  const parley = useOwnParley({ ROLES: 'http,background,runtime' });

  test('accepts its own calls', async () => {
    const { calls } = await newAgent(parley);

    const id = await calls.start(callTo('02'));

    expect(await calls.reached(id, 'failed')).toMatchObject({ disconnect_reason: 'dial_no_answer' });
  });
});

describe('The simulated runtime in its own process', () => {
  test('says in one sentence that it needs a broker', async () => {
    await expect(async () => startRuntimeProcess(loadRuntimeConfig({}))).rejects.toThrow(
      'RABBITMQ_URL is not set: a runtime needs the broker of the server.',
    );
  });
});

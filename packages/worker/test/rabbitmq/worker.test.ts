import { CallFailed, type Handler, IncomingRefused } from '@parley/worker';
import { createAgent } from '../../../../test/support/agents';
import { contractErrors } from '../../../../test/support/asyncapi';
import { AgentCalls } from '../../../../test/support/calls';
import { useOwnParley } from '../../../../test/support/parley';
import { until } from '../../../../test/support/until';
import { WireTap } from '../../../../test/support/wire-tap';
import { useWorkers } from '../support/workers';

describe('A worker on a real server', () => {
  const parley = useOwnParley();
  const startWorker = useWorkers(parley);
  let tap: WireTap;

  beforeAll(async () => {
    tap = await WireTap.on(parley, [{ exchange: parley.topology.events, routingKey: '#' }]);
  });
  afterAll(() => tap.close());

  async function newAgent() {
    const workspace = await parley.workspace({ credits: 50 });
    const agentId = await createAgent(workspace, { name: 'Front desk', greeting: 'Good day, {{customer}}!' });
    return { workspace, agentId, calls: new AgentCalls(workspace.api, agentId) };
  }

  const connect: Handler = (call) => call.connected();

  describe('ends a call', () => {
    test.each<{ what: string; handler: Handler; status: string; ends: object }>([
      {
        what: 'as the handler returns it',
        handler: async (call) => {
          await call.connected();
          return { reason: 'voicemail_reached', by: 'agent', summary: 'A voicemail.', outcome: 'voicemail' };
        },
        status: 'disconnected',
        ends: {
          disconnect_reason: 'voicemail_reached',
          disconnected_by: 'agent',
          metadata: { summary: 'A voicemail.', process_compliance: '', outcome: 'voicemail' },
        },
      },
      {
        what: 'as hung up by the agent, if a handler that was connected returns nothing',
        handler: connect,
        status: 'disconnected',
        ends: { disconnect_reason: 'agent_hangup', disconnected_by: 'agent' },
      },
      {
        what: 'as failed, if a handler that was not connected returns a reason',
        handler: () => ({ reason: 'dial_no_answer' }),
        status: 'failed',
        ends: { disconnect_reason: 'dial_no_answer', disconnected_by: 'system' },
      },
      {
        what: 'as an error, if a handler that was not connected returns nothing',
        handler: () => undefined,
        status: 'failed',
        ends: { disconnect_reason: 'error', disconnected_by: 'system' },
      },
      {
        what: 'as failed, if the handler throws CallFailed',
        handler: () => {
          throw new CallFailed('dial_busy');
        },
        status: 'failed',
        ends: { disconnect_reason: 'dial_busy', disconnected_by: 'system' },
      },
      {
        what: 'as an error, if the handler throws CallFailed after it was connected',
        handler: async (call) => {
          await call.connected();
          throw new CallFailed('dial_busy');
        },
        status: 'disconnected',
        ends: { disconnect_reason: 'error', disconnected_by: 'system' },
      },
      {
        what: 'as an error, if the handler throws anything else',
        handler: () => {
          throw new Error('The trunk is gone');
        },
        status: 'failed',
        ends: { disconnect_reason: 'error', disconnected_by: 'system' },
      },
    ])('$what', async ({ handler, status, ends }) => {
      await startWorker(handler);
      const { calls } = await newAgent();

      const id = await calls.start();

      expect(await calls.reached(id, status as 'failed')).toMatchObject(ends);
    });
  });

  test('reports a conversation, its recording and its analysis, as the contract says', async () => {
    await startWorker(async (call) => {
      await call.connected();
      call.turn({ speaker: 'agent', text: call.start.greeting });
      call.turn({
        speaker: 'tool',
        text: '',
        tool: { name: 'find_slot', arguments: { day: 'Tuesday' }, result: [1] },
      });
      call.turn({ speaker: 'user', text: 'x'.repeat(9_000), startedAt: new Date(), endedAt: new Date() });
      await call.recorded({ url: 'https://recordings.example.com/1.wav', durationSec: 3 });
      await call.analyzed({ satisfied: true, rating: 4, next: 'y'.repeat(3_000) }, { optOut: true });
      return { summary: 's'.repeat(30_000), outcome: 'completed', processCompliance: 'compliant' };
    });
    const { workspace, calls } = await newAgent();
    const id = await calls.start({ dynamic_variables: { customer: 'Ada' } });

    await calls.reached(id, 'disconnected');
    const read = async (path: string) => (await workspace.api.get(`/api/calls/${id}${path}`)).body.data;
    const transcript = await until(async () => {
      const found = await read('/transcript');
      return found.complete && found;
    });
    const call = await until(async () => {
      const found = await read('');
      return found.analysis && found.recording_url && found;
    });

    expect(transcript.turns).toMatchObject([
      { sequence: 1, speaker: 'agent', text: 'Good day, Ada!' },
      {
        sequence: 2,
        speaker: 'tool',
        tool: { name: 'find_slot', arguments: { day: 'Tuesday' }, result: [1] },
      },
      { sequence: 3, speaker: 'user', text: `${'x'.repeat(7_999)}…` },
    ]);
    expect(call).toMatchObject({ recording_url: 'https://recordings.example.com/1.wav' });
    expect(call.analysis).toEqual({ satisfied: true, rating: 4, next: `${'y'.repeat(1_999)}…` });
    const types = tap
      .of(id)
      .map(({ type }) => type)
      .filter((type) => type !== 'call.transcript.v1');
    expect(types).toEqual([
      'call.claim.v1',
      'call.connected.v1',
      'call.recorded.v1',
      'call.analyzed.v1',
      'call.ended.v1',
    ]);
    expect(tap.of(id).flatMap(contractErrors)).toEqual([]);
  });

  test('is hung up by a client of the API: the signal is aborted, and the reason is "cancelled"', async () => {
    const codes: unknown[] = [];
    await startWorker(async (call) => {
      await call.connected();
      await new Promise((resolve) => call.signal.addEventListener('abort', resolve));
      codes.push((call.signal.reason as { code: string }).code);
    });
    const { workspace, calls, agentId } = await newAgent();
    const id = await calls.start();
    await calls.reached(id, 'connected');

    await workspace.api.post(`/api/agents/${agentId}/conversations/${id}/hangup`, {});

    expect(await calls.reached(id, 'disconnected')).toMatchObject({
      disconnect_reason: 'cancelled',
      disconnected_by: 'system',
    });
    expect(codes).toEqual(['hangup']);
  });

  test('runs the same handler for a call that reaches it, and gives the reason why another one is refused', async () => {
    const directions: string[] = [];
    const { worker } = await startWorker(async (call) => {
      directions.push(call.direction);
      await call.connected();
    });
    const { workspace, agentId, calls } = await newAgent();
    const number = '+15557001199';
    await workspace.api.put(`/api/agents/${agentId}/phone-number`, { phone_number: number });

    const end = await worker.incoming({ to_number: number, from_number: '+15551234567' });

    expect(end).toMatchObject({ type: 'call.ended.v1', reason: 'agent_hangup', by: 'agent' });
    expect(await calls.reached(end.conversationId, 'disconnected')).toMatchObject({
      disconnect_reason: 'agent_hangup',
    });
    expect(directions).toEqual(['inbound']);
    const refused = worker.incoming({ to_number: '+15557001198', from_number: '' });
    await expect(refused).rejects.toThrow(IncomingRefused);
    await expect(refused).rejects.toMatchObject({ reason: 'unknown_number' });
    expect(worker.stats()).toMatchObject({ state: 'running', calls: 0 });
  });

  test('takes another call in the place that a call gives back, which goes on, and takes the place again', async () => {
    let finish = () => undefined as void;
    const transferred = new Promise<void>((resolve) => (finish = resolve));
    let first: string | undefined;
    let takePlace = () => undefined as void;
    const handler: Handler = async (call) => {
      await call.connected();
      if (first !== undefined) return undefined;
      first = call.id;
      call.releasePlace();
      call.releasePlace();
      takePlace = () => call.takePlace();
      await transferred;
      return { reason: 'call_transfer' };
    };
    const { worker } = await startWorker(handler, { capacity: 1, refusesWhenFull: true });
    const { calls } = await newAgent();
    const one = await calls.start();
    await until(() => first === one && worker.stats().calls === 0);

    for (let count = 0; count < 2; count++)
      expect(await calls.reached(await calls.start(), 'disconnected')).toMatchObject({
        disconnect_reason: 'agent_hangup',
      });
    expect(await calls.conversation(one)).toMatchObject({ status: 'connected' });

    takePlace();
    takePlace();
    expect(worker.stats()).toMatchObject({ calls: 1 });
    expect(await calls.reached(await calls.start(), 'failed')).toMatchObject({
      disconnect_reason: 'dial_busy',
    });

    finish();
    expect(await calls.reached(one, 'disconnected')).toMatchObject({ disconnect_reason: 'call_transfer' });
    expect(worker.stats()).toMatchObject({ calls: 0, claimed: 4 });
  });

  test('is shown to operators while it is idle', async () => {
    await startWorker(connect, { name: 'Pool 7', version: '2.4.1', capacity: 20 });
    const { workspace } = await newAgent();

    const worker = await until(async () => {
      const { body } = await workspace.api.get('/api/runtimes');
      return (body.data.workers as { name: string }[]).find(({ name }) => name === 'Pool 7');
    });

    expect(worker).toMatchObject({ version: '2.4.1', capacity: 20, calls: 0 });
  });
});

import { LocalSpeech, VoiceProcess } from '@parley/voice';
import { Caller } from '../../../packages/voice/test/support/caller';
import { createAgent } from '../../support/agents';
import { type TestWorkspace, useOwnParley } from '../../support/parley';
import { countConsumers, rabbitmqUrl } from '../../support/rabbitmq';
import { silentLogger } from '../../support/silent-logger';
import { until } from '../../support/until';
import { TestWorker } from '../../support/worker';

describe('A voice runtime beside RabbitMQ', () => {
  const parley = useOwnParley({ WEBCALL_WAIT_MS: '10000' });
  const speech = new LocalSpeech();
  let voice: VoiceProcess;
  let running: Promise<void>;

  beforeAll(async () => {
    const BROKER_PREFIX = parley.topology.callsQueue.replace('.calls.default', '');
    const env = { RABBITMQ_URL: rabbitmqUrl, BROKER_PREFIX, VOICE_PORT: '0', VOICE_DRAIN_SECONDS: '0' };
    voice = await VoiceProcess.start(env, { logger: silentLogger });
    running = voice.run();
    await until(async () => (await countConsumers(parley.topology.webCallsQueue)) > 0);
  });
  afterAll(async () => {
    await voice.drain();
    await running;
    await speech.close();
  });

  test('takes the web calls, and leaves the phone calls to the runtimes of the default queue', async () => {
    const worker = await TestWorker.start(parley);
    const workspace = await parley.workspace();
    const agentId = await createAgent(workspace, { type: 'chat', greeting: 'Good day!' });
    const start = (body: object) => workspace.api.post(`/api/agents/${agentId}/calls`, body);

    // The queue of the web calls is there a moment after the runtime.
    const { call_id, join } = await until(async () => {
      const { body } = await start({ call_type: 'webcall' });
      const { conversation_id, join: joined } = body.data as {
        conversation_id: string;
        join: { url: string } | null;
      };
      return joined && { call_id: conversation_id, join: joined };
    });
    expect(join.url.startsWith(`${voice.publicUrl}/voice/${call_id}/`)).toBe(true);
    const caller = await Caller.connect(join.url, speech);
    await caller.start(null);
    await until(() => caller.agentSaid().includes('Good day!'));
    caller.send({ event: 'stop' });
    await until(async () => {
      const { body } = await workspace.api.get(`/api/calls/${call_id}`);
      return (body.data as { disconnect_reason: string }).disconnect_reason === 'user_hangup';
    });

    await start({ to_number: '+15551234567' });
    await (await worker.offerTo(agentId)).take();
    await worker.stop();
  });

  test('plays rehearsals, which are no calls', async () => {
    const workspace = await parley.workspace();
    const agentId = await createAgent(workspace, { type: 'outbound', greeting: 'This is Luigi.' });
    const checks = [{ said: 'this is luigi' }, { ended: { by: 'user' } }];
    const started = await workspace.api.post(`/api/agents/${agentId}/rehearsal-runs`, {
      rehearsals: [{ name: 'greets', person: { lines: [{ hang_up: true }] }, checks }],
      repeat: 20,
    });

    const { run_id: runId } = started.body.data as { run_id: string };
    const run = await until(async () => {
      const { data } = (await workspace.api.get(`/api/rehearsal-runs/${runId}`)).body;
      return (data as { ended_at: string | null }).ended_at && (data as object);
    });
    expect(run).toMatchObject({ status: 'passed', totals: { passed: 20, failed: 0, error: 0 } });
    expect((await workspace.api.get('/api/calls')).body.data).toEqual([]);
  });

  test('keeps no place for web calls that nobody joins, and leaves some places to other workspaces', async () => {
    const startCalls = async ({ api }: TestWorkspace, count: number) => {
      const agentId = await createAgent({ api }, { type: 'chat', greeting: 'Good day!' });
      const starts = Array.from({ length: count }, async () => {
        const { body } = await api.post(`/api/agents/${agentId}/calls`, { call_type: 'webcall' });
        const { conversation_id, join } = body.data as {
          conversation_id: string;
          join: { url: string } | null;
        };
        const call = (await api.get(`/api/calls/${conversation_id}`)).body.data as {
          disconnect_reason: string | null;
        };
        return join?.url ?? call.disconnect_reason;
      });
      return (await Promise.all(starts)).sort();
    };
    const address = expect.stringMatching(/^ws:/) as string;

    // One workspace has three of the four places, and as many calls that nobody has joined.
    const busy = Array.from({ length: 3 }, () => 'dial_busy');
    expect(await startCalls(await parley.workspace(), 6)).toEqual([...busy, address, address, address]);
    const others = await startCalls(await parley.workspace(), 3);
    expect(others).toEqual([address, address, address]);

    const caller = await Caller.connect(others[0] ?? '', speech);
    await caller.start(null);
    await until(() => caller.agentSaid().includes('Good day!'));
    caller.send({ event: 'stop' });
    await until(() => caller.closed);
  });
});

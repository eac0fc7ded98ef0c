import { once } from 'node:events';
import type { Handler } from '@parley/worker';
import { useWorkers } from '../../../packages/worker/test/support/workers';
import { Caller } from '../../../packages/voice/test/support/caller';
import { VerificationService } from '../../../src/features/verification/verification.service';
import { createAgent } from '../../support/agents';
import { AgentCalls } from '../../support/calls';
import { LastRelease } from '../../support/last-release';
import { useOwnParley } from '../../support/parley';
import { rabbitmqUrl } from '../../support/rabbitmq';
import { silentLogger } from '../../support/silent-logger';
import { until } from '../../support/until';

const BUSY = '+15551234501';
const PATIENT = '+15551234502';

// Without the history of the repository, there is no last release.
const lastRelease = LastRelease.compile();
const withLastRelease = lastRelease ? describe : describe.skip;

withLastRelease("On today's server, a runtime of the last release", () => {
  const parley = useOwnParley({ LEASE_SECONDS: '6', HEARTBEAT_SECONDS: '1', WEBCALL_WAIT_MS: '10000' });
  const release = lastRelease as LastRelease;
  const startWorker = useWorkers(parley, (...args) => release.load('worker').createWorker(...args));

  afterAll(() => lastRelease?.remove());

  const readTurns = async ({ api }: AgentCalls, id: string): Promise<string[]> => {
    const { body } = await api.get(`/api/calls/${id}/transcript`);
    return (body.data.turns as { text: string }[]).map(({ text }) => text);
  };

  const verify = async () =>
    (await parley.app.get(VerificationService, { strict: false }).verify()).violations;

  test('with the worker package claims calls, reports about them and ends them', async () => {
    const { CallFailed } = release.load('worker');
    const talk: Handler = async (call) => {
      if (call.start.to_number === BUSY) throw new CallFailed('dial_busy');
      await call.connected();
      call.turn({ speaker: 'agent', text: 'Good day!' });
      if (call.start.to_number === PATIENT) {
        await once(call.signal, 'abort');
        return undefined;
      }
      await call.analyzed({ interested: true });
      return { reason: 'user_hangup', by: 'user', summary: 'They spoke.', outcome: 'booked' };
    };
    const { worker, log } = await startWorker(talk, { capacity: 4 });
    const workspace = await parley.workspace();
    const agentId = await createAgent(workspace);
    const calls = new AgentCalls(workspace.api, agentId);
    const phone_number = '+15557001199';
    await workspace.api.put(`/api/agents/${agentId}/phone-number`, { phone_number });
    const findHeartbeat = async (id: string) => {
      const [call] = await parley.sql<{ at: string }>(
        'SELECT heartbeat_at::text AS at FROM conversations WHERE id = $1',
        [id],
      );
      return call?.at ?? '';
    };

    const held = await calls.start({ to_number: PATIENT });
    await calls.reached(held, 'connected');
    const answered = await calls.start();
    const busy = await calls.start({ to_number: BUSY });
    const incoming = await worker.incoming({ to_number: phone_number, from_number: '+15551234567' });

    for (const id of [answered, incoming.conversationId]) {
      expect(await calls.reached(id, 'disconnected')).toMatchObject({
        disconnect_reason: 'user_hangup',
        disconnected_by: 'user',
        metadata: { summary: 'They spoke.', process_compliance: '', outcome: 'booked' },
      });
    }
    expect(await calls.reached(busy, 'failed')).toMatchObject({ disconnect_reason: 'dial_busy' });
    const first = await findHeartbeat(held);
    await until(async () => (await findHeartbeat(held)) > first);
    await workspace.api.post(`/api/agents/${agentId}/conversations/${held}/hangup`, {});
    expect(await calls.reached(held, 'disconnected')).toMatchObject({ disconnect_reason: 'cancelled' });

    await until(async () => (await readTurns(calls, answered)).includes('Good day!'));
    await until(async () => {
      const { body } = await workspace.api.get(`/api/calls/${answered}`);
      return body.data.analysis?.interested === true;
    });
    expect(log.lines.filter((line) => /^(warn|error)/.test(line))).toEqual([]);
    expect(await verify()).toEqual([]);
  });

  test('with the voice package holds a web call until the person leaves it', async () => {
    const BROKER_PREFIX = parley.topology.callsQueue.replace('.calls.default', '');
    const env = { RABBITMQ_URL: rabbitmqUrl, BROKER_PREFIX, VOICE_PORT: '0', VOICE_DRAIN_SECONDS: '0' };
    const { LocalSpeech, VoiceProcess } = release.load('voice');
    const voice = await VoiceProcess.start(env, { logger: silentLogger });
    const running = voice.run();
    const speech = new LocalSpeech();
    try {
      const workspace = await parley.workspace();
      const agentId = await createAgent(workspace, { type: 'chat', greeting: 'Good day!' });
      const calls = new AgentCalls(workspace.api, agentId);
      // The queue of the web calls is there a moment after the runtime.
      const { conversation_id, join } = await until(async () => {
        const { body } = await workspace.api.post(`/api/agents/${agentId}/calls`, { call_type: 'webcall' });
        const started = body.data as { conversation_id: string; join: { url: string } | null };
        return started.join && { ...started, join: started.join };
      });
      const caller = await Caller.connect(join.url, speech);
      await caller.start(null);
      await until(() => caller.agentSaid().includes('Good day!'));
      caller.send({ event: 'stop' });

      expect(await calls.reached(conversation_id, 'disconnected')).toMatchObject({
        disconnect_reason: 'user_hangup',
        disconnected_by: 'user',
      });
      await until(async () => (await readTurns(calls, conversation_id)).includes('Good day!'));
    } finally {
      await voice.drain();
      await running;
      await speech.close();
    }
    expect(await verify()).toEqual([]);
  });
});

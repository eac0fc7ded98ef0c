import { randomBytes } from 'node:crypto';
import { loadRuntimeConfig } from '../../../src/config';
import { RabbitmqBroker } from '../../../src/platform/messaging/rabbitmq.broker';
import { answer, start as startRuntimeProcess } from '../../../src/tools/simulated-runtime/main';
import { createAgent } from '../../support/agents';
import { AgentCalls } from '../../support/calls';
import { type TestParley, useOwnParley } from '../../support/parley';
import { rabbitmqUrl } from '../../support/rabbitmq';
import { useSimulatedRuntimes } from '../../support/simulated-runtimes';
import { TcpProxy } from '../../support/tcp-proxy';
import { until } from '../../support/until';

const NUMBER = '+15556000001';

/** A workspace with ten credits and an agent that greets. */
async function newAgent(parley: TestParley, fields: object = {}) {
  const workspace = await parley.workspace({ credits: 10 });
  const agentId = await createAgent(workspace, { greeting: 'Good day, {{customer}}!', ...fields });
  return { workspace, agentId, calls: new AgentCalls(workspace.api, agentId) };
}

describe('The simulated runtime, while RabbitMQ is out of its reach,', () => {
  const parley = useOwnParley();
  const startRuntime = useSimulatedRuntimes(parley);
  let proxy: TcpProxy;
  let broker: RabbitmqBroker;

  beforeAll(async () => {
    proxy = await TcpProxy.to(rabbitmqUrl ?? '');
    broker = new RabbitmqBroker({ urls: [proxy.url], topology: parley.topology, publishTimeoutMs: 1_000 });
  });
  afterAll(async () => {
    await broker.close();
    await proxy.cut();
  });

  test('keeps its reports', async () => {
    await broker.open();
    const publish = jest.spyOn(broker, 'publish');
    await startRuntime({ broker, pace: 500 });
    const { calls } = await newAgent(parley);
    const id = await calls.start();
    await calls.reached(id, 'connected');

    await proxy.cut();
    await until(() => publish.mock.calls.length >= 4);
    expect(await calls.conversation(id)).toMatchObject({ status: 'connected' });
    await proxy.restore();

    expect(await calls.reached(id, 'disconnected')).toMatchObject({ metadata: { outcome: 'completed' } });
  });
});

describe('The simulated runtime in its own process', () => {
  const prefix = `test-${randomBytes(6).toString('hex')}`;
  const parley = useOwnParley({ BROKER_PREFIX: prefix });
  let runtime: { close(): Promise<void> } | undefined;

  afterEach(() => runtime?.close());

  test('accepts calls without a database', async () => {
    const { calls } = await newAgent(parley);
    runtime = await startRuntimeProcess(
      loadRuntimeConfig({
        RABBITMQ_URL: rabbitmqUrl,
        BROKER_PREFIX: prefix,
        LOG_LEVEL: 'silent',
      }),
    );

    const id = await calls.start({ to_number: '+15551234501' });

    expect(await calls.reached(id, 'failed')).toMatchObject({ disconnect_reason: 'dial_busy' });
  });

  test('plays one incoming call, or says why it was refused', async () => {
    const { workspace, agentId } = await newAgent(parley);
    const number = NUMBER;
    await workspace.api.put(`/api/agents/${agentId}/phone-number`, { phone_number: number });
    const config = loadRuntimeConfig({
      RABBITMQ_URL: rabbitmqUrl,
      BROKER_PREFIX: prefix,
      LOG_LEVEL: 'silent',
      PUBLIC_URL: 'https://parley.example.com/',
    });
    const readRefusal = async (to_number: string) => {
      runtime = await answer({ to_number, from_number: '+15557778899' }, config);
      const { refusal } = runtime as Awaited<ReturnType<typeof answer>>;
      const reason = await refusal;
      await runtime.close();
      runtime = undefined;
      return reason;
    };

    expect(await readRefusal('+15550000000')).toBe('unknown_number');
    expect(await readRefusal(number)).toBeUndefined();
    const call = await until(async () => {
      const { body } = await workspace.api.get('/api/calls?direction=inbound&status=disconnected');
      const [found] = body.data as { call_id: string; has_recording: boolean }[];
      return found?.has_recording && found;
    });
    const { body } = await workspace.api.get(`/api/calls/${call.call_id}`);
    // Without a signature, since the address is not the one of this server.
    const [address, query] = body.data.recording_url.split('?');
    expect(address).toBe(`https://parley.example.com/demo/recordings/${call.call_id}.wav`);
    expect(query).toMatch(/^seconds=[1-9]\d*&signature=[\w-]+$/);
  });
});

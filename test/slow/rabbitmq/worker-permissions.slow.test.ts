import { VoiceProcess } from '@parley/voice';
import { type Channel, connect } from 'amqplib';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findRabbitmqServer, type RabbitmqNode, startRabbitmqNode } from '../../run/rabbitmq-node.cjs';
import { loadRuntimeConfig } from '../../../src/config';
import { MAX_MESSAGE_BYTES } from '../../../src/platform/messaging/message-body';
import { answer, start as startRuntimeProcess } from '../../../src/tools/simulated-runtime/main';
import { createAgent } from '../../support/agents';
import { AmqpWorker, type Pool } from './amqp-worker';
import { AgentCalls } from '../../support/calls';
import type { ApiClient } from '../../support/client';
import { readCompose } from '../../support/compose';
import { TestParley, type TestWorkspace } from '../../support/parley';
import { silentLogger } from '../../support/silent-logger';
import { until } from '../../support/until';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into all of it
type Shown = any;

const PASSWORD = 'a-password';

const ACCESS_REFUSED = 403;
const PRECONDITION_FAILED = 406;

const contract = readFileSync(join(__dirname, '../../../docs/runtime-contract.md'), 'utf8');

/** The block of code in a section of docs/runtime-contract.md. */
function documented(heading: string, language: string): string {
  const [section = ''] = (contract.split(`\n### ${heading}\n`)[1] ?? '').split('\n### ');
  const [, block] = new RegExp(`\n\`\`\`${language}\n(.*?)\n\`\`\`\n`, 's').exec(section) ?? [];
  if (block === undefined) throw new Error(`The section "${heading}" has no ${language} block.`);
  return block;
}

type Attempt = (channel: Channel) => unknown;

const attempts = {
  'reads the default queue': (channel) => channel.get('voice.calls.default'),
  "reads another pool's queue": (channel) => channel.get('voice.calls.other'),
  "reads the server's events": (channel) => channel.get('voice.events.server'),
  'reads the claims': (channel) => channel.get('voice.claims'),
  'reads dead calls': (channel) => channel.get('voice.calls.dead'),
  'deletes the default queue': (channel) => channel.deleteQueue('voice.calls.default'),
  'deletes its own queue': (channel) => channel.deleteQueue('voice.calls.acme'),
  'purges the claims': (channel) => channel.purgeQueue('voice.claims'),
  'declares a queue': (channel) => channel.assertQueue('voice.calls.mine'),
  'declares an exchange': (channel) => channel.assertExchange('voice.mine', 'topic'),
  'deletes an exchange': (channel) => channel.deleteExchange('voice.calls'),
  'listens to the events of other workers': bindOwnQueue('voice.events', 'call.#'),
  'listens to all calls': bindOwnQueue('voice.calls', '#'),
  'listens to the calls of its channel': bindOwnQueue('voice.calls', 'call.start.sales.*'),
  'listens to the calls of another channel': bindOwnQueue('voice.calls', 'call.start.voice.*'),
  'publishes a call start': (channel) =>
    channel.publish('voice.calls', 'call.start.voice.x', Buffer.from('{}')),
  'publishes into another queue': (channel) => channel.publish('', 'voice.calls.default', Buffer.from('{}')),
  'publishes a command': (channel) => channel.publish('voice.commands', 'worker', Buffer.from('{}')),
  'publishes an event of another kind': (channel) =>
    channel.publish('voice.events', 'call.start', Buffer.from('{}')),
  'claims calls of all workspaces': publishClaim('claim'),
  'claims calls of another workspace': publishClaim(`claim.${randomUUID()}`),
  'answers the numbers of another workspace': publishClaim(`incoming.${randomUUID()}`),
} satisfies Record<string, Attempt>;

function bindOwnQueue(exchange: string, routingKey: string): Attempt {
  return async (channel) => {
    const { queue } = await channel.assertQueue('', { exclusive: true });
    await channel.bindQueue(queue, exchange, routingKey);
  };
}

function publishClaim(routingKey: string): Attempt {
  return (channel) =>
    channel.publish('voice.events', routingKey, Buffer.from('{}'), { type: 'call.claim.v1' });
}

/** The code with which RabbitMQ closes the channel; undefined if the attempt succeeds. */
async function findFailure(url: string, attempt: Attempt): Promise<number | undefined> {
  const connection = await connect(url);
  const channel = await connection.createChannel();
  let failure: { code?: number } | undefined;
  channel.on('error', (error: { code?: number }) => (failure = error));
  try {
    await attempt(channel);
    // RabbitMQ does not answer a publish, but would close the channel before it answers this.
    await channel.checkExchange('voice.events');
    return undefined;
  } catch (error) {
    if (failure?.code === undefined) throw error;
    return failure.code;
  } finally {
    await connection.close();
  }
}

const hasServer = globalThis.BROKER === 'rabbitmq' && findRabbitmqServer() !== null;

(hasServer ? describe : describe.skip)('With the permissions of docs/runtime-contract.md', () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-rabbitmq-'));
  let node: RabbitmqNode;
  let compose: ReturnType<typeof readCompose>;
  let parley: TestParley;
  /** The workspace whose calls have a pool. */
  let workspace: TestWorkspace;
  const workers: AmqpWorker[] = [];

  beforeAll(async () => {
    const settings = [documented('The size of messages', 'ini')];
    node = await startRabbitmqNode({ dir: folder, settings });
    // The user of the server keeps its name and password, and has the permissions of docker-compose.yml from here on.
    compose = readCompose({
      RABBITMQ_PASSWORD: new URL(node.url).password,
      RUNTIME_PASSWORD: PASSWORD,
    });
    writeFileSync(join(folder, 'compose.json'), compose.configs['rabbitmq-definitions']?.content ?? '');
    await node.control('import_definitions', join(folder, 'compose.json'));
    parley = await TestParley.start({
      RABBITMQ_URL: node.url,
      BROKER_PREFIX: 'voice',
      WEBCALL_WAIT_MS: '5000',
    });
    workspace = await parley.workspace();
    const variables = { PASSWORD, WORKSPACE: workspace.workspaceId };
    for (const heading of [
      'The size of messages',
      'A worker of the default queue',
      'The voice runtime',
      'A worker of one workspace',
      'A worker that declares its pool itself',
    ]) {
      await node.shell(documented(heading, 'sh'), variables);
    }
  });

  afterEach(() => Promise.all(workers.splice(0).map((worker) => worker.stop())));

  afterAll(async () => {
    await parley.stop();
    await node.stop();
    rmSync(folder, { recursive: true });
  });

  const urlFor = (user: string) => {
    const url = new URL(node.url);
    url.username = user;
    url.password = PASSWORD;
    return url.href;
  };

  const startWorker = async (user: string, pool: Pool) => {
    const worker = await AmqpWorker.start(urlFor(user), pool);
    workers.push(worker);
    return worker;
  };

  let lastNumber = 3_000_000;
  const assignNumber = async ({ api }: TestWorkspace) => {
    const agentId = await createAgent({ api });
    const phone_number = `+1555${(lastNumber += 1)}`;
    await api.put(`/api/agents/${agentId}/phone-number`, { phone_number });
    return phone_number;
  };

  const createCalls = async ({ api }: TestWorkspace) => new AgentCalls(api, await createAgent({ api }));

  /** Checks a call from its offer to its end, which a hang-up command causes. */
  async function expectConducted(worker: AmqpWorker, id: string, calls: AgentCalls, { api }: TestWorkspace) {
    await calls.reached(id, 'connected');
    expect(worker.offers(id)).toHaveLength(1);
    await expectEverythingReported(worker, id, api);
    await api.post(`/api/agents/${calls.agentId}/conversations/${id}/hangup`, {});
    expect(await calls.reached(id, 'disconnected')).toMatchObject({ disconnect_reason: 'cancelled' });
  }

  /** Checks the reports after the call, calls that reach the worker, and its hello, too. */
  async function expectEverythingReported(worker: AmqpWorker, id: string, api: ApiClient) {
    const read = async (path: string) => (await api.get(path)).body.data;
    await until(async () => {
      const { recording_url, analysis } = await read(`/api/calls/${id}`);
      return recording_url && analysis && (await read(`/api/calls/${id}/transcript`)).turns.length === 1;
    });
    expect(await worker.incoming('+15550000000')).toMatchObject({ reason: 'unknown_number' });
    worker.hello();
    await until(async () =>
      (await read('/api/runtimes')).workers.some(({ name }: Shown) => name === 'worker'),
    );
  }

  test('a worker of the default queue conducts a call, and has no further permissions', async () => {
    const worker = await startWorker('voice-worker', { queue: 'voice.calls.default' });
    const owner = await parley.workspace();
    const calls = await createCalls(owner);

    await expectConducted(worker, await calls.start(), calls, owner);

    expect(await permittedTo('voice-worker')).toEqual([
      'reads the default queue',
      'claims calls of all workspaces',
    ]);
  });

  test('a worker of one workspace conducts its calls, and receives no others', async () => {
    const { workspaceId } = workspace;
    const worker = await startWorker('voice-acme', { queue: 'voice.calls.acme', workspaceId });
    const defaultWorker = await startWorker('voice-worker', { queue: 'voice.calls.default' });
    const otherWorkspace = await parley.workspace();
    const [own, otherCalls] = [await createCalls(workspace), await createCalls(otherWorkspace)];

    const otherId = await otherCalls.start();
    const id = await own.start({ channel: 'sales' });
    await expectConducted(defaultWorker, otherId, otherCalls, otherWorkspace);
    await expectConducted(worker, id, own, workspace);

    expect(worker.offered).toMatchObject([{ conversation_id: id, workspaceId }]);
    expect(defaultWorker.offered).toMatchObject([{ conversation_id: otherId }]);
    expect(await permittedTo('voice-acme')).toEqual([]);
  });

  test('a worker of one workspace answers its numbers, and those of others as if nobody had them', async () => {
    const { workspaceId } = workspace;
    const worker = await startWorker('voice-acme', { queue: 'voice.calls.acme', workspaceId });
    const defaultWorker = await startWorker('voice-worker', { queue: 'voice.calls.default' });
    const [own, foreign] = [await assignNumber(workspace), await assignNumber(await parley.workspace())];

    expect(await worker.incoming(own)).toMatchObject({ call: { workspaceId, to_number: own } });
    expect(await worker.incoming(foreign)).toMatchObject({ reason: 'unknown_number' });
    expect(await defaultWorker.incoming(foreign)).toMatchObject({ call: { to_number: foreign } });
  });

  // RabbitMQ checks the permissions for the routing key alone.
  test.each([
    ['into the queue of events', 'call.heartbeat', undefined],
    ['into the queue of claims, by the header CC,', 'call.heartbeat', ['claim']],
  ])(
    'a worker of one workspace that sends a claim %s gets the answer that its key is wrong',
    async (_, key, CC) => {
      const { workspaceId } = workspace;
      const worker = await startWorker('voice-acme', { queue: 'voice.calls.acme', workspaceId });
      const foreign = await assignNumber(await parley.workspace());

      const answer = await worker.incoming(foreign, { key, CC });

      expect(answer).toMatchObject({
        reason: expect.stringContaining('its routing key must be "claim", or "incoming."') as string,
      });
    },
  );

  test('a worker that declares its pool itself conducts its calls, and cannot bind others', async () => {
    const pool = { queue: 'voice.calls.sales', routingKey: 'call.start.sales.*' };
    const worker = await startWorker('voice-sales', pool);
    const owner = await parley.workspace();
    const calls = await createCalls(owner);

    await expectConducted(worker, await calls.start({ channel: 'sales' }), calls, owner);

    expect(await permittedTo('voice-sales')).toEqual([
      'listens to the calls of its channel',
      'publishes into another queue',
      'claims calls of all workspaces',
    ]);
  });

  test('the runtime of docker-compose.yml plays calls, with the permissions of a worker of the default queue', async () => {
    const { RABBITMQ_URL = '', ...environment } = compose.services.runtime?.environment ?? {};
    const url = new URL(RABBITMQ_URL);
    url.host = new URL(node.url).host;
    const config = loadRuntimeConfig({ ...environment, RABBITMQ_URL: url.href, LOG_LEVEL: 'silent' });
    const owner = await parley.workspace();
    const calls = await createCalls(owner);
    const number = await assignNumber(owner);

    const runtime = await startRuntimeProcess(config);
    const id = await calls.start({ to_number: '+15551234501' });
    expect(await calls.reached(id, 'failed')).toMatchObject({ disconnect_reason: 'dial_busy' });
    await runtime.close();
    const answering = await answer({ to_number: number, from_number: '' }, config);
    expect(await answering.refusal).toBeUndefined();
    await answering.close();

    for (const command of ['list_user_permissions', 'list_user_topic_permissions']) {
      const permissions = await node.control(command, url.username);
      expect(permissions).toContain('voice');
      expect(permissions).toBe(await node.control(command, 'voice-worker'));
    }
  });

  test('no user of docker-compose.yml is an administrator', async () => {
    const users = await node.control('list_users');
    for (const service of [compose.services.api, compose.services.runtime]) {
      const { username } = new URL(service?.environment.RABBITMQ_URL ?? '');
      expect(users).toMatch(new RegExp(`^${username}\\s+\\[\\]$`, 'm'));
    }
  });

  test('a message above max_message_size is refused, and smaller ones are accepted', async () => {
    const publish = (bytes: number) =>
      findFailure(urlFor('voice-worker'), (channel) =>
        channel.publish('voice.events', 'call.ended', Buffer.alloc(bytes), { type: 'call.ended.v1' }),
      );

    expect(await publish(MAX_MESSAGE_BYTES + 1)).toBe(PRECONDITION_FAILED);
    expect(await publish(MAX_MESSAGE_BYTES)).toBeUndefined();
  });

  test('the voice runtime declares the queues of web calls and phone calls and takes them, and has no further permissions', async () => {
    const settings = { VOICE_PORT: '0', VOICE_DRAIN_SECONDS: '0', VOICE_CARRIER: 'line' };
    const env = { RABBITMQ_URL: urlFor('voice-web'), ...settings };
    const voice = await VoiceProcess.start(env, { logger: silentLogger });
    const running = voice.run();
    const { api } = await parley.workspace();
    const agentId = await createAgent({ api }, { type: 'chat' });

    // Until its queue is there, web calls go to the default queue.
    await until(async () => {
      const { body } = await api.post(`/api/agents/${agentId}/calls`, { call_type: 'webcall' });
      const { join } = body.data as { join: { url: string } | null };
      return join?.url.startsWith(voice.publicUrl);
    });

    await voice.drain();
    await running;
    expect(await permittedTo('voice-web')).toEqual([
      'publishes into another queue',
      'claims calls of all workspaces',
    ]);
  });

  const permittedTo = async (user: string) => {
    const names: string[] = [];
    for (const [name, attempt] of Object.entries(attempts)) {
      const failure = await findFailure(urlFor(user), attempt);
      if (failure === undefined) names.push(name);
      else expect({ name, failure }).toEqual({ name, failure: ACCESS_REFUSED });
    }
    return names;
  };
});

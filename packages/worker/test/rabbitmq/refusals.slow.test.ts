import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createWorker } from '@parley/worker';
import {
  findRabbitmqServer,
  type RabbitmqNode,
  startRabbitmqNode,
} from '../../../../test/run/rabbitmq-node.cjs';
import { createAgent } from '../../../../test/support/agents';
import { AgentCalls } from '../../../../test/support/calls';
import { TestParley, type TestWorkspace } from '../../../../test/support/parley';
import { findPython, PYTHON_PACKAGE, PythonProcess } from '../../../../test/support/python-processes';
import { withChannel } from '../../../../test/support/rabbitmq';
import { until } from '../../../../test/support/until';
import { collectingLogger, useWorkers } from '../support/workers';

const PASSWORD = 'a-password';

/** The permission in the form of docs/runtime-contract.md. */
const OWN = '^amq\\.gen-.*$';
const writes = (keys: string) => `^(${keys}|worker\\.hello|call\\.(connected|heartbeat|ended|failed))$`;

const reader = (user: string, queue: string) => ({
  ...{ user, vhost: '/', configure: OWN, write: '^(amq\\.gen-.*|voice\\.events)$' },
  read: `^(amq\\.gen-.*|voice\\.commands|voice\\.calls\\.${queue})$`,
});
const writer = (user: string, keys: string) => ({
  ...{ user, vhost: '/', exchange: 'voice.events', write: writes(keys), read: '^$' },
});

/** Users whose calls have no transcripts, and one of a single workspace. */
const definitions = (workspace: string) => ({
  users: ['worker', 'acme', 'nobody', 'elsewhere'].map((name) => ({ name, password: PASSWORD, tags: '' })),
  permissions: [reader('worker', 'default'), reader('acme', 'acme'), reader('elsewhere', 'other')],
  topic_permissions: [writer('worker', 'claim'), writer('acme', `(claim|incoming)\\.${workspace}`)],
  queues: [{ name: 'voice.calls.acme', vhost: '/', durable: true, auto_delete: false, arguments: {} }],
  bindings: [
    {
      ...{ source: 'voice.calls', vhost: '/', destination: 'voice.calls.acme', destination_type: 'queue' },
      ...{ routing_key: `call.start.${workspace}.#`, arguments: {} },
    },
  ],
});

const hasServer = globalThis.BROKER === 'rabbitmq' && findRabbitmqServer() !== null;

(hasServer ? describe : describe.skip)('A worker whose RabbitMQ user has limits', () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-worker-'));
  let node: RabbitmqNode;
  let parley: TestParley;
  let workspace: TestWorkspace;
  const startWorker = useWorkers({ topology: { calls: 'voice.calls' } });

  beforeAll(async () => {
    node = await startRabbitmqNode({ dir: join(folder, 'rabbitmq') });
    parley = await TestParley.start({ RABBITMQ_URL: node.url, BROKER_PREFIX: 'voice' });
    workspace = await parley.workspace();
    const file = join(folder, 'definitions.json');
    writeFileSync(file, JSON.stringify(definitions(workspace.workspaceId)));
    await node.control('import_definitions', file);
  });
  afterAll(async () => {
    await parley.stop();
    await node.stop();
    rmSync(folder, { recursive: true });
  });

  const createUrl = (username: string, changes: { password?: string; pathname?: string } = {}) => {
    const url = new URL(node.url);
    return Object.assign(url, { username, password: PASSWORD, ...changes }).href;
  };

  test.each([
    {
      what: 'a wrong password',
      url: () => createUrl('worker', { password: 'wrong-one' }),
      says: /^RabbitMQ at 127\.0\.0\.1:\d+ \(virtual host \/\) refuses the user name or the password of "worker"\.$/,
    },
    {
      what: 'an unknown virtual host',
      url: () => createUrl('worker', { pathname: '/nowhere' }),
      says: /^The virtual host does not exist, or the user "worker" may not use it: RabbitMQ at 127\.0\.0\.1:\d+ \(virtual host nowhere\)\.$/,
    },
    {
      what: 'a virtual host that the user may not use',
      url: () => createUrl('nobody'),
      says: /^The virtual host does not exist, or the user "nobody" may not use it: RabbitMQ at 127\.0\.0\.1:\d+ \(virtual host \/\)\.$/,
    },
    {
      what: 'a queue that the user may not read',
      url: () => createUrl('elsewhere'),
      says: /^RabbitMQ refuses it, because a permission is missing: .*'voice\.calls\.default'.*\.$/,
    },
    {
      what: 'several addresses, if all refuse',
      url: () => `${createUrl('nobody')},${createUrl('worker', { password: 'wrong-one' })}`,
      says: /"nobody" may not use it: .*"worker"\.$/,
    },
  ])('is rejected at once for $what', async ({ url, says }) => {
    const log = collectingLogger();
    const worker = createWorker({ url: url(), logger: log }, () => undefined);

    await expect(worker.run()).rejects.toThrow(says);

    expect(worker.stats().state).toBe('stopped');
    expect(JSON.stringify(log.lines)).not.toMatch(/a-password|wrong-one/);
  });

  test('waits for a queue that does not exist yet, and logs that once', async () => {
    const queue = 'voice.calls.later';
    const log = collectingLogger();
    const worker = createWorker({ url: node.url, queue, logger: log }, () => undefined);
    const ran = worker.run();
    await until(() => log.lines.some((line) => line.includes(queue)));

    await withChannel((channel) => channel.assertQueue(queue), node.url);

    await until(() => worker.stats().state === 'running');
    expect(log.lines.filter((line) => line.startsWith('warn'))).toHaveLength(1);
    await worker.stop();
    await ran;
  });

  test('conducts the calls of its workspace, and calls to its numbers, if it is confined to it', async () => {
    const { worker } = await startWorker((call) => call.connected(), {
      url: createUrl('acme'),
      queue: 'voice.calls.acme',
      workspace: workspace.workspaceId,
    });
    const calls = new AgentCalls(workspace.api, await createAgent(workspace));

    await calls.reached(await calls.start(), 'disconnected');

    await workspace.api.put(`/api/agents/${calls.agentId}/phone-number`, { phone_number: '+15557001177' });
    const end = await worker.incoming({ to_number: '+15557001177', from_number: '' });
    expect(end).toMatchObject({ type: 'call.ended.v1', reason: 'agent_hangup' });
  });

  test('reports the end of a call although it may not report the transcript', async () => {
    const { log } = await startWorker(
      async (call) => {
        await call.connected();
        call.turn({ speaker: 'agent', text: 'Hello' });
      },
      { url: createUrl('worker') },
    );
    const other = await parley.workspace();
    const calls = new AgentCalls(other.api, await createAgent(other));

    await calls.reached(await calls.start(), 'disconnected').catch((error: unknown) => {
      throw new Error(`${String(error)}\n${log.lines.join('\n')}`);
    });

    expect(log.lines.filter((line) => line.includes("topic 'call.transcript'"))).toHaveLength(1);
  });

  const python = findPython();
  (python ? test : test.skip)(
    'reports the ends of calls although it may not report their transcripts, also in Python',
    async () => {
      const program = join(PYTHON_PACKAGE, 'examples/conformance.py');
      const worker = new PythonProcess(python as string, program, { RABBITMQ_URL: createUrl('worker') });
      const other = await parley.workspace();
      const calls = new AgentCalls(other.api, await createAgent(other));

      for (const callee of ['answers 1', 'answers 0', 'busy']) {
        const id = await calls.start({ dynamic_variables: { callee } });
        const status = callee === 'busy' ? 'failed' : 'disconnected';
        await calls.reached(id, status).catch(worker.explain);
      }

      expect(await worker.stop()).toBe(0);
      expect(worker.output.match(/topic 'call\.transcript'/g)).toHaveLength(1);
      expect(worker.output).not.toContain('tries again');
    },
  );
});

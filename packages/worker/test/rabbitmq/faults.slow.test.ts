import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  findRabbitmqServer,
  type RabbitmqNode,
  startRabbitmqNode,
} from '../../../../test/run/rabbitmq-node.cjs';
import { createAgent } from '../../../../test/support/agents';
import { AgentCalls } from '../../../../test/support/calls';
import { TestParley } from '../../../../test/support/parley';
import { findPython, PYTHON_PACKAGE, PythonProcess } from '../../../../test/support/python-processes';
import { TcpProxy } from '../../../../test/support/tcp-proxy';
import { until } from '../../../../test/support/until';
import { WorkerProcess } from '../support/worker-process';
import { type RunningWorker, useWorkers } from '../support/workers';

const hasServer = globalThis.BROKER === 'rabbitmq' && findRabbitmqServer() !== null;

(hasServer ? describe : describe.skip)('A worker whose RabbitMQ fails', () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-worker-'));
  let node: RabbitmqNode;
  let parley: TestParley;
  let proxy: TcpProxy;
  const processes: { kill(): Promise<unknown> }[] = [];
  const startWorker = useWorkers({ topology: { calls: 'voice.calls' } });

  beforeAll(async () => {
    node = await startRabbitmqNode({ dir: join(folder, 'rabbitmq') });
    parley = await TestParley.start({ RABBITMQ_URL: node.url, BROKER_PREFIX: 'voice' });
    proxy = await TcpProxy.to(node.url);
  });
  afterEach(() => Promise.all(processes.splice(0).map((process) => process.kill())));
  afterAll(async () => {
    await parley.stop();
    await proxy.cut();
    await node.stop();
    rmSync(folder, { recursive: true });
  });

  async function newCalls() {
    const workspace = await parley.workspace();
    return new AgentCalls(workspace.api, await createAgent(workspace));
  }

  /** Starts a call whose handler has connected it and waits for `finish`. */
  async function talkingWorker(options: object) {
    let finish: () => void = () => undefined;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    const running = await startWorker(async (call) => {
      await call.connected();
      call.turn({ speaker: 'agent', text: 'Hello' });
      await finished;
      call.turn({ speaker: 'agent', text: 'Goodbye' });
      return { summary: 'Talked.' };
    }, options);
    const calls = await newCalls();
    const id = await startCall(calls);
    await calls.reached(id, 'connected');
    return { ...running, calls, id, finish };
  }

  /**
   * A call of a worker in Python, whose person hangs up while RabbitMQ starts again. undefined: Python is missing
   */
  async function talkingInPython(calls: AgentCalls, url = node.url) {
    const python = findPython();
    if (!python) return { expectEnded: () => Promise.resolve() };
    const program = join(PYTHON_PACKAGE, 'examples/conformance.py');
    const worker = new PythonProcess(python, program, { RABBITMQ_URL: url, BROKER_PREFIX: 'voice' });
    processes.push(worker);
    const id = await calls.start({ dynamic_variables: { callee: 'answers 2' } });
    await calls.reached(id, 'connected').catch(worker.explain);
    return {
      expectEnded: async () => {
        expect(await calls.reached(id, 'disconnected').catch(worker.explain)).toMatchObject({
          disconnect_reason: 'user_hangup',
        });
        await worker.kill();
      },
    };
  }

  const expectEnded = async (calls: AgentCalls, id: string) =>
    expect(await calls.reached(id, 'disconnected')).toMatchObject({
      disconnect_reason: 'agent_hangup',
      metadata: { summary: 'Talked.' },
    });

  /** The server may need a moment until RabbitMQ confirms again. */
  const startCall = (calls: AgentCalls) => until(() => calls.start().catch(() => undefined), 20_000);

  const expectWorking = async (calls: AgentCalls) => calls.reached(await startCall(calls), 'disconnected');

  const logged = ({ log }: Pick<RunningWorker, 'log'>, pattern: RegExp) =>
    log.lines.filter((line) => pattern.test(line)).length;

  test('reports the end of a call when its connection was cut, and logs that once', async () => {
    const call = await talkingWorker({ url: proxy.url });

    await proxy.cut();
    await until(() => call.worker.stats().state === 'connecting');
    call.finish();
    await until(() => call.worker.stats().unconfirmed > 0);
    await proxy.restore();

    await expectEnded(call.calls, call.id);
    expect(logged(call, /Lost the connection/)).toBe(1);
    expect(logged(call, /^info Connected/)).toBe(2);
    await until(() => call.worker.stats().unconfirmed === 0);
    await expectWorking(call.calls);
  });

  test('tries its addresses in turn', async () => {
    const { log } = await startWorker((call) => call.connected(), {
      url: `amqp://guest:guest@127.0.0.1:1, ${node.url}`,
    });

    expect(log.lines).toContainEqual(expect.stringMatching(/^info Connected to RabbitMQ at 127/));
    await expectWorking(await newCalls());
  });

  test('leaves a node that confirms nothing for another address, and reports the end of its call, in Python too', async () => {
    const other = await TcpProxy.to(node.url);
    const url = `${proxy.url},${other.url}`;
    const call = await talkingWorker({ url });
    const inPython = await talkingInPython(call.calls, url);

    // The process of a queue that has lost the majority of its nodes confirms nothing either.
    const queue = `whereis('%2F_${parley.topology.eventsQueue}')`;
    await node.control('eval', `sys:suspend(${queue}).`);
    call.finish();
    await until(() => logged(call, /Lost the connection .* confirmed nothing/) > 0);
    await until(() => logged(call, new RegExp(`Connected to .*:${new URL(other.url).port}`)) > 0);
    await until(() => other.connections === (findPython() ? 2 : 1));
    await node.control('eval', `sys:resume(${queue}).`);

    await expectEnded(call.calls, call.id);
    await inPython.expectEnded();
    await other.cut();
  });

  test('keeps the reports of a killed process in its outbox, and sends them at the next start', async () => {
    const outbox = join(folder, 'outbox');
    const handler = `
      await call.connected();
      call.turn({ speaker: 'agent', text: 'Hello' });
      await new Promise((resolve) => process.once('SIGUSR2', resolve));
      call.turn({ speaker: 'agent', text: 'Goodbye' });
      return { summary: 'Talked.' };`;
    const options = { url: proxy.url, outbox };
    const first = await WorkerProcess.start(parley, { handler, options });
    processes.push(first);
    const calls = await newCalls();
    const id = await startCall(calls);
    await calls.reached(id, 'connected');

    await proxy.cut();
    await until(() => first.output.includes('state connecting'));
    first.signal('SIGUSR2');
    await until(() => first.output.includes('ended'));
    await first.kill();
    await proxy.restore();
    const second = await WorkerProcess.start(parley, { handler, options });
    processes.push(second);

    await expectEnded(calls, id);
    second.signal('SIGTERM');
    expect(await second.ended()).toBe(0);
    expect(readdirSync(outbox)).toEqual([]);
  });

  // This test is the last one: a quorum queue of RabbitMQ 3.10 may refuse messages for a while after its node was
  // killed.
  test('reports the end of a call when RabbitMQ was killed and started again, in Python too', async () => {
    const call = await talkingWorker({ url: node.url });
    const inPython = await talkingInPython(call.calls);

    await node.kill();
    await until(() => call.worker.stats().state === 'connecting');
    call.finish();
    await node.start();

    await expectEnded(call.calls, call.id);
    await inPython.expectEnded();
    await expectWorking(call.calls);
    expect(logged(call, /Cannot connect/)).toBeLessThanOrEqual(3);
  });
});

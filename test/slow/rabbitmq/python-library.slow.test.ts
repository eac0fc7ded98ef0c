import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAgent } from '../../support/agents';
import { AgentCalls } from '../../support/calls';
import { ModelServer } from '../../support/model-server';
import { useOwnParley } from '../../support/parley';
import { findPython, PYTHON_PACKAGE, PythonProcess } from '../../support/python-processes';
import { PythonWheel } from './python-wheel';
import { rabbitmqUrl, withChannel } from '../../support/rabbitmq';
import { TcpProxy } from '../../support/tcp-proxy';
import { until } from '../../support/until';

const RUNTIME = join(PYTHON_PACKAGE, 'examples/conformance.py');
const BLOCKING = join(__dirname, 'blocking-worker.py');

const onRabbitmq = globalThis.BROKER === 'rabbitmq';
const python = (onRabbitmq ? findPython() : undefined) as string;

/** A telephony in memory: 01 at the end of a number is busy, 02 hangs up, and a number on standard input rings. */
const TELEPHONY = `
import sys, threading
from bridge import DialError, Recording, create_bridge

class Line:
    def __init__(self):
        self.down = threading.Event()
    def is_up(self):
        return not self.down.is_set()
    def hang_up(self):
        self.down.set()
    def recording(self):
        return Recording("https://a.example/1.wav", 2)

class Ringing:
    from_number, id = "", "trunk-1"
    def __init__(self, to):
        self.to = to
    def answer(self):
        return Line()
    def decline(self):
        print("declined", flush=True)

class Telephony:
    def dial(self, to, from_number, call):
        if to.endswith("01"):
            raise DialError("busy")
        line = Line()
        if to.endswith("02"):
            threading.Timer(0.3, line.hang_up).start()
        return line
    def on_ringing(self, ring):
        def read():
            for to in sys.stdin:
                threading.Thread(target=ring, args=(Ringing(to.strip()),), daemon=True).start()
        threading.Thread(target=read, daemon=True).start()

def agent(call, line):
    call.turn("agent", call.start["greeting"])
    if call.start["to_number"].endswith("02"):
        line.down.wait()
    return {"reason": "agent_hangup", "by": "agent", "summary": call.direction}

create_bridge(Telephony(), agent).run()
`;

const TALK = `
import json, sys
from chat import Model, chat
from parley_worker import fake_server

class Person:
    heard, lines = [], ["When do you close?", "Thanks."]
    def hears(self, text):
        self.heard.append(text)
    def says(self, call):
        return self.lines.pop(0) if self.lines else None

person, model = Person(), Model(sys.argv[1], "key", "a-model")
agent = {"prompt": "Be kind.", "llmConfig": {"temperature": 0.5, "maxTokens": 100}}
seen = fake_server().offer(lambda call: chat(call, person, model), {"greeting": "Hello!", "agent": agent})
print(json.dumps({
    "turns": [f"{turn['speaker']}: {turn['text']}" for turn in seen["turns"]],
    "heard": person.heard,
    "end": [seen["end"][name] for name in ("type", "reason", "by", "summary")],
}))
`;

/** @param settings of the server */
function usePython(settings: Record<string, string>) {
  const prefix = `test-${randomBytes(6).toString('hex')}`;
  const parley = useOwnParley({ BROKER_PREFIX: prefix, SWEEP_INTERVAL_MS: '100', ...settings });
  const processes: PythonProcess[] = [];
  let proxy: TcpProxy;

  beforeEach(async () => (proxy = await TcpProxy.to(rabbitmqUrl ?? '')));
  afterEach(async () => {
    await Promise.all(processes.splice(0).map((each) => each.stop('SIGKILL')));
    await proxy.cut();
  });

  return {
    parley,
    proxy: () => proxy,
    start: (program: string, env: Record<string, string> = {}) => {
      const started = new PythonProcess(python, program, {
        RABBITMQ_URL: proxy.url,
        BROKER_PREFIX: prefix,
        ...env,
      });
      processes.push(started);
      return started;
    },
    agentCalls: async () => {
      const workspace = await parley.workspace({ credits: 50 });
      return new AgentCalls(workspace.api, await createAgent(workspace, { name: 'Front desk' }));
    },
  };
}

const whoseCallee = (callee: string) => ({ dynamic_variables: { callee } });

if (!onRabbitmq) test.skip('The library for workers in Python needs RabbitMQ', () => undefined);
else if (!python) test.skip('The library for workers in Python needs a python3 with pika', () => undefined);
else {
  describe('The library for workers in Python', () => {
    const { parley, proxy, start, agentCalls } = usePython({ LEASE_SECONDS: '600', HEARTBEAT_SECONDS: '1' });

    test('passes its own tests', () => {
      const args = ['-m', 'unittest', 'discover', join(PYTHON_PACKAGE, 'test')];
      const { status, stderr } = spawnSync(python, args, {
        env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
      });
      const passed = expect.stringMatching(/\nOK\n$/) as string;
      expect({ status, stderr: String(stderr) }).toEqual({ status: 0, stderr: passed });
    });

    describe('as a wheel that is installed into an empty folder without the network', () => {
      let wheel: PythonWheel;

      beforeAll(async () => {
        wheel = await PythonWheel.install(python);
      });
      afterAll(() => wheel.remove());

      test('has a description without links into the repository', () => {
        const [info = ''] = readdirSync(wheel.path).filter((name) => name.endsWith('.dist-info'));
        const description = readFileSync(join(wheel.path, info, 'METADATA'), 'utf8');

        expect(description).toContain('# parley-worker');
        expect(description).not.toMatch(/\]\((?!https?:|#)/);
      });

      const startInstalled = (program: string) => start(program, { PYTHONPATH: wheel.path });

      test('has examples that run from there: the scripted one says its lines', async () => {
        const calls = await agentCalls();
        const id = await calls.start();

        const worker = startInstalled(join(wheel.folder, 'scripted.py'));

        expect(await calls.reached(id, 'disconnected').catch(worker.explain)).toMatchObject({
          metadata: { outcome: 'informed' },
        });
      });

      test('the bridge dials and answers', async () => {
        const calls = await agentCalls();
        await calls.api.put(`/api/agents/${calls.agentId}/phone-number`, { phone_number: '+15557001166' });
        const bridge = startInstalled(wheel.write('telephony.py', TELEPHONY));
        const callTo = (to_number: string) => calls.start({ to_number });

        const [busy, left, answered] = await Promise.all(
          ['+15551234501', '+15551234502', '+15551234567'].map(callTo),
        );

        expect(await calls.reached(busy as string, 'failed').catch(bridge.explain)).toMatchObject({
          disconnect_reason: 'dial_busy',
        });
        expect(await calls.reached(left as string, 'disconnected')).toMatchObject({
          disconnect_reason: 'user_hangup',
        });
        expect(await calls.reached(answered as string, 'disconnected')).toMatchObject({
          metadata: { summary: 'outbound' },
        });
        bridge.write('+15557001166');
        const incoming = await until(async () => {
          const { body } = await calls.api.get('/api/calls?direction=inbound&status=disconnected');
          return (body.data as { has_recording: boolean }[])[0];
        }).catch(bridge.explain);
        expect(incoming).toMatchObject({ to_number: '+15557001166' });
        bridge.write('+15550000000');
        await until(() => bridge.output.includes('declined')).catch(bridge.explain);
      });

      test('the chat conducts a conversation with a model over HTTP, part by part', async () => {
        const model = await ModelServer.start([
          ['We are ', 'open ', 'until five – ', 'sorry.'],
          ['Good', 'bye!'],
        ]);
        const talk = wheel.write('talk.py', TALK);

        const stdout = await wheel.run(talk, model.url);
        model.stop();

        expect(JSON.parse(stdout)).toEqual({
          turns: [
            'agent: Hello!',
            'user: When do you close?',
            'agent: We are open until five – sorry.',
            'user: Thanks.',
            'agent: Goodbye!',
          ],
          heard: ['Hello!', 'We are ', 'open ', 'until five – ', 'sorry.', 'Good', 'bye!'],
          end: ['call.ended.v1', 'user_hangup', 'user', '5 messages.'],
        });
        expect(model.requests[1]).toMatchObject({ model: 'a-model', temperature: 0.5, max_tokens: 100 });
        expect(model.requests[1]?.messages.map(({ role }) => role)).toEqual([
          ...['system', 'assistant', 'user', 'assistant', 'user'],
        ]);
      });
    });

    test('reports an end after the connection was cut', async () => {
      const worker = start(RUNTIME);
      const calls = await agentCalls();
      const id = await calls.start(whoseCallee('answers 1'));
      await calls.reached(id, 'connected').catch(worker.explain);

      await proxy().cut();
      await proxy().restore();

      expect(await calls.reached(id, 'disconnected').catch(worker.explain)).toMatchObject({
        disconnect_reason: 'user_hangup',
        disconnected_by: 'user',
      });
    });

    test('reports an end that a killed process had in its outbox', async () => {
      const outbox = mkdtempSync(join(tmpdir(), 'outbox-'));
      const calls = await agentCalls();
      const worker = start(RUNTIME, { PARLEY_OUTBOX: outbox });
      const id = await calls.start(whoseCallee('answers 1'));
      await calls.reached(id, 'connected').catch(worker.explain);
      await proxy().cut();
      await until(() => reportsIn(outbox).includes('call.ended.v1'));
      await worker.stop('SIGKILL');
      await proxy().restore();
      expect(await calls.conversation(id)).toMatchObject({ status: 'connected' });

      start(RUNTIME, { PARLEY_OUTBOX: outbox });

      expect(await calls.reached(id, 'disconnected')).toMatchObject({ disconnect_reason: 'user_hangup' });
      await until(() => !reportsIn(outbox).includes('call.ended.v1'));
    });

    test('lets calls end when it is stopped, and takes no further ones', async () => {
      const calls = await agentCalls();
      const worker = start(RUNTIME, { PARLEY_CAPACITY: '2' });
      const first = await calls.start(whoseCallee('answers 1'));
      await calls.reached(first, 'connected').catch(worker.explain);
      const stopped = worker.stop();

      expect(await calls.reached(first, 'disconnected')).toMatchObject({ disconnect_reason: 'user_hangup' });
      expect(await stopped).toBe(0);
      const second = await calls.start(whoseCallee('busy'));
      expect(await calls.conversation(second)).toMatchObject({ status: 'queued' });
      start(RUNTIME);
      expect(await calls.reached(second, 'failed')).toMatchObject({ disconnect_reason: 'dial_busy' });
    });

    test('cuts calls that do not end in time, with a true end', async () => {
      const calls = await agentCalls();
      const worker = start(BLOCKING, { PARLEY_DRAIN_SECONDS: '0' });
      const id = await calls.start({ dynamic_variables: { seconds: '600' } });
      await calls.reached(id, 'connected').catch(worker.explain);

      expect(await worker.stop()).toBe(0);

      expect(await calls.reached(id, 'disconnected')).toMatchObject({
        disconnect_reason: 'error',
        disconnected_by: 'system',
      });
    });

    test('has no more calls than its capacity, and leaves the rest to others', async () => {
      const calls = await agentCalls();
      const full = start(RUNTIME, { PARLEY_CAPACITY: '2' });
      const first = await Promise.all([1, 2].map(() => calls.start(whoseCallee('answers 600'))));
      for (const id of first) await calls.reached(id, 'connected').catch(full.explain);
      const third = await calls.start(whoseCallee('busy'));

      start(RUNTIME);

      expect(await calls.reached(third, 'failed')).toMatchObject({ disconnect_reason: 'dial_busy' });
      expect(await calls.conversation(first[0] as string)).toMatchObject({ status: 'connected' });
    });

    test('conducts the calls of its workspace alone, if PARLEY_WORKSPACE confines it to that', async () => {
      const [own, other] = [await agentCalls(), await agentCalls()];
      const foreign = await other.start(whoseCallee('busy'));
      const { workspaceId } = await own.conversation(await own.start(whoseCallee('busy')));
      const worker = start(RUNTIME, { PARLEY_WORKSPACE: workspaceId as string, PARLEY_CAPACITY: '1' });

      const last = await own.start(whoseCallee('busy'));

      expect(await own.reached(last, 'failed').catch(worker.explain)).toMatchObject({
        disconnect_reason: 'dial_busy',
      });
      expect(await other.conversation(foreign)).toMatchObject({ status: 'queued' });
    });

    test('waits for a queue that is declared later, and conducts its calls', async () => {
      const calls = await agentCalls();
      const { calls: exchange } = parley.topology;
      const queue = `${exchange}.later`;
      const worker = start(RUNTIME, { PARLEY_QUEUE: queue });
      await until(() => worker.output.includes('has no such queue')).catch(worker.explain);

      await withChannel(async (channel) => {
        await channel.assertQueue(queue);
        await channel.bindQueue(queue, exchange, 'call.start.later.*');
        const id = await calls.start({ channel: 'later', ...whoseCallee('busy') });

        expect(await calls.reached(id, 'failed').catch(worker.explain)).toMatchObject({
          disconnect_reason: 'dial_busy',
        });
        await channel.deleteQueue(queue);
      });
      expect(worker.output.match(/has no such queue/g)).toHaveLength(1);
    });

    test('reports at once a failure that does not pass by itself', async () => {
      const wrong = new URL(rabbitmqUrl ?? '');
      wrong.password = 'wrong';
      const worker = start(RUNTIME, { RABBITMQ_URL: wrong.href });

      expect(await worker.ended()).toBe(1);

      expect(worker.output).toContain('refuses the user name or the password');
      expect(worker.output).not.toContain('wrong@');
    });
  });

  describe('A handler in Python that computes for longer than the lease', () => {
    const { start, agentCalls } = usePython({ LEASE_SECONDS: '1' });

    test('keeps its call', async () => {
      const calls = await agentCalls();
      const worker = start(BLOCKING);

      const id = await calls.start({ dynamic_variables: { seconds: '3' } });

      expect(await calls.reached(id, 'disconnected').catch(worker.explain)).toMatchObject({
        disconnect_reason: 'agent_hangup',
      });
    });
  });
}

function reportsIn(outbox: string): string {
  return readdirSync(outbox)
    .map((name) => join(outbox, name, 'reports'))
    .filter((path) => existsSync(path))
    .map((path) => readFileSync(path, 'utf8'))
    .join('');
}

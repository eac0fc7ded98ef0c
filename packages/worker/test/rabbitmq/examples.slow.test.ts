import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAgent } from '../../../../test/support/agents';
import { AgentCalls } from '../../../../test/support/calls';
import { PackedPackage } from '../../../../test/support/packed-package';
import { useOwnParley } from '../../../../test/support/parley';
import { rabbitmqUrl } from '../../../../test/support/rabbitmq';
import { until } from '../../../../test/support/until';

/** A telephony in memory: numbers that end with 01 are busy, and the command `ring` rings. */
const TELEPHONY = `
  import { createBridge, DialError } from './bridge.mjs';
  const line = () => ({ hungUp: new Promise(() => {}), hangUp() {}, recording: async () => ({ url: 'https://a.example/1.wav', seconds: 2 }) });
  const telephony = {
    dial: async (to) => {
      if (to.endsWith('01')) throw new DialError('busy');
      return line();
    },
    onRinging: (ring) => process.stdin.on('data', (to) => ring({
      to: String(to).trim(), from: '', id: 'trunk-1', answer: async () => line(), decline: () => console.log('declined'),
    })),
  };
  const agent = async (call) => {
    call.turn({ speaker: 'agent', text: call.start.greeting });
    return { reason: 'agent_hangup', by: 'agent', summary: call.direction };
  };
  await createBridge(telephony, agent).run();
  process.stdin.destroy();`;

describe('The examples of the package, run where it is installed', () => {
  const parley = useOwnParley();
  let packed: PackedPackage;
  let judged: Promise<string>;
  const running: ChildProcess[] = [];

  beforeAll(async () => {
    packed = await PackedPackage.install('worker');
    await packed.compile();
    writeFileSync(join(packed.folder, 'telephony.mjs'), TELEPHONY);
    // The kit waits most of the time, so it runs beside the other tests.
    judged = judge();
    judged.catch(() => undefined); // The last test reports it.
  });
  afterAll(() => packed.remove());

  function judge(): Promise<string> {
    const kit = join(__dirname, '../../../conformance/dist/cli.js');
    const options = ['--url', rabbitmqUrl ?? '', '--parallel', '12', '--strict'];
    return packed.run(kit, ...options, '--', process.execPath, 'conformance.mjs');
  }

  function run(program: string) {
    const prefix = parley.topology.calls.replace(/\.calls$/, '');
    const child = spawn(process.execPath, [program], {
      cwd: packed.folder,
      env: { PATH: process.env.PATH, RABBITMQ_URL: rabbitmqUrl, BROKER_PREFIX: prefix },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    running.push(child);
    return child;
  }

  // Each program ends by itself after a SIGTERM.
  afterEach(async () => {
    for (const child of running.splice(0)) {
      child.kill();
      if (child.exitCode === null) await once(child, 'exit');
      expect(child.exitCode).toBe(0);
    }
  });

  async function newAgent() {
    const workspace = await parley.workspace();
    const agentId = await createAgent(workspace, { greeting: 'Good day!' });
    return { workspace, agentId, calls: new AgentCalls(workspace.api, agentId) };
  }

  test('the scripted one says its lines', async () => {
    run('scripted.mjs');
    const { workspace, calls } = await newAgent();

    const id = await calls.start();

    expect(await calls.reached(id, 'disconnected')).toMatchObject({ metadata: { outcome: 'completed' } });
    const { turns } = await until(async () => {
      const { body } = await workspace.api.get(`/api/calls/${id}/transcript`);
      return body.data.complete && body.data;
    });
    expect(turns.map(({ text }: { text: string }) => text)).toEqual([
      'Good day!',
      'Is this a good moment?',
      'Thank you. Goodbye!',
    ]);
  });

  test('the bridge dials and answers', async () => {
    const bridge = run('telephony.mjs');
    const { workspace, agentId, calls } = await newAgent();
    await workspace.api.put(`/api/agents/${agentId}/phone-number`, { phone_number: '+15557001155' });

    const busy = await calls.start({ to_number: '+15551234501' });
    const answered = await calls.start({ to_number: '+15551234567' });

    expect(await calls.reached(busy, 'failed')).toMatchObject({ disconnect_reason: 'dial_busy' });
    expect(await calls.reached(answered, 'disconnected')).toMatchObject({
      metadata: { summary: 'outbound' },
    });
    bridge.stdin?.write('+15557001155\n');
    const incoming = await until(async () => {
      const { body } = await workspace.api.get('/api/calls?direction=inbound&status=disconnected');
      return (body.data as { external_id: string }[])[0];
    });
    expect(incoming).toMatchObject({ to_number: '+15557001155' });
  });

  test('the one for tests of the contract keeps every rule', async () => {
    expect(await judged).toContain('36 passed, 0 failed, 0 warnings, 0 skipped');
  });
});

import type { Channel } from 'amqplib';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PackedPackage } from '../../../../test/support/packed-package';
import { findPython, PYTHON_PACKAGE } from '../../../../test/support/python-processes';
import { rabbitmqUrl, withChannel } from '../../../../test/support/rabbitmq';
import { until } from '../../../../test/support/until';

const KIT = join(__dirname, '../..');
const REFERENCE = ['node', join(KIT, 'test/reference-runtime.cjs')];

/** Rules that the reference runtime can break; each begins with the id of the scenario that has to name it. */
const BROKEN_RULES = [
  'claim.before-anything',
  'claim.same-id-on-silence',
  'claim.refused-is-left-alone',
  'ack.after-the-answer',
  'ack.not-held-for-the-call',
  'ack.not-held-for-the-call/unanswered',
  'heartbeat.in-time',
  'heartbeat.in-time/interval',
  'events.type-and-routing-key',
  'ended.reason-is-known',
  'failed.when-not-answered',
  'hangup.obeyed',
  'hangup.obeyed/ringing',
  'message.unknown-fields',
  'hello.every-15-s/capacity',
  'events.resent-until-confirmed',
  'broker.connection-cut/heartbeats',
  'drain.on-sigterm/reason',
  'tools.asked-with-the-call',
  'tools.same-key-on-silence',
  'tools.not-repeated-on-interrupt',
  'tools.result-in-next-turn',
];

/** The number of runs of the kit at once, and of scenarios of a whole run: they wait most of the time. */
const AT_ONCE = 6;
const WHOLE = ['--parallel', '6'];

interface Run {
  code: number;
  stdout: string;
  stderr: string;
}

/** The kit as its users have it: packed, and installed into an empty folder. */
let packed: PackedPackage;

function runKit(args: string[], env: Record<string, string> = {}): Promise<Run> {
  return new Promise((resolve) => {
    execFile(
      join(packed.folder, 'node_modules/.bin/parley-conformance'),
      ['--url', rabbitmqUrl ?? '', ...args],
      { env: { ...process.env, ...env }, maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) =>
        resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
    );
  });
}

const getScenario = (broken: string) => broken.replace(/\/.*/, '');

/** Runs the kit on a runtime that breaks one rule, with the scenarios of that rule and of another one. */
async function judge(broken: string): Promise<{ code: number; failed: string[] }> {
  const rule = getScenario(broken);
  const other = rule === 'ended.reason-is-known' ? 'topology.declares-nothing' : 'ended.reason-is-known';
  const { code, stdout, stderr } = await runKit(
    ['--json', '--strict', '--parallel', '2', '--scenario', rule, '--scenario', other, '--', ...REFERENCE],
    {
      BREAKS: broken,
    },
  );
  if (stdout === '') throw new Error(`The kit could not judge ${rule}: ${stderr}`);
  const { scenarios } = JSON.parse(stdout) as { scenarios: { id: string; result: string }[] };
  return { code, failed: scenarios.filter(({ result }) => result === 'failed').map(({ id }) => id) };
}

/** undefined: RabbitMQ does not have it */
const ifThere = <T>(check: (channel: Channel) => Promise<T>) =>
  withChannel((channel) => {
    channel.on('error', () => undefined); // The check fails.
    return check(channel);
  }).catch(() => undefined);

const countConsumers = async (queue: string) =>
  (await ifThere((channel) => channel.checkQueue(queue)))?.consumerCount;

if (globalThis.BROKER !== 'rabbitmq') test.skip('The conformance kit needs RabbitMQ', () => undefined);
else {
  describe('The conformance kit', () => {
    const judged = new Map<string, { code: number; failed: string[] }>();
    const out = mkdtempSync(join(tmpdir(), 'conformance-'));
    const python = findPython();
    let whole: Run;
    let wholeInPython: Run;
    let ofExpected: Run[];
    let ofWarned: Run[];

    const runInPython = (command: string) => {
      const program = join(PYTHON_PACKAGE, 'examples/conformance.py');
      const env = { PYTHONPATH: PYTHON_PACKAGE, PYTHONDONTWRITEBYTECODE: '1' };
      return runKit([...WHOLE, '--', command, program], env);
    };
    /** A runtime that breaks the rule that may be broken, and one that keeps it. */
    const runExpected = () => {
      const file = join(out, 'expected');
      writeFileSync(file, '# known\nhangup.obeyed  # until the next release\n');
      const args = ['--scenario', 'hangup.obeyed', '--expected-failures', file, '--', ...REFERENCE];
      return Promise.all([runKit(args, { BREAKS: 'hangup.obeyed' }), runKit(args)]);
    };
    /** The same broken SHOULD, without and with --strict. */
    const runWarned = () => {
      const args = ['--scenario', 'events.persistent', '--', ...REFERENCE];
      const env = { BREAKS: 'events.persistent' };
      return Promise.all([runKit(args, env), runKit(['--strict', ...args], env)]);
    };

    beforeAll(async () => {
      packed = await PackedPackage.install('conformance');
      // The longest runs begin first.
      const waiting = [
        async () => void (whole = await runKit([...WHOLE, '--out', out, '--', ...REFERENCE])),
        async () => python && void (wholeInPython = await runInPython(python)),
        ...BROKEN_RULES.map((rule) => async () => void judged.set(rule, await judge(rule))),
        async () => void (ofExpected = await runExpected()),
        async () => void (ofWarned = await runWarned()),
      ];
      const take = async () => {
        for (let run = waiting.shift(); run !== undefined; run = waiting.shift()) await run();
      };
      await Promise.all(Array.from({ length: AT_ONCE }, take));
    });
    afterAll(() => packed.remove());

    test('needs no package of Parley, and lists its scenarios where it is installed', async () => {
      const installed = readdirSync(join(packed.folder, 'node_modules/@parley'));
      expect(installed).toEqual(['conformance']);
      const { stdout } = await runKit(['--list', '--json']);
      expect(JSON.parse(stdout)).toHaveLength(36);
    });

    test('reports no violation of a runtime that keeps every rule', () => {
      const passed = expect.stringContaining('36 passed, 0 failed, 0 warnings, 0 skipped') as unknown;
      expect(whole).toEqual({ code: 0, stderr: '', stdout: passed });
    });

    test.each(BROKEN_RULES)('finds a runtime that breaks %s', (broken) => {
      const failed = expect.arrayContaining([getScenario(broken)]) as unknown;
      expect(judged.get(broken)).toEqual({ code: 1, failed });
    });

    test.each([
      {
        signal: 'SIGINT',
        consumers: 1,
        what: 'takes calls',
        runtime: `require(${JSON.stringify(REFERENCE[1])})`,
      },
      { signal: 'SIGTERM', consumers: 0, what: 'does not', runtime: 'setInterval(() => undefined, 1_000)' },
    ] as const)(
      'ends a runtime that $what and deletes its queues when it is ended by $signal',
      async ({ signal, consumers, runtime }) => {
        const seen = join(out, signal);
        const program = `
          require('node:fs').writeFileSync(${JSON.stringify(seen)}, process.pid + ' ' + process.env.BROKER_PREFIX);
          ${runtime};`;
        const kit = spawn(
          join(packed.folder, 'node_modules/.bin/parley-conformance'),
          ['--url', rabbitmqUrl ?? '', '--scenario', 'hello.every-15-s', '--', 'node', '-e', program],
          { stdio: 'ignore' },
        );
        const ended = once(kit, 'exit');
        const [pid, prefix] = (await until(() => existsSync(seen) && readFileSync(seen, 'utf8'))).split(' ');
        await until(async () => (await countConsumers(`${prefix}.calls.default`)) === consumers);

        kit.kill(signal);

        expect(await ended).toEqual([null, signal]);
        expect(() => process.kill(Number(pid), 0)).toThrow('ESRCH');
        for (const name of ['calls', 'calls.unrouted', 'events', 'commands']) {
          expect(await ifThere((channel) => channel.checkExchange(`${prefix}.${name}`))).toBeUndefined();
        }
        expect(await countConsumers(`${prefix}.calls.default`)).toBeUndefined();
      },
    );

    test('has a sentence of the contract for each scenario', () => {
      const contract = readFileSync(join(KIT, '../../docs/runtime-contract.md'), 'utf8');
      const { scenarios } = JSON.parse(readFileSync(join(out, 'report.json'), 'utf8')) as {
        scenarios: { id: string }[];
      };
      expect(scenarios.filter(({ id }) => !contract.includes(`\`${id}\``))).toEqual([]);
    });

    test('writes reports for people and programs', () => {
      const report = JSON.parse(readFileSync(join(out, 'report.json'), 'utf8')) as Record<string, unknown>;
      expect(report).toMatchObject({
        kit: expect.stringMatching(/^@parley\/conformance \d/) as unknown,
        command: REFERENCE,
        summary: { passed: 36, failed: 0, warning: 0, skipped: 0 },
      });
      expect((report['scenarios'] as object[])[0]).toMatchObject({
        id: 'claim.before-anything',
        suite: 'core',
        level: 'MUST',
        result: 'passed',
        messages: expect.arrayContaining([expect.objectContaining({ type: 'call.claim.v1' })]) as unknown,
      });
      const junit = readFileSync(join(out, 'junit.xml'), 'utf8');
      expect(junit).toContain('<testsuite name="parley-conformance" tests="36" failures="0" skipped="0"');
      expect(readFileSync(join(out, 'report.html'), 'utf8')).toContain('claim.before-anything');
    });

    test('accepts expected failures, and no others', () => {
      expect(ofExpected.map(({ code }) => code)).toEqual([0, 1]);
    });

    test('warns of a broken SHOULD, which --strict makes a failure', () => {
      expect(ofWarned.map(({ code }) => code)).toEqual([0, 1]);
      expect(ofWarned[0]?.stdout).toContain('! events.persistent');
    });

    test('prints why it could not run', async () => {
      const cases = [
        { args: ['--scenario', 'ack.after-the-answer', '--', 'false'], says: 'ended at once' },
        { args: ['--scenario', 'ack.after-the-answer', '--', '/no/such/program'], says: 'ENOENT' },
        { args: ['--scenario', 'no.such', '--', 'true'], says: 'There is no scenario no.such' },
        { args: ['--suite', 'odd', '--', 'true'], says: 'There is no suite odd' },
        { args: [], says: 'The command of the runtime is missing' },
        { args: ['--url', 'amqp://127.0.0.1:1', '--', 'true'], says: 'RabbitMQ cannot be reached' },
      ];
      const runs = await Promise.all(cases.map(({ args }) => runKit(args)));
      expect(runs.map(({ code, stderr }) => ({ code, stderr }))).toEqual(
        cases.map(({ says }) => ({ code: 2, stderr: expect.stringContaining(says) as unknown })),
      );
    });

    if (!python) test.skip('The runtime in Python needs a python3 with pika', () => undefined);
    else
      test('finds that the library in Python keeps every rule', () => {
        const passed = expect.stringContaining('36 passed') as unknown;
        expect(wholeInPython).toMatchObject({ code: 0, stdout: passed });
      });
  });
}

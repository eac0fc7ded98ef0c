import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ModelServer } from '../../../test/support/model-server';
import { brokenLinks, PackedPackage } from '../../../test/support/packed-package';

const OFFER = `
  fakeServer().offer(async (call) => {
    await call.connected();
    throw new CallFailed('dial_busy');
  }).then(({ end }) => console.log(JSON.stringify(end)));`;

const PROGRAM = `
  import { type Call, type CallResult, CallFailed, createWorker, type Transport } from '@parley/worker';
  import { fakeServer } from '@parley/worker/testing';
  export async function handle(call: Call): Promise<CallResult> {
    if (call.start.agent.callConfig.maxDuration < 1) throw new CallFailed('invalid_destination');
    await call.connected(new Date());
    const [passage] = await call.search('hours', { limit: 1 });
    call.turn({ speaker: 'agent', text: passage?.text ?? call.start.greeting });
    // @ts-expect-error -- not a reason
    if (call.signal.aborted) return { reason: 'bored' };
    return { reason: 'agent_hangup', by: 'agent' };
  }
  export const worker = (transport: Transport) =>
    createWorker({ capacity: 2, transport }, handle).on('end', ({ reason }) => console.log(reason));
  export const offered = async () => (await fakeServer().offer(handle, { start: { agent: { prompt: '' } } })).end.by;`;

/** The variable that the parts of a handler in the README use. */
const HANDLER_FILE = `
  import type { Call } from '@parley/worker';
  declare const call: Call;
`;

/** The variables that the test of a handler in the README has in its own file. */
const TEST_FILE = `
  import type { Call } from '@parley/worker';
  declare const handler: (call: Call) => Promise<void>;
  declare const test: (title: string, run: () => Promise<void>) => void;
  declare const expect: (value: unknown) => Record<'toEqual' | 'toMatchObject', (expected: unknown) => void>;
`;

/** The code of the README in a language, as it is written there. */
const readme = (language: string) =>
  [
    ...readFileSync(join(__dirname, '../README.md'), 'utf8').matchAll(
      new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'),
    ),
  ].map(([, code]) => code as string);

describe('The package, packed and installed into an empty folder', () => {
  let packed: PackedPackage;

  beforeAll(async () => {
    packed = await PackedPackage.install('worker');
  });
  afterAll(() => packed.remove());

  test('has no dependency but amqplib', () => {
    const installed = readdirSync(join(packed.folder, 'node_modules')).filter(
      (name) => !name.startsWith('.'),
    );
    expect(installed).toEqual(['@parley', 'amqplib']);
  });

  test('is used from ESM, from CommonJS and from both in one program', async () => {
    writeFileSync(
      join(packed.folder, 'both.mjs'),
      `import { createRequire } from 'node:module';
      import { CallFailed } from '@parley/worker';
      import { fakeServer } from '@parley/worker/testing';
      const required = createRequire(import.meta.url)('@parley/worker');
      if (required.CallFailed !== CallFailed) throw new Error('There are two of it.');
      ${OFFER}`,
    );
    writeFileSync(
      join(packed.folder, 'required.cjs'),
      `const { CallFailed } = require('@parley/worker');
      const { fakeServer } = require('@parley/worker/testing');
      ${OFFER}`,
    );
    const end = '{"type":"call.ended.v1","reason":"error","by":"system"}\n';

    expect(await packed.run('both.mjs')).toBe(end);
    expect(await packed.run('required.cjs')).toBe(end);
  });

  test('has types for strict TypeScript, in ESM and CommonJS, as its examples and its README do', async () => {
    const [program, tool, analysis, ...tests] = readme('ts') as [string, string, string, ...string[]];
    await packed.compile({
      'program.mts': PROGRAM,
      'program.cts': PROGRAM,
      'readme.mts': program,
      'readme-tool.mts': HANDLER_FILE + tool,
      'readme-analysis.mts': HANDLER_FILE + analysis,
      'readme-test.mts': TEST_FILE + tests.join('\n'),
    });
  });

  test('has a README whose links lead into the package, and which names the packed file', () => {
    expect(brokenLinks(join(packed.folder, 'node_modules/@parley/worker'))).toEqual([]);
    const [install] = readme('sh');
    for (const tarball of packed.tarballs) expect(install).toContain(tarball);
  });

  test('has examples that compile as its README says', async () => {
    const [, commands = ''] = readme('sh');
    const [, options = ''] = /npx tsc (.*) \*\.mts/.exec(commands) ?? [];
    const folder = join(packed.folder, 'compiled');
    const package_ = join(packed.folder, 'node_modules/@parley/worker');
    cpSync(join(package_, 'examples'), folder, { recursive: true });
    const root = join(__dirname, '../../../node_modules');
    const files = readdirSync(folder).map((file) => join('compiled', file));

    await packed.run(
      join(root, 'typescript/bin/tsc'),
      ...options.split(' '),
      ...['--typeRoots', join(root, '@types')],
      ...files,
    );

    expect(readdirSync(folder)).toContain('scripted.mjs');
    expect(commands).toContain('node scripted.mjs');
  }, 120_000);

  test('runs in a bundle that has its thread, and names the missing file in one that does not', async () => {
    const program = `
      const { createWorker } = require('@parley/worker');
      const warn = (message) => { console.log(message); void worker.stop(); };
      const logger = { debug() {}, info() {}, warn, error() {} };
      const worker = createWorker({ url: 'amqp://127.0.0.1:1', logger }, () => undefined);
      worker.run().catch((error) => console.log(error.message));`;
    writeFileSync(join(packed.folder, 'bundled.cjs'), program);
    const rolldown = join(__dirname, '../../../node_modules/rolldown/dist/index.mjs');
    writeFileSync(
      join(packed.folder, 'bundle.mjs'),
      `import { rolldown } from ${JSON.stringify(rolldown)};
      for (const [dir, more] of [['alone', {}], ['whole', { thread: '@parley/worker/thread' }]]) {
        const bundle = await rolldown({ input: { program: './bundled.cjs', ...more }, platform: 'node' });
        await bundle.write({ dir, format: 'cjs', entryFileNames: '[name].js' });
      }`,
    );
    await packed.run('bundle.mjs');

    expect(await packed.run('alone/program.js')).toMatch(
      /thread\.js does not exist: a bundler has probably included/,
    );
    expect(await packed.run('whole/program.js')).toMatch(
      /^Cannot connect to RabbitMQ at 127\.0\.0\.1:1 .*ECONNREFUSED/,
    );
  });

  test('conducts a conversation with a model over HTTP, part by part', async () => {
    const model = await ModelServer.start([
      ['We are ', 'open ', 'until five – ', 'sorry.'],
      ['Good', 'bye!'],
    ]);
    await packed.compile();
    writeFileSync(
      join(packed.folder, 'talk.mjs'),
      `import { fakeServer } from '@parley/worker/testing';
      import { chat } from './chat.mjs';
      const says = ['When do you close?', 'Thanks.'];
      const heard = [];
      const person = { hears: (text) => heard.push(text), says: async () => says.shift() };
      const model = { url: process.argv[2], key: 'key', name: 'a-model' };
      const { turns, end } = await fakeServer().offer((call) => chat(call, person, model), { start: { greeting: 'Hello!' } });
      console.log(JSON.stringify({ turns: turns.map(({ speaker, text }) => speaker + ': ' + text), heard, end }));`,
    );
    const stdout = await packed.run('talk.mjs', model.url);
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
      end: { type: 'call.ended.v1', reason: 'user_hangup', by: 'user', summary: '5 messages.' },
    });
    expect(model.requests[1]?.messages.map(({ role }) => role)).toEqual([
      'system',
      'assistant',
      'user',
      'assistant',
      'user',
    ]);
  });
});

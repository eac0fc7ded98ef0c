import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brokenLinks, PackedPackage } from '../../../test/support/packed-package';
import { useStarted } from '../../../test/support/use-started';
import { ClientServer } from './support/client-server';

const execute = promisify(execFile);

const server = useStarted(() => ClientServer.start());

const PROGRAM = `
  import { Parley, ParleyError, type Schemas } from '@parley/client';
  export const parley = new Parley({ baseUrl: 'http://127.0.0.1:3000', apiKey: 'key', maxRetries: 2, timeoutMs: 30_000 });
  export async function run(agentId: string): Promise<Schemas['CallDetailDto']> {
    const { conversation_id } = await parley.calls.start(agentId, { to_number: '+15551234567' });
    for await (const call of parley.calls.list({ status: 'failed', disconnect_reason: ['dial_busy', 'dial_failed'] })) {
      console.log(call.call_id, call.disconnect_reason === 'dial_busy');
    }
    // @ts-expect-error -- not a status
    parley.calls.list({ status: 'over' });
    // @ts-expect-error -- the client counts the pages
    parley.calls.list({ page: 2 });
    // @ts-expect-error -- an agent needs a type
    await parley.agents.create({ name: 'Front desk' });
    await parley.agents.create({ type: 'outbound', llmConfig: { temperature: 0.5 } });
    await parley.campaigns.create({ file: Buffer.from(''), campaignName: 'A', assistantId: agentId });
    const event = parley.webhooks.verify('{}', new Headers(), 'whsec_AAAA');
    if (event.type !== 'webhook.test') console.log(event.data.disconnect_reason);
    return parley.calls.waitForEnd(conversation_id, { timeoutMs: 60_000 });
  }
  export const isBusy = (error: unknown) => error instanceof ParleyError && error.code === 'RATE_LIMITED';`;

const START = `
  const parley = new Parley({ baseUrl: process.argv[2], apiKey: process.argv[3] });
  parley.agents.create({ type: 'outbound' })
    .then(({ _id }) => parley.calls.start(_id, { to_number: '+15551234501' }))
    .then(({ conversation_id }) => parley.calls.waitForEnd(conversation_id))
    .then(({ disconnect_reason }) => console.log(disconnect_reason));`;

/** The code of the README in a language, as it is written there. */
const readme = (language: string) =>
  [
    ...readFileSync(join(__dirname, '../README.md'), 'utf8').matchAll(
      new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'),
    ),
  ].map(([, code]) => code as string);

describe('The package, packed and installed into an empty folder', () => {
  let packed: PackedPackage;
  let apiKey: string;

  beforeAll(async () => {
    packed = await PackedPackage.install('client');
    ({ apiKey } = await server.workspace());
  });
  afterAll(() => packed.remove());

  test('has the dependencies that its manifest names, and no sources', () => {
    expect(readdirSync(join(packed.folder, 'node_modules', '@parley', 'client')).sort()).toEqual([
      'README.md',
      'dist',
      'package.json',
    ]);
    expect(brokenLinks(join(packed.folder, 'node_modules', '@parley', 'client'))).toEqual([]);
  });

  test.each([
    ['ESM', 'start.mjs', `import { Parley } from '@parley/client';${START}`],
    ['CommonJS', 'start.cjs', `const { Parley } = require('@parley/client');${START}`],
  ])('starts a call from %s', async (_, file, program) => {
    writeFileSync(join(packed.folder, file), program);
    expect(await packed.run(file, server.parley.url, apiKey)).toBe('dial_busy\n');
  });

  test('has one class of errors for ESM and CommonJS', async () => {
    writeFileSync(
      join(packed.folder, 'both.mjs'),
      `import { createRequire } from 'node:module';
      import { ParleyError } from '@parley/client';
      console.log(createRequire(import.meta.url)('@parley/client').ParleyError === ParleyError);`,
    );
    expect(await packed.run('both.mjs')).toBe('true\n');
  });

  test('has types for strict programs of both kinds and for the examples of its README', async () => {
    const examples = readme('ts').map((code, index) => [`readme-${index}.mts`, code]);
    expect(examples).toHaveLength(2);
    const programs = { 'program.mts': PROGRAM, 'program.cts': PROGRAM };
    await packed.compile({ ...programs, ...(Object.fromEntries(examples) as Record<string, string>) });
  });

  test('has the command line', async () => {
    const parley = join(packed.folder, 'node_modules', '.bin', 'parley');
    const env = { PATH: process.env.PATH, PARLEY_URL: server.parley.url, PARLEY_API_KEY: apiKey };
    const { stdout } = await execute(parley, ['calls', 'list', '--json', '--limit', '1'], { env });
    expect(JSON.parse(stdout)).toMatchObject({ to_number: '+15551234501' });
    expect((await execute(parley, ['--version'], { env })).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { ModuleKind, ScriptTarget, transpileModule } from 'typescript';
import { freePorts } from '../../../launch/process/free-ports.cjs';
import { brokenLinks, PackedPackage } from '../../../test/support/packed-package';
import { until } from '../../../test/support/until';
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

/** The fields that programs send and read. A field of the API that gets another name breaks it. */
const FIELDS = `
  import type { Parley, Schemas } from '@parley/client';
  export const start: Schemas['StartCallDto'] = {
    to_number: '+15551234567', call_type: 'phonecall', direction: 'outbound', channel: 'voice', greeting: 'Hello',
    dynamic_variables: { name: 'Ada' }, customer_name: 'Ada', external_id: '17', memory_id: '17', style: 'calm',
    webhook_url: 'https://example.com/hook',
  };
  export async function read(parley: Parley): Promise<void> {
    const { conversation_id, call_status, join } = await parley.calls.start('agent', start);
    const call = await parley.calls.get(conversation_id);
    const { call_id, agent: { id, name }, status, direction, channel, to_number, from_number, external_id } = call;
    const { created_at, connected_at, ended_at, duration_sec, charge, outcome, disconnect_reason } = call;
    const { disconnected_by, recording_url, has_recording, analysis, campaign_id, dynamic_variables } = call;
    const { metadata: { summary }, worker_id, attempt, agent_config } = call;
    const { turns: [turn], complete } = await parley.calls.transcript(call_id);
    const said = turn && [turn.speaker, turn.text, turn.started_at];
    const [entry] = await parley.calls.timeline(call_id);
    const happened = entry && [entry.at, entry.kind, entry.text, entry.data];
    const { hangup } = await parley.calls.hangup(call_id);
    const { _id, greeting, prompt, llmConfig, knowledgeBases } = await parley.agents.get(id);
    const { data: [version], pagination: { total, hasNextPage } } = await parley.agents.versions(_id).page(1);
    const made = version && [version.version, version.created_at, version.restored_from];
    const campaign = await parley.campaigns.get('campaign');
    const { campaignName, progress: { pending, connected, failed }, outcomes, waiting, failureReason } = campaign;
    for await (const recipient of parley.campaigns.recipients(campaign.campaign_id))
      console.log(recipient.phone_number, recipient.status, recipient.attempts, recipient.last_call_id);
    for await (const base of parley.knowledgeBases.list()) console.log(base._id, base.name, base.sources[0]?.status);
    const { kb_id } = await parley.knowledgeBases.create({ name: 'Hours', baseUrl: 'https://example.com' });
    const [passage] = await parley.knowledgeBases.search(kb_id, { query: 'open' });
    const found = passage && [passage.text, passage.score, passage.source_name];
    for await (const { phone_number, reason, expires_at } of parley.doNotCall.list()) console.log(phone_number);
    const { secret, previous_secret, previous_expires_at } = await parley.webhooks.secret();
    const { delivery_id } = await parley.webhooks.replay('delivery');
    const delivery = await parley.webhooks.delivery(delivery_id);
    const { attempt_count, last_status_code, last_error, payload, attempts } = delivery;
    const { workspaceId, credits, callsUnderWay } = await parley.workspace.get();
    const { totals: { calls, seconds }, groups, buckets } = await parley.reports.series({ interval: 'day' });
    const { erasure_id } = await parley.workspace.erase({ phone_number: to_number });
    for await (const { at, actor, action, target } of parley.audit.list()) console.log(at, actor, action, target);
  }`;

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

/** A TypeScript example as JavaScript, with its address replaced. */
function toProgram(code: string | undefined, address: string, replacement: string): string {
  if (!code?.includes(address)) throw new Error(`The example does not have ${address}`);
  const compilerOptions = { module: ModuleKind.ESNext, target: ScriptTarget.ES2022 };
  return transpileModule(code.replace(address, replacement), { compilerOptions }).outputText;
}

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
    const programs = { 'program.mts': PROGRAM, 'program.cts': PROGRAM, 'fields.mts': FIELDS };
    await packed.compile({ ...programs, ...(Object.fromEntries(examples) as Record<string, string>) });
  });

  test('does what the first example of its README shows: a call, its end, and the failed calls', async () => {
    const workspace = await server.workspace();
    const parley = server.client(workspace);
    const { _id } = await parley.agents.create({ type: 'outbound' });
    const { conversation_id } = await parley.calls.start(_id, { to_number: '+15551234501' });
    await parley.calls.waitForEnd(conversation_id);
    const program = toProgram(readme('ts')[0], 'http://127.0.0.1:3000', server.parley.url);
    writeFileSync(join(packed.folder, 'first.mjs'), program);

    const { stdout } = await execute(process.execPath, ['first.mjs'], {
      cwd: packed.folder,
      env: { PARLEY_API_KEY: workspace.apiKey },
    });

    expect(stdout).toBe(`disconnected agent_hangup\n${conversation_id}\n`);
  });

  test('does what the second example of its README shows: it receives webhooks, and refuses others', async () => {
    const workspace = await server.workspace();
    const parley = server.client(workspace);
    const [port] = await freePorts(1);
    writeFileSync(join(packed.folder, 'webhooks.mjs'), toProgram(readme('ts')[1], '8080', String(port)));
    const { secret } = await parley.webhooks.secret();
    const receiver = spawn(process.execPath, ['webhooks.mjs'], {
      cwd: packed.folder,
      env: { WEBHOOK_SECRET: secret },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const printed = text(receiver.stdout);
    try {
      const webhook_url = `http://127.0.0.1:${port}/`;
      const send = () => fetch(webhook_url, { method: 'POST', body: '{"type":"call.ended"}' });
      const forged = await until(() => send().catch(() => undefined));
      expect(forged.status).toBe(400);
      const { _id } = await parley.agents.create({ type: 'outbound' });
      const { conversation_id } = await parley.calls.start(_id, { to_number: '+15551234567', webhook_url });
      await until(async () => {
        const [delivery] = (await parley.webhooks.deliveries({ type: 'call.ended' }).page(1)).data;
        return delivery?.status === 'delivered';
      });
      receiver.kill();
      await once(receiver, 'exit');
      expect(await printed).toBe(`${conversation_id} agent_hangup\n`);
    } finally {
      receiver.kill('SIGKILL');
    }
  });

  test('does what the commands of its README show, pasted into a shell', async () => {
    const [, commands = ''] = readme('sh');
    writeFileSync(join(packed.folder, 'key.txt'), apiKey);
    const script = `set -e -o pipefail\n${commands.replace('https://parley.example.com', server.parley.url)}`;
    const bin = join(packed.folder, 'node_modules', '.bin');
    const { stdout, stderr } = await execute('bash', ['-c', `${script}\ncomplete -p parley`], {
      cwd: packed.folder,
      env: { PATH: `${bin}:${process.env.PATH}`, HOME: packed.folder },
    });
    for (const expected of [
      /^The key is kept in /m,
      /^disconnected: agent_hangup, /m,
      /^disconnected: user_hangup, /m,
      /^agent: Hello Grace\.$/m,
      /^calls_days +730$/m,
      /\/login#token=/,
      /^recipients +2$/m,
      /completed: 2 disconnected$/m,
      /^complete .*_parley.* parley$/m,
    ])
      expect(stdout).toMatch(expected);
    expect(stderr).toMatch(/^Waiting for the call \S+\n$/);
  });
});

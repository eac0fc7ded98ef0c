import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Parley } from '@parley/client';
import { freePorts } from '../../../launch/process/free-ports.cjs';
import type { TestWorkspace } from '../../../test/support/parley';
import { until } from '../../../test/support/until';
import { ToolServer } from '../../../test/support/mcp-server';
import { useStarted } from '../../../test/support/use-started';
import { WebhookReceiver } from '../../../test/support/webhook-receiver';
import { version } from '../package.json';
import { ClientServer } from './support/client-server';
import { CommandLine } from './support/command-line';
import { type Fault, FaultyProxy, refusal } from './support/faulty-proxy';

const server = useStarted(() => ClientServer.start());
const receiver = useStarted(() => WebhookReceiver.start());
const shop = useStarted(() => ToolServer.start());

// eslint-disable-next-line no-control-regex -- these are the characters that must not reach a terminal
const CONTROLS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/;

const ANSWERED = '+15551234500';
const BUSY = '+15551234501';

const NO_ID = '01890000-0000-7000-8000-000000000000';

/** A command that changes something. */
interface Change {
  words: string[];
  /** The kind of thing that it adds one of: an action of the audit, calls, deliveries or replayed events. */
  adds: string;
  /** Whether it is done despite a fault: it has the same effect twice, or the server does it once by its key. */
  isRepeated: boolean;
  /** The requests that fail, if these are others than the first. */
  failing?: boolean[];
}

const NOW = { 'retry-after': '0' };
const BUSY_SERVER = refusal(503, 'DATABASE_BUSY', NOW);

const CUT_BODY: Fault = { cut: 'body' };

/** The faults of a request, and whether the server has done nevertheless what was asked. */
const FAULTS: [string, Fault, { isDone: boolean }][] = [
  ['there are too many requests', refusal(429, 'RATE_LIMITED', NOW), { isDone: false }],
  ['the server is busy', BUSY_SERVER, { isDone: false }],
  ['the request is lost', { cut: 'request' }, { isDone: false }],
  ['the answer is lost', { cut: 'answer' }, { isDone: true }],
  ['the answer is cut', CUT_BODY, { isDone: true }],
  ['the answer does not come in time', { late: true }, { isDone: true }],
];

/** The time limit of a request, long enough for an answer that comes, also while the machine is busy. */
const TIME_LIMIT = { PARLEY_TIMEOUT_SECONDS: '6' };

describe('The command line, packed and installed into an empty folder', () => {
  let workspace: TestWorkspace;
  let agent: string;
  const parley = useStarted(() =>
    CommandLine.install(() => ({ PARLEY_URL: server.proxy.url, PARLEY_API_KEY: workspace.apiKey })),
  );

  beforeAll(async () => {
    workspace = await server.workspace();
    agent = await parley.print('agents', 'create', '--type', 'outbound', '--name', 'Front desk');
  });
  beforeEach(() => server.proxy.fail());

  const inHome = (name: string, text: string): string => {
    writeFileSync(join(parley.home, name), text);
    return name;
  };

  /** Waits without processes until what the API answers is as expected. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into answers of every shape
  const untilApi = (path: string, isExpected: (data: any) => boolean) =>
    until(async () => isExpected((await workspace.api.get(path)).body.data));

  const waitForEnd = (id: string) =>
    untilApi(`/api/calls/${id}`, ({ status }) => ['failed', 'disconnected'].includes(status as string));

  test('keeps agents: from flags, from a file, and from both', async () => {
    const file = inHome(
      'agent.json',
      JSON.stringify({ type: 'hybrid', name: 'Filed', llmConfig: { maxTokens: 50 } }),
    );
    const flags = ['--name', 'Flagged', '--llm-config.temperature', '0.25', '--fillerWords', 'true'];
    const [created] = await parley.json('agents', 'create', '--file', file, ...flags);
    const id = created._id as string;
    const [got] = await parley.json('agents', 'get', id);
    expect(got).toMatchObject({
      name: 'Flagged',
      type: 'hybrid',
      fillerWords: true,
      llmConfig: { temperature: 0.25, maxTokens: 50 },
    });
    const copied = inHome('copy.json', JSON.stringify({ ...got, workspaceId: 'another' }));
    const copy = await parley.print('agents', 'create', '--file', copied);
    const { _id, createdAt, updatedAt, deployment, ...same } = got as Record<string, unknown>;
    expect(await parley.json('agents', 'get', copy)).toMatchObject([{ ...same, _id: copy }]);
    await parley.print('agents', 'delete', copy);
    expect(await parley.print('agents', 'get', id)).toMatch(/^llmConfig\.temperature +0\.25$/m);

    expect(await parley.print('agents', 'update', id, '--greeting', 'Hello')).toBe(
      'Updated the agent Flagged.',
    );
    expect((await parley.json('agents', 'versions', id)).map(({ version }) => version)).toEqual([2, 1]);
    expect(await parley.print('agents', 'restore', id, '1')).toBe('Version 3 is a copy of version 1.');
    expect(await parley.print('agents', 'rollback', id)).toBe('Calls use version 4, a copy of version 2.');
    expect(await parley.print('agents', 'publish', 'flagged', '--wait')).toBe('Calls use version 4.');
    expect(await parley.print('agents', 'deployment', 'flagged')).toMatch(/^active_version +4$/m);
    expect(await parley.print('agents', 'list', '--type', 'hybrid')).toMatch(
      /^ID +NAME +TYPE.*\n\S+ +Flagged +hybrid/,
    );
    expect(await parley.print('agents', 'delete', id)).toBe('Deleted the agent.');
    expect((await parley.json('agents', 'list')).map(({ name }) => name)).toEqual(['Front desk']);
  });

  test('starts a call, waits for its end, and exits with 1 if it failed', async () => {
    const variables = ['--var', 'customer_name=Ada', '--var', 'time=9=nine'];
    const [ended] = await parley.json('call', agent, ANSWERED, ...variables, '--wait');
    expect(ended).toMatchObject({
      status: 'disconnected',
      dynamic_variables: { customer_name: 'Ada', time: '9=nine' },
    });
    const failed = await parley.run(['call', agent, BUSY, '--wait']);
    expect(failed).toMatchObject({ status: 1, stdout: 'failed: dial_busy, 0 s connected\n' });
    expect(failed.stderr).toMatch(/^Waiting for the call \S+\nThe call failed: dial_busy\n$/);

    await server.withoutRuntime(async () => {
      const late = ['call', agent, ANSWERED, '--wait', '--timeout', '1'];
      expect(await parley.run(late)).toMatchObject({
        status: 1,
        stderr: expect.stringContaining('(TIMEOUT)') as string,
      });
    });
  });

  test('starts one call, however often it is run with a key', async () => {
    const words = ['call', agent, BUSY, '--idempotency-key', 'reminder-1'];
    const id = await parley.print(...words);
    expect(await parley.print(...words)).toBe(id);
    server.proxy.fail({ cut: 'answer' });
    const again = await parley.print('call', agent, BUSY);
    expect(server.proxy.requests).toHaveLength(2);
    expect(again).not.toBe(id);
  });

  test('shows calls by filters, what happened and what was said', async () => {
    const id = await parley.print('call', agent, ANSWERED, '--external-id', 'order 17');
    await waitForEnd(id);
    const [found] = await parley.json('calls', 'list', '--external-id', 'order 17', '--agent', agent);
    expect(found.call_id).toBe(id);
    const table = await parley.print('calls', 'list', '--status', 'disconnected', '--status', 'failed');
    expect(table).toMatch(/^ID +CREATED +STATUS/);
    expect(table).toContain(id);
    expect(await parley.print('calls', 'get', id)).toMatch(/^agent\.name +Front desk$/m);
    expect(await parley.print('calls', 'timeline', id)).toContain('The broker confirmed the call');
    expect((await parley.json('calls', 'timeline', id)).map(({ kind }) => kind)).toContain('ended');
    expect(await parley.print('calls', 'transcript', id)).toMatch(/^agent: /);
    expect((await parley.json('calls', 'transcript', id))[0]).toMatchObject({ complete: true });
    expect(await parley.print('calls', 'tools', id)).toMatch(/^ASKED +TOOL +STATE/);
    expect(await parley.json('calls', 'tools', id)).toEqual([]);
  });

  test('shows and exports calls by their findings', async () => {
    const id = await parley.print('call', agent, ANSWERED);
    await waitForEnd(id);
    await server.parley.sql(
      `INSERT INTO call_findings (conversation_id, fields, criteria, answers)
       VALUES ($1, '{}', '{}', '{"field.city": "Paris = P", "criterion.consent": "fail"}')`,
      [id],
    );
    const city = ['--agent', agent, '--field', 'city=Paris = P'];
    for (const criterion of ['fail', 'pass']) {
      const flags = [...city, '--criterion', `consent=${criterion}`];
      const expected = criterion === 'fail' ? [id] : [];
      expect((await parley.json('calls', 'list', ...flags)).map(({ call_id }) => call_id)).toEqual(expected);
      const lines = (await parley.print('calls', 'export', ...flags, '--json')).split('\n').filter(Boolean);
      expect(lines).toHaveLength(expected.length);
    }
  });

  test('reads all pages for JSON, and the first rows for people', async () => {
    const numbers = Array.from({ length: 51 }, (_, index) => `+1555000${1000 + index}`);
    await parley.print('dnc', 'import', inHome('many.csv', ['phone_number', ...numbers].join('\n')));
    expect(await parley.json('dnc', 'list')).toHaveLength(51);
    expect(await parley.json('dnc', 'list', '--limit', '3')).toHaveLength(3);
    const { stdout, stderr } = await parley.run(['dnc', 'list']);
    expect(stdout.trimEnd().split('\n')).toHaveLength(51);
    expect(stderr).toBe('There are more than 50. --limit shows others, --json shows all.\n');
  });

  test('exports calls to a file or the standard output', async () => {
    await parley.print('calls', 'export', '--output', 'calls.csv', '--direction', 'outbound');
    expect(readFileSync(join(parley.home, 'calls.csv'), 'utf8')).toMatch(/^call_id,.*\r\n/);
    expect(JSON.parse((await parley.print('calls', 'export', '--json')).split('\n')[0] ?? '')).toHaveProperty(
      'call_id',
    );
    const complete = readFileSync(join(parley.home, 'calls.csv'), 'utf8');
    server.proxy.fail(BUSY_SERVER, { cut: 'answer' }, { cut: 'body' });
    const cut = await parley.run(['calls', 'export', '--output', 'calls.csv']);
    expect(cut).toMatchObject({ status: 1, stderr: expect.stringContaining('CONNECTION_FAILED') as string });
    expect(server.proxy.requests).toHaveLength(3);
    expect(readFileSync(join(parley.home, 'calls.csv'), 'utf8')).toBe(complete);
    expect(readdirSync(parley.home).filter((name) => name.endsWith('.part'))).toEqual([]);
    const nowhere = await parley.run(['calls', 'export', '--output', 'no/such/folder.csv']);
    expect(nowhere).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('cannot be written') as string,
    });
  });

  test('hangs up a call, and follows one call or all until then', async () => {
    await server.withoutRuntime(async () => {
      const id = await parley.print('call', agent, ANSWERED);
      server.proxy.fail(BUSY_SERVER, { cut: 'request' });
      const all = parley.start(['calls', 'watch', '--json']);
      let seen = '';
      all.stdout?.setEncoding('utf8').on('data', (text: string) => (seen += text));
      await until(() => server.proxy.requests.length === 3);
      const one = parley.run(['calls', 'watch', id]);
      // The stream is open when a change is seen; another call makes one.
      await until(async () => (await parley.print('call', agent, BUSY)) && seen.includes('"status"'));
      const answer = await parley.print('calls', 'hangup', id);
      expect(answer).toBe('The hang-up is cancelled; the call is failed.');
      await until(() => seen.includes(`{"call_id":"${id}","status":"failed","at":`));
      all.kill('SIGINT');
      await once(all, 'exit');
      const { status, stdout } = await one;
      expect(status).toBe(1);
      expect(stdout).toMatch(/Z {2}.*\nfailed: cancelled, 0 s connected\n$/);
      expect((await parley.run(['calls', 'hangup', id])).stderr).toContain('(CALL_ENDED)');
    });
  });

  test('checks and runs campaigns', async () => {
    const file = inHome('recipients.csv', `phone_number,name\n+15551237700,Ada\n+15551237701,Grace\n`);
    const wrong = inHome('wrong.csv', `phone_number\n12\n`);
    const [checked] = await parley.json('campaigns', 'validate', file, '--agent', agent);
    expect(checked).toMatchObject({ recipients: 2, errors: [] });
    const refused = await parley.run(['campaigns', 'validate', wrong, '--agent', agent]);
    expect(refused).toMatchObject({ status: 1, stderr: 'The file has errors.\n' });
    expect(refused.stdout).toMatch(/^ROW +COLUMN +VALUE +MESSAGE\n2 +phone_number +12 /m);
    const created = await parley.run(['campaigns', 'create', wrong, '--agent', agent, '--name', 'Wrong']);
    expect(created).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('INVALID_RECIPIENTS_FILE') as string,
    });

    const words = ['--agent', agent, '--name', 'Reminders'];
    const later = [
      '--at',
      '2100-01-01T09:00:00Z',
      '--windows',
      '[{"days":["mon"],"start":"09:00","end":"17:00"}]',
    ];
    const id = await parley.print('campaigns', 'create', file, ...words, ...later);
    expect((await parley.json('campaigns', 'get', id))[0]).toMatchObject({
      status: 'scheduled',
      scheduleTime: '2100-01-01T09:00:00.000Z',
      windows: [{ days: ['mon'], start: '09:00', end: '17:00' }],
    });
    expect(await parley.print('campaigns', 'pause', id)).toBe('The campaign Reminders is paused.');
    expect(await parley.print('campaigns', 'resume', id)).toMatch(
      /^The campaign Reminders is (scheduled|running)\.$/,
    );
    expect(await parley.print('campaigns', 'cancel', id)).toBe('The campaign Reminders is cancelled.');
    expect(await parley.print('campaigns', 'log', id)).toMatch(/^AT +BY +TEXT\n/);
    expect(await parley.print('campaigns', 'list', '--status', 'cancelled')).toContain(id);

    const running = await parley.print('campaigns', 'create', file, ...words);
    const watched = await parley.print('campaigns', 'watch', running);
    expect(watched.split('\n').at(-1)).toMatch(/ {2}completed: 1 disconnected, 1 failed$/);
  });

  test('keeps knowledge bases', async () => {
    const file = inHome('hours.md', 'We are open from nine to five.');
    const id = await parley.print('kb', 'add', file, '--agent', agent);
    await untilApi('/api/knowledge-base', ([base]) => base.sources[0].status === 'completed');
    expect(await parley.print('kb', 'list')).toMatch(/hours\.md +documents +hours\.md \(completed\)/);
    expect(await parley.print('kb', 'search', id, 'open')).toContain('from nine to five');
    expect((await parley.json('agents', 'get', agent))[0].knowledgeBases).toEqual([id]);
    const unknown = await parley.run(['kb', 'add', file, '--name', 'Unknown', '--agent', 'no-such-agent']);
    expect(unknown).toMatchObject({ status: 1, stdout: '' });
    expect(await parley.json('kb', 'list')).toHaveLength(1);
    server.proxy.fail(undefined, undefined, refusal(400, 'VALIDATION_FAILED'));
    const unassigned = await parley.run(['kb', 'add', file, '--name', 'Unassigned', '--agent', agent]);
    expect(unassigned.status).toBe(1);
    expect(unassigned.stderr).toMatch(/^The knowledge base was created, but it is not assigned/);
    const bases = await parley.json('kb', 'list');
    expect(bases.map(({ _id }) => _id as string)).toContain(unassigned.stdout.trim());
    const taken = await parley.run(['kb', 'add', file]);
    expect(taken).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('KNOWLEDGE_BASE_NAME_TAKEN') as string,
    });
  });

  test('keeps tools: from flags, from a file, and from both', async () => {
    const file = inHome(
      'tool.json',
      JSON.stringify({
        ...{ name: 'book_table', description: 'Books a table.', url: receiver.url('/tool') },
        parameters: { type: 'object', properties: { day: { type: 'string' } }, required: ['day'] },
        ...{ headers: { 'X-Key': '{{secret:KEY}}' }, secrets: { KEY: 'a key' }, fixed: { name: '{{name}}' } },
      }),
    );
    const id = await parley.print('tools', 'create', '--file', file, '--timeout-ms', '5000');
    const [got] = await parley.json('tools', 'get', id);
    expect(got).toMatchObject({ name: 'book_table', timeout_ms: 5_000, secrets: ['KEY'] });
    expect(await parley.print('tools', 'list')).toMatch(
      /^ID +NAME +KIND.*\n\S+ +book_table +http +once +wait /,
    );

    expect(await parley.print('tools', 'update', id, '--say', 'One moment.')).toBe(
      'Updated the tool book_table.',
    );
    const [changed] = await parley.json('tools', 'get', id);
    expect(changed).toEqual({ ...got, say: 'One moment.', updated_at: expect.any(String) as string });
    const whole = inHome('tool-as-shown.json', JSON.stringify(got));
    await parley.print('tools', 'update', id, '--file', whole, '--confirm', 'true');
    expect(await parley.json('tools', 'get', id)).toMatchObject([
      { say: '', confirm: true, secrets: ['KEY'] },
    ]);

    const given = ['--arguments', '{"day":"2026-03-07"}', '--var', 'name=Ada'];
    expect(await parley.print('tools', 'test', id, ...given)).toMatch(/^status +204$/m);
    expect(receiver.at('/tool').map(({ payload }) => payload)).toEqual([{ name: 'Ada', day: '2026-03-07' }]);
    expect(await parley.run(['tools', 'discover', id])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('VALIDATION_FAILED') as string,
    });
    expect(await parley.print('tools', 'delete', id)).toBe('Deleted the tool.');
    expect(await parley.json('tools', 'list')).toEqual([]);
  });

  test('lists the tools of a server, and tests one', async () => {
    shop.tools.splice(0);
    shop.tools.push({ name: 'search', description: 'Searches.', run: () => ({ content: [] }) });
    const words = ['--name', 'shop', '--description', 'The shop.', '--url', shop.url, '--kind', 'mcp'];
    const id = await parley.print(
      'tools',
      'create',
      '--file',
      inHome('shop.json', '{"tools":["search"]}'),
      ...words,
    );
    expect(await parley.print('tools', 'discover', id)).toMatch(
      /^NAME +ALLOWED +CHANGED +DESCRIPTION\nsearch +yes +no +Searches\.$/,
    );
    expect(await parley.json('tools', 'discover', id)).toMatchObject([{ name: 'search', allowed: true }]);
    const [tested] = await parley.json('tools', 'test', id, '--tool', 'search');
    expect(tested).toMatchObject({ status: null, error: null });
    expect(await parley.print('tools', 'update', id, '--say', 'One moment.')).toBe('Updated the tool shop.');
    await parley.print('tools', 'delete', id);
  });

  test('writes the files of agents of other platforms', async () => {
    const file = inHome(
      'vapi.json',
      JSON.stringify({ name: 'Moved', model: { systemPrompt: 'Help.\nBriefly.' } }),
    );
    const [report] = await parley.json('import', 'vapi', file, '--out', 'moved', '--strict');
    expect(report).toMatchObject({ agent: 'moved', not_understood: [] });
    expect(readFileSync(join(parley.home, 'moved', 'agents', 'moved.yaml'), 'utf8')).toContain(
      'prompt: |-\n  Help.\n  Briefly.\n',
    );
  });

  test('keeps agents, rehearsals and tools in files', async () => {
    expect(await parley.print('pull', 'code')).toMatch(
      /^wrote agents\/.*\.yaml\n(.*\n)*\d+ files written, 0 removed/,
    );
    expect(await parley.print('plan', 'code')).toBe('No changes');
    const file = join(parley.home, 'code', 'agents', 'in-a-file.yaml');
    writeFileSync(file, 'type: chat\nname: ${env:AGENT_NAME}\n');
    const applied = await parley.run(['apply', 'code'], { env: { AGENT_NAME: 'Filed' } });
    expect(applied).toMatchObject({ status: 0, stdout: expect.stringMatching(/create +agent\/in-a-file/) });
    expect(await parley.print('agents', 'list', '--search', 'Filed')).toContain('Filed');
  });

  test('plays the rehearsals of an agent that has some', async () => {
    const file = inHome('dinner.yaml', `agent: ${agent}\nrehearsals: []\n`);
    for (const target of [agent, file])
      expect(await parley.run(['rehearse', target])).toMatchObject({
        ...{ status: 1, stderr: expect.stringContaining('NO_REHEARSALS') as string },
      });
  });

  test('plays no rehearsals if it is used wrongly, and says so by the status 2', async () => {
    const rehearsal = '{name: dinner, person: {lines: []}, checks: [{turns: 3}]}';
    const file = inHome('one.yaml', `agent: ${agent}\nrehearsals: [${rehearsal}]\n`);
    const unknown = inHome('unknown.yaml', `rehearsals: [${rehearsal.replace('checks', 'check')}]\n`);
    const broken = inHome('broken.yaml', 'rehearsals: [');
    for (const [words, reason] of [
      [[file, '--repeat', '21'], 'body.repeat'],
      [[file, '--only', 'nope'], 'body.only.0'],
      [[unknown, '--agent', agent], 'body.rehearsals.0.check'],
      [[broken, '--agent', agent], 'broken.yaml is not YAML'],
      [[file, '--fields', broken], 'broken.yaml is not YAML'],
    ] as const)
      expect([words, await parley.run(['rehearse', ...words])]).toMatchObject([
        words,
        { status: 2, stderr: expect.stringContaining(reason) as string },
      ]);
  });

  test('keeps the numbers of agents', async () => {
    expect(await parley.print('numbers', 'assign', agent, '+15550007000')).toBe(
      'The agent has the number +15550007000.',
    );
    expect(await parley.json('numbers', 'list')).toMatchObject([
      { number: '+15550007000', status: 'active', agent_id: agent },
    ]);
    expect(await parley.print('numbers', 'list')).toMatch(
      /^NUMBER +STATUS.*\n\+15550007000 +active +outbound /,
    );
    expect(await parley.print('numbers', 'release', '+15550007000')).toBe('+15550007000 is released.');
    expect(await parley.json('numbers', 'list')).toEqual([]);
  });

  test('keeps the do-not-call list', async () => {
    expect(await parley.print('dnc', 'add', '+15550009999', '--reason', 'asked')).toBe(
      '+15550009999 is not called.',
    );
    expect(await parley.json('dnc', 'list', '--search', '9999')).toMatchObject([
      { reason: 'asked', source: 'api' },
    ]);
    expect(await parley.print('dnc', 'remove', '+15550009999')).toBe('+15550009999 may be called.');
    expect(await parley.print('dnc', 'import', inHome('numbers.csv', 'phone_number\n+15550008888\n'))).toBe(
      'Added: 1. Already listed: 0. Left out: 0.',
    );
    const partly = inHome('partly.csv', 'phone_number\n+15550008888\n12\n+15550008889\n');
    expect(await parley.print('dnc', 'import', partly, '--invalid-rows', 'skip')).toMatch(
      /^Added: 1\. Already listed: 1\. Left out: 1\.\nROW +COLUMN +VALUE +MESSAGE\n3 +phone_number +12 +the phone number "12" /,
    );
    expect(await parley.json('dnc', 'import', partly, '--invalid-rows', 'skip')).toMatchObject([
      { added: 0, already_listed: 2, left_out: { rows: 1 } },
    ]);
  });

  test('sets how long calls are kept, and erases a person', async () => {
    expect(await parley.print('retention', '--calls-days', '730', '--transcripts-days', '90')).toMatch(
      /^transcripts_days +90\nrecordings_days +forever\ncalls_days +730$/,
    );
    expect(await parley.json('retention', '--transcripts-days', 'forever')).toEqual([
      { transcripts_days: null, recordings_days: null, calls_days: 730 },
    ]);
    expect(await parley.run(['retention', '--calls-days', 'always'])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('a whole number from 1 on, or forever') as string,
    });
    expect(await parley.print('erase', '+15550007777')).toMatch(/^The erasure \S+ is pending\.$/);
  });

  test('invites people, changes their role and removes them', async () => {
    const url = await parley.print('people', 'invite', 'Ada Lovelace', '--role', 'viewer');
    expect(url).toMatch(/\/login#token=\S+$/);
    const [{ id }] = (await parley.json('people', 'list')) as [{ id: string }];
    expect(await parley.print('people', 'list')).toMatch(
      /^ID +NAME +ROLE +STATE.*\n\S+ +Ada Lovelace +viewer +invited/,
    );
    expect(await parley.print('people', 'update', id, '--role', 'operator')).toBe(
      'Ada Lovelace has the role operator.',
    );
    const [link] = (await parley.json('people', 'link', id)) as [{ person_id: string; url: string }];
    expect(link.person_id).toBe(id);
    expect(link.url).not.toBe(url);
    expect(await parley.print('people', 'remove', id)).toBe('Removed the person.');
    expect(await parley.json('people', 'list')).toEqual([]);
  });

  test('sends webhooks', async () => {
    const id = await parley.print('webhooks', 'test', receiver.url('/cli'));
    await until(() => receiver.at('/cli').length === 1);
    await untilApi('/api/webhooks/deliveries', ([delivery]) => delivery.status === 'delivered');
    expect((await parley.json('webhooks', 'list', '--type', 'webhook.test'))[0].status).toBe('delivered');
    expect(await parley.print('webhooks', 'replay', id)).toBe(id);
    await until(() => receiver.at('/cli').length === 2);
    expect(await parley.print('webhooks', 'list')).toMatch(/^ID +TYPE +STATUS.*\n\S+ +webhook\.test /);
  });

  test('keeps webhook endpoints', async () => {
    const endpoints = (...words: string[]) => parley.print('webhooks', 'endpoints', ...words);
    const url = receiver.url('/endpoint');
    const id = await endpoints(
      'create',
      url,
      '--event',
      'call.ended',
      '--event',
      'call.failed',
      '--agent',
      agent,
    );
    expect(await endpoints('get', id)).toMatch(/^status +ok$/m);
    expect(await endpoints('update', id, '--event', '*', '--enabled', 'false')).toBe(
      'The endpoint has the status off.',
    );
    expect(
      (await parley.run(['webhooks', 'endpoints', 'replay', id, '--from', '2026-01-01'])).stderr,
    ).toContain('WEBHOOK_ENDPOINT_OFF');
    await endpoints('update', id, '--enabled', 'true');
    expect(await endpoints('replay', id, '--from', '2026-01-01')).toBe('0 deliveries are sent again.');
    expect(await endpoints('list', '--status', 'ok')).toContain(url);
    const secret = await endpoints('secret', id);
    expect(await endpoints('rotate', id)).not.toBe(secret);
    await endpoints('test', id);
    await until(() => receiver.at('/endpoint').length === 1);
    receiver.at('/endpoint')[0]?.verifyWith(secret);
    expect(await endpoints('delete', id)).toBe('Deleted the endpoint.');
    expect(await parley.json('webhooks', 'endpoints', 'list')).toEqual([]);
  });

  test('counts calls', async () => {
    await waitForEnd(await parley.print('call', agent, BUSY));
    expect(await parley.print('stats', '--status', 'failed')).toMatch(/^failed +[1-9]\d*$/m);
    const table = await parley.print('stats', '--group-by', 'disconnect_reason', '--interval', 'day');
    expect(table).toMatch(/^START +GROUP +CALLS/);
    expect(table).toMatch(/T00:00:00Z +dial_busy +[1-9]/);
    expect((await parley.json('stats'))[0]).toHaveProperty('totals.calls');
  });

  test('keeps a key that works, for its user only', async () => {
    const config = join(parley.home, '.config', 'parley', 'config.json');
    const none = { PARLEY_URL: undefined, PARLEY_API_KEY: undefined };
    const login = (key: string) =>
      parley.run(['login', '--url', server.proxy.url], { input: key, env: none });
    expect(await parley.run(['agents', 'list'], { env: none })).toMatchObject({
      status: 2,
      stderr: 'There is no API key. Set PARLEY_API_KEY, or run: parley login\n',
    });
    const wrong = await login('parley_wrong');
    expect(wrong).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('INVALID_CREDENTIAL') as string,
    });
    expect(() => statSync(config)).toThrow('ENOENT');
    expect(await login('')).toMatchObject({ status: 2 });
    expect(await login('two words')).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/^The API key must be/) as string,
    });
    const noAddress = await parley.run(['login', '--url', 'localhost:3977'], { input: 'key', env: none });
    expect(noAddress).toMatchObject({ status: 2, stderr: expect.stringMatching(/^--url must be/) as string });

    mkdirSync(join(parley.home, '.config', 'parley'), { recursive: true });
    writeFileSync(config, 'damaged');
    chmodSync(config, 0o644);
    expect((await parley.run(['agents', 'list'], { env: none })).status).toBe(2);
    server.proxy.fail(BUSY_SERVER, { cut: 'answer' });
    expect(await login(`${workspace.apiKey}\n`)).toMatchObject({ status: 0, stderr: '' });
    expect(statSync(config).mode & 0o777).toBe(0o600);
    expect((await parley.run(['agents', 'list'], { env: none })).stdout).toContain('Front desk');

    // A kept key is sent to its server only.
    const elsewhere = await parley.run(['agents', 'list'], {
      env: { ...none, PARLEY_URL: 'http://127.0.0.1:9' },
    });
    expect(elsewhere).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('The kept key is for') as string,
    });
  });

  test.each(FAULTS)('keeps a key that is tried again, because %s', async (_, fault) => {
    server.proxy.fail(fault);
    const env = { PARLEY_URL: undefined, PARLEY_API_KEY: undefined, ...TIME_LIMIT };
    const login = ['login', '--url', server.proxy.url];
    const ended = await parley.run(login, { input: workspace.apiKey, env });
    expect(ended).toMatchObject({ status: 0, stderr: '' });
    expect(server.proxy.requests).toHaveLength(2);
    const config = readFileSync(join(parley.home, '.config', 'parley', 'config.json'), 'utf8');
    expect(JSON.parse(config)).toEqual({ url: server.proxy.url, apiKey: workspace.apiKey });
  });

  test.each(FAULTS)('follows all calls after a repeated request, because %s', async (_, fault) => {
    server.proxy.fail(fault);
    const watch = parley.start(['calls', 'watch', '--json'], TIME_LIMIT);
    let seen = '';
    watch.stdout?.setEncoding('utf8').on('data', (text: string) => (seen += text));
    await until(() => server.proxy.requests.length === 2);
    // The stream is open when a change is seen; each call makes some.
    await until(async () => (await parley.print('call', agent, BUSY)) && seen.includes('"status"'));
    watch.kill('SIGINT');
    await once(watch, 'exit');
  });

  test('says what was wrong, with the status 1 or 2', async () => {
    const unknown = await parley.run(['calls', 'get', 'no-such-call']);
    expect(unknown).toMatchObject({ status: 1, stdout: '' });
    expect(unknown.stderr).toMatch(/^.*\(CALL_NOT_FOUND\)\nRequest id: \S+\n$/);
    const refused = await parley.run(['call', agent, '12']);
    expect(refused.stderr).toMatch(/\(VALIDATION_FAILED\)\n {2}body\.to_number: /);
    for (const words of [
      ['agents', 'delete', NO_ID],
      ['people', 'remove', NO_ID],
      ['tools', 'delete', NO_ID],
    ]) {
      server.proxy.fail({ cut: 'request' });
      const never = await parley.run(words);
      expect(never).toMatchObject({ status: 1, stdout: '' });
      expect(never.stderr).toMatch(/^.*\((AGENT|PERSON|TOOL)_NOT_FOUND\)\nRequest id: \S+\n$/);
    }
    const silent = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const silentUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const unheard = await parley.run(['calls', 'watch'], {
      env: { PARLEY_URL: silentUrl, PARLEY_TIMEOUT_SECONDS: '0.2' },
    });
    silent.close();
    expect(unheard).toMatchObject({
      status: 1,
      stderr: 'There was no answer within 200 ms (TIMEOUT)\n',
    });
    const [port] = await freePorts(1);
    const away = await parley.run(['agents', 'list'], { env: { PARLEY_URL: `http://127.0.0.1:${port}` } });
    expect(away).toMatchObject({ status: 1, stderr: expect.stringContaining('ECONNREFUSED') as string });

    const wrong: [string[], RegExp][] = [
      [['call', agent], /missing required argument 'number'/],
      [['call', agent, BUSY, '--var', 'a'], /NAME=VALUE/],
      [['calls', 'list', '--status', 'over'], /must be one of queued/],
      [['calls', 'list', '--duration-min', 'x'], /must be a whole number/],
      [['calls', 'list', '--criterion', 'consent'], /NAME=VALUE/],
      [['agents', 'update', agent], /Give the fields/],
      [['agents', 'create', '--name', 'Typeless'], /^--type is missing\.$/m],
      [['agents', 'restore', agent, 'x'], /whole number/],
      [['agents', 'create', '--file', 'missing.json'], /missing\.json cannot be read/],
      [
        ['campaigns', 'create', 'missing.csv', '--agent', agent, '--name', 'a'],
        /missing\.csv cannot be read/,
      ],
      [['campaigns', 'create', 'missing.csv', '--agent', agent], /^--name is missing\.$/m],
      [['kb', 'add', '-'], /with --name/],
      [['tools', 'create', '--name', 'one'], /^--description is missing\.$/m],
      [['tools', 'update', 'some-tool'], /Give the fields/],
      [['tools', 'test', 'some-tool', '--arguments', '{'], /must be JSON/],
      [['people', 'invite', 'Ada'], /^--role is missing\.$/m],
      [['people', 'invite', 'Ada', '--role', 'owner'], /must be one of admin/],
      [['people', 'update', 'some-person'], /Give the fields/],
      [['nothing'], /unknown command/],
      [['completion', 'fish'], /bash, zsh/],
      [['calls', 'get', ''], /call_id must be a text/],
    ];
    const never = await parley.run(['agents', 'list'], { env: { PARLEY_TIMEOUT_SECONDS: 'never' } });
    expect(never).toMatchObject({ status: 2, stderr: expect.stringContaining('above 0') as string });
    const ended = await Promise.all(wrong.map(([words]) => parley.run(words)));
    expect(ended.map(({ status }) => status)).toEqual(wrong.map(() => 2));
    ended.forEach(({ stderr }, index) => expect(stderr).toMatch(wrong[index]?.[1] as RegExp));
    const broken = await parley.run(['agents', 'create', '--file', inHome('broken.json', '{')]);
    expect(broken).toMatchObject({ status: 1, stderr: expect.stringContaining('is not JSON') as string });
  });

  test('shows control characters of the API, and sends none to the terminal', async () => {
    // The server itself takes invisible characters out of a name: controls.test.ts has these.
    const name = 'Evil \u001b]0;title\u0007\u009b31m';
    const { body } = await workspace.api.post('/api/agents', { type: 'chat', name });
    const id = (body as { data: { _id: string } }).data._id;
    const outputs = [
      await parley.print('agents', 'list'),
      await parley.print('agents', 'get', id),
      await parley.print('agents', 'list', '--json'),
    ];
    for (const output of outputs) expect(output).not.toMatch(CONTROLS);
    expect(outputs[0]).toContain('Evil \\x1b]0;title\\x07\\x9b31m');
    expect((await parley.json('agents', 'get', id))[0].name).toBe(name);
    server.proxy.fail(refusal(400, '\u001b[31m'));
    expect((await parley.run(['agents', 'get', id])).stderr).toContain('(\\x1b[31m)');
  });

  /** Runs a command through a proxy of its own. @returns how it ended, and the number of its requests */
  async function runDespite(words: string[], apiKey: string, faults: (Fault | undefined)[]) {
    const proxy = await FaultyProxy.start(() => server.parley.url);
    proxy.fail(...faults);
    const env = { PARLEY_URL: proxy.url, PARLEY_API_KEY: apiKey, ...(faults.length > 0 && TIME_LIMIT) };
    const ended = await parley.runInProcess(words, env);
    await proxy.stop();
    return { ...ended, requests: proxy.requests.length };
  }

  describe('that reads', () => {
    let reader: TestWorkspace;
    let commands: string[][];
    let shown: Reading[];

    interface Reading {
      words: string[];
      status: number | null;
      stdout: string;
      requests: number;
    }

    const show = async (words: string[], faults: (Fault | undefined)[] = []): Promise<Reading> => {
      const { status, stdout, requests } = await runDespite(words, reader.apiKey, faults);
      // The time of the reading differs.
      return { words, status, stdout: stdout.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME'), requests };
    };

    beforeAll(async () => {
      reader = await server.workspace();
      commands = await prepareReadings(server.client(reader));
      shown = await Promise.all(commands.map((words) => show(words)));
    });

    test('shows something in each command', () => {
      for (const { words, status, stdout } of shown)
        expect([words, status, stdout]).toEqual([words, 0, expect.stringMatching(/\S/)]);
    });

    test.each(FAULTS)('shows the same if each request is repeated, because %s', async (_, fault) => {
      const again = shown.map(({ words, requests }) =>
        show(words, Array.from({ length: requests }, () => [fault, undefined]).flat()),
      );
      expect(await Promise.all(again)).toEqual(
        shown.map((reading) => ({ ...reading, requests: 2 * reading.requests })),
      );
    });

    // The rest of an export that is cut is not requested again: the command fails.
    test.each(FAULTS.filter(([, fault]) => fault !== CUT_BODY))(
      'exports the same calls if the request is repeated, because %s',
      async (_, fault) => {
        const exported = await show(['calls', 'export']);
        expect(exported).toMatchObject({ status: 0, requests: 1 });
        expect(await show(['calls', 'export'], [fault])).toEqual({ ...exported, requests: 2 });
      },
    );

    test.each(FAULTS)('starts one call and waits for its end, if %s, twice', async (_, fault) => {
      const count = async () => (await reader.api.get('/api/calls?limit=1')).body.pagination.total as number;
      const before = await count();
      const { status, stdout } = await runDespite(
        ['call', commands[1]?.[2] ?? '', ANSWERED, '--wait'],
        reader.apiKey,
        [fault, undefined, fault],
      );
      expect([status, stdout]).toEqual([0, expect.stringContaining('disconnected')]);
      expect((await count()) - before).toBe(1);
    });
  });

  /** Makes what the commands that read show. @returns these commands */
  async function prepareReadings(api: Parley): Promise<string[][]> {
    const reading = (await api.agents.create({ type: 'outbound', name: 'Reader' }))._id;
    const file = inHome('read.csv', 'phone_number\n+15551237704\n');
    shop.tools.splice(0);
    shop.tools.push({ name: 'search', description: 'Searches.', run: () => ({ content: [] }) });
    const [call, campaign, base, event, tool, endpoint] = await Promise.all([
      api.calls.start(reading, { to_number: ANSWERED }),
      api.campaigns.create({
        file: readFileSync(join(parley.home, file)),
        campaignName: 'Read',
        assistantId: reading,
      }),
      api.knowledgeBases.create({ name: 'Hours', file: Buffer.from('We are open from nine to five.') }),
      api.webhooks.test({ url: receiver.url('/read') }),
      api.tools.create({
        ...{ name: 'shop', kind: 'mcp', tools: ['search'] },
        description: 'A shop.',
        url: shop.url,
      }),
      api.webhooks.endpoints.create({ url: receiver.url('/endpoints'), events: ['call.corrected'] }),
      api.phoneNumbers.assign(reading, { phone_number: makeNumber() }),
      api.doNotCall.add({ phone_number: '+15550000004' }),
      api.people.invite({ name: 'Ada', role: 'viewer' }),
    ]);
    await Promise.all([
      api.calls.waitForEnd(call.conversation_id),
      until(async () => (await api.campaigns.get(campaign.campaign_id)).status === 'completed'),
      until(async () => (await api.knowledgeBases.search(base.kb_id, { query: 'open' })).length > 0),
      until(async () => (await api.webhooks.delivery(event.delivery_id)).status === 'delivered'),
    ]);
    return [
      ['agents', 'list'],
      ['agents', 'get', reading],
      ['agents', 'versions', reading],
      ['calls', 'list', '--json'],
      ['calls', 'get', call.conversation_id],
      ['calls', 'timeline', call.conversation_id],
      ['calls', 'transcript', call.conversation_id],
      ['calls', 'tools', call.conversation_id],
      ['calls', 'watch', call.conversation_id],
      ['campaigns', 'list'],
      ['campaigns', 'get', campaign.campaign_id],
      ['campaigns', 'log', campaign.campaign_id],
      ['campaigns', 'watch', campaign.campaign_id],
      ['campaigns', 'validate', join(parley.home, file), '--agent', reading],
      ['kb', 'list'],
      ['kb', 'search', base.kb_id, 'open'],
      ['tools', 'list'],
      ['tools', 'get', tool.tool_id],
      ['tools', 'discover', tool.tool_id],
      ['numbers', 'list'],
      ['dnc', 'list'],
      ['people', 'list'],
      ['webhooks', 'list'],
      ['webhooks', 'endpoints', 'list'],
      ['webhooks', 'endpoints', 'get', endpoint.endpoint_id],
      ['webhooks', 'endpoints', 'secret', endpoint.endpoint_id],
      ['stats'],
      ['retention'],
    ];
  }

  test.each(FAULTS)('changes nothing twice, if %s', async (_, fault, { isDone }) => {
    const other = await server.workspace();
    const api = server.client(other);
    const count = async () => {
      const counts: Record<string, number> = {};
      const add = (name: string) => (counts[name] = (counts[name] ?? 0) + 1);
      for await (const { action } of api.audit.list()) add(action);
      for await (const { status } of api.calls.list()) ['calls', `${status} calls`].forEach(add);
      for await (const { endpoint_id } of api.webhooks.deliveries())
        add(endpoint_id === null ? 'deliveries' : 'events of an endpoint');
      // Events are sent in the background.
      await until(
        async () => (await api.webhooks.deliveries({ status: 'pending' }).page(1)).data.length === 0,
      );
      counts['replayed events'] = receiver.at('/replayed').length;
      return counts;
    };
    const run = async ({ words, isRepeated, failing = [true] }: Change) => {
      const faults = failing.map((isFailing) => (isFailing ? fault : undefined));
      const { status, requests } = await runDespite(words, other.apiKey, faults);
      const expected = isRepeated ? failing.length + 1 : 1;
      expect([words, status, requests]).toEqual([words, isRepeated ? 0 : 1, expected]);
    };

    await server.withoutRuntime(async () => {
      const changes = await prepareChanges(api);
      const before = await count();
      await Promise.all(changes.map((change) => run(change)));
      const after = await count();
      expect(changes.map(({ adds }) => [adds, (after[adds] ?? 0) - (before[adds] ?? 0)])).toEqual(
        changes.map(({ adds, isRepeated }) => [adds, isRepeated || isDone ? 1 : 0]),
      );
    });
  });

  let lastNumber = 15_550_100_000;
  /** A number belongs to one workspace of a server. */
  const makeNumber = () => `+${(lastNumber += 1)}`;

  /** Makes what the commands change. Each adds something that no other one adds. */
  async function prepareChanges(api: Parley): Promise<Change[]> {
    const makeAgent = async () => (await api.agents.create({ type: 'outbound' }))._id;
    const [changed, deleted, restored, calling, changedBack, drafted] = await Promise.all([
      makeAgent(),
      makeAgent(),
      makeAgent(),
      makeAgent(),
      makeAgent(),
      makeAgent(),
    ]);
    await api.agents.update(changedBack, { type: 'outbound', greeting: 'Hello' });
    await api.agents.setPublishing(drafted, { publish: 'gated' });
    const draft = { type: 'outbound', greeting: 'Hello', deployment: { status: 'draft' } } as const;
    await api.agents.update(drafted, draft);
    // The campaigns make no calls yet.
    const later = '2100-01-01T09:00:00Z';
    const recipients = inHome('once.csv', 'phone_number\n+15551237702\n');
    const campaign = {
      file: Buffer.from('phone_number\n+15551237703\n'),
      campaignName: 'Later',
      assistantId: calling,
      isScheduled: true,
      scheduleTime: later,
    };
    const makeCampaign = async () => (await api.campaigns.create(campaign)).campaign_id;
    const [running, paused, cancelled] = await Promise.all([makeCampaign(), makeCampaign(), makeCampaign()]);
    const call = await api.calls.start(calling, { to_number: ANSWERED });
    const toolFields = { description: 'Books a table.', url: receiver.url('/tools-once') };
    const makeTool = async (name: string) => (await api.tools.create({ name, ...toolFields })).tool_id;
    const [tool, deletedTool] = [await makeTool('changed'), await makeTool('deleted')];
    await api.doNotCall.add({ phone_number: '+15550000001' });
    const released = makeNumber();
    await api.phoneNumbers.assign(calling, { phone_number: released });
    const event = await api.webhooks.test({ url: receiver.url('/replayed') });
    const endpoint = await api.webhooks.endpoints.create({
      url: receiver.url('/endpoint-once'),
      events: ['call.corrected'],
    });
    const person = await api.people.invite({ name: 'Ada', role: 'viewer' });
    const leaving = await api.people.invite({ name: 'Grace', role: 'viewer' });
    await Promise.all([
      api.campaigns.pause(paused),
      until(async () => (await api.webhooks.delivery(event.delivery_id)).status === 'delivered'),
    ]);
    const numbers = join(parley.home, recipients);
    const hours = join(parley.home, inHome('once.md', 'We are open from nine to five.'));
    const again = { isRepeated: true };
    const once = { isRepeated: false };
    return [
      { words: ['agents', 'create', '--type', 'chat'], adds: 'agent.created', ...again },
      {
        words: ['agents', 'update', changed, '--type', 'outbound', '--greeting', 'Hello'],
        adds: 'agent.updated',
        ...again,
      },
      { words: ['agents', 'delete', deleted], adds: 'agent.deleted', failing: [false, true], ...again },
      { words: ['agents', 'restore', restored, '1'], adds: 'agent.version_restored', ...again },
      { words: ['agents', 'rollback', changedBack], adds: 'agent.rolled_back', ...again },
      {
        words: ['agents', 'publish', drafted, '--force', 'true', '--reason', 'A fair.'],
        adds: 'agent.forced',
        ...again,
      },
      { words: ['call', calling, ANSWERED], adds: 'calls', ...again },
      { words: ['calls', 'hangup', call.conversation_id], adds: 'failed calls', ...once },
      {
        words: ['campaigns', 'create', numbers, '--agent', calling, '--name', 'Once', '--at', later],
        adds: 'campaign.created',
        ...again,
      },
      { words: ['campaigns', 'pause', running], adds: 'campaign.paused', ...once },
      { words: ['campaigns', 'resume', paused], adds: 'campaign.resumed', ...once },
      { words: ['campaigns', 'cancel', cancelled], adds: 'campaign.cancelled', ...once },
      {
        words: ['kb', 'add', hours, '--agent', changed],
        adds: 'knowledge_base.assigned',
        failing: [false, true, false, true],
        ...again,
      },
      {
        words: ['tools', 'create', '--name', 'once', '--description', 'Once.', '--url', toolFields.url],
        adds: 'tool.created',
        ...again,
      },
      {
        words: ['tools', 'update', tool, '--say', 'Yes.'],
        adds: 'tool.updated',
        failing: [false, true],
        ...again,
      },
      { words: ['tools', 'delete', deletedTool], adds: 'tool.deleted', failing: [false, true], ...again },
      { words: ['tools', 'test', tool], adds: 'tool.tested', ...once },
      { words: ['numbers', 'assign', changed, makeNumber()], adds: 'agent.phone_number_assigned', ...again },
      { words: ['numbers', 'release', released], adds: 'phone_number.released', ...again },
      { words: ['dnc', 'add', '+15550000002'], adds: 'do_not_call.added', ...once },
      { words: ['dnc', 'remove', '+15550000001'], adds: 'do_not_call.removed', ...again },
      { words: ['dnc', 'import', numbers], adds: 'do_not_call.imported', ...once },
      {
        words: ['retention', '--calls-days', '900'],
        adds: 'workspace.retention_set',
        failing: [false, true],
        ...again,
      },
      { words: ['erase', '+15550000003'], adds: 'erasure.requested', ...once },
      { words: ['people', 'invite', 'Mary', '--role', 'viewer'], adds: 'person.invited', ...once },
      {
        words: ['people', 'update', person.person_id, '--role', 'operator'],
        adds: 'person.updated',
        ...once,
      },
      { words: ['people', 'link', person.person_id], adds: 'person.link_created', ...once },
      {
        words: ['people', 'remove', leaving.person_id],
        adds: 'person.removed',
        failing: [false, true],
        ...again,
      },
      { words: ['webhooks', 'test', receiver.url('/once')], adds: 'deliveries', ...once },
      { words: ['webhooks', 'replay', event.delivery_id], adds: 'replayed events', ...once },
      {
        words: ['webhooks', 'endpoints', 'create', receiver.url('/made'), '--event', 'call.corrected'],
        adds: 'webhook_endpoint.created',
        ...once,
      },
      {
        words: ['webhooks', 'endpoints', 'update', endpoint.endpoint_id, '--description', 'The CRM'],
        adds: 'webhook_endpoint.updated',
        ...once,
      },
      {
        words: ['webhooks', 'endpoints', 'rotate', endpoint.endpoint_id],
        adds: 'webhook_endpoint.secret_rotated',
        ...once,
      },
      {
        words: ['webhooks', 'endpoints', 'test', endpoint.endpoint_id],
        adds: 'events of an endpoint',
        ...once,
      },
      {
        words: ['webhooks', 'endpoints', 'replay', endpoint.endpoint_id, '--from', '2026-01-01'],
        adds: 'webhook_endpoint.replayed',
        ...once,
      },
      {
        words: ['webhooks', 'endpoints', 'delete', endpoint.endpoint_id],
        adds: 'webhook_endpoint.deleted',
        failing: [false, true],
        ...again,
      },
    ];
  }

  test('names the version of its package', async () => {
    expect(await parley.print('--version')).toBe(version);
  });

  describe('completes commands and flags', () => {
    /** The functions of each shell's completion system, and what they would offer for the last of the words. */
    const SHELLS = {
      bash: `source completion.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _parley; echo "\${COMPREPLY[@]}"`,
      zsh: `compdef() {}; _files() {}; compadd() { shift; offered=("$@") }; source completion.zsh
        words=("$@"); CURRENT=$#; _parley; print -r -- \${(M)offered:#$words[CURRENT]*}`,
    };

    const writeScript = async (shell: keyof typeof SHELLS) => {
      const script = await parley.print('completion', shell);
      inHome(`completion.${shell}`, script);
      return script;
    };

    const completesIn = async (shell: keyof typeof SHELLS) => {
      await writeScript(shell);
      const complete = (...words: string[]) =>
        execFileSync(shell, ['-c', SHELLS[shell], shell, 'parley', ...words], {
          cwd: parley.home,
          encoding: 'utf8',
        }).trim();
      expect(complete('camp')).toBe('campaigns');
      expect(complete('calls', 'tim')).toBe('timeline');
      expect(complete('calls', 'list', '--status', 'failed', '--dis')).toBe('--disconnect-reason');
    };

    test('in bash', () => completesIn('bash'));

    const hasZsh = spawnSync('zsh', ['--version']).status === 0;
    (hasZsh ? test : test.skip)('in zsh', () => completesIn('zsh'));

    test('in zsh by the same choice as in bash', async () => {
      const [bash, zsh] = [await writeScript('bash'), await writeScript('zsh')];
      const [choice = ''] = /^_parley_words\(\) \{$[^]*?^\}$/m.exec(bash) ?? [];
      expect(choice).toContain("' calls list') choices='--");
      expect(zsh).toMatch(/^#compdef parley\n/);
      expect(zsh.replace('\n  emulate -L zsh', '')).toContain(choice);
    });
  });

  test('has a test of each command', async () => {
    const script = await parley.print('completion', 'bash');
    const commands = [...script.matchAll(/^ {4}' ([^']+)'\) choices='([^']*)'/gm)];
    const leaves = commands
      .filter(([, , words]) => words?.startsWith('--'))
      .map(([, path]) => path as string);
    expect(leaves.length).toBeGreaterThan(35);
    expect(leaves.filter((path) => !parley.ran.has(path))).toEqual([]);
  });
});

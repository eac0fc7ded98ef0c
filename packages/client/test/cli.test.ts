import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePorts } from '../../../scripts/free-ports.cjs';
import type { TestWorkspace } from '../../../test/support/parley';
import { until } from '../../../test/support/until';
import { useStarted } from '../../../test/support/use-started';
import { WebhookReceiver } from '../../../test/support/webhook-receiver';
import { ClientServer } from './support/client-server';
import { CommandLine } from './support/command-line';
import { refusal } from './support/faulty-proxy';

const server = useStarted(() => ClientServer.start());
const receiver = useStarted(() => WebhookReceiver.start());

// eslint-disable-next-line no-control-regex -- these are the characters that must not reach a terminal
const CONTROLS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/;

const ANSWERED = '+15551234500';
const BUSY = '+15551234501';

describe('The command line', () => {
  let workspace: TestWorkspace;
  let agent: string;
  const parley = new CommandLine(() => ({ PARLEY_URL: server.proxy.url, PARLEY_API_KEY: workspace.apiKey }));

  beforeAll(async () => {
    workspace = await server.workspace();
    agent = await parley.print('agents', 'create', '--type', 'outbound', '--name', 'Front desk');
  });
  beforeEach(() => server.proxy.fail());
  afterAll(() => parley.remove());

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
    expect(await parley.print('agents', 'get', id)).toMatch(/^llmConfig\.temperature +0\.25$/m);

    expect(await parley.print('agents', 'update', id, '--greeting', 'Hello')).toBe(
      'Updated the agent Flagged.',
    );
    expect((await parley.json('agents', 'versions', id)).map(({ version }) => version)).toEqual([2, 1]);
    expect(await parley.print('agents', 'restore', id, '1')).toBe('Version 3 is a copy of version 1.');
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
    const nowhere = await parley.run(['calls', 'export', '--output', 'no/such/folder.csv']);
    expect(nowhere).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('cannot be written') as string,
    });
  });

  test('hangs up a call, and follows one call or all until then', async () => {
    await server.withoutRuntime(async () => {
      const id = await parley.print('call', agent, ANSWERED);
      const all = parley.start(['calls', 'watch', '--json']);
      let seen = '';
      all.stdout?.setEncoding('utf8').on('data', (text: string) => (seen += text));
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
    const taken = await parley.run(['kb', 'add', file]);
    expect(taken).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('KNOWLEDGE_BASE_NAME_TAKEN') as string,
    });
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
      'The list has the 1 numbers of the file.',
    );
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

    mkdirSync(join(parley.home, '.config', 'parley'), { recursive: true });
    writeFileSync(config, 'damaged');
    chmodSync(config, 0o644);
    expect((await parley.run(['agents', 'list'], { env: none })).status).toBe(2);
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

  test('says what was wrong, with the status 1 or 2', async () => {
    const unknown = await parley.run(['calls', 'get', 'no-such-call']);
    expect(unknown).toMatchObject({ status: 1, stdout: '' });
    expect(unknown.stderr).toMatch(/^.*\(CALL_NOT_FOUND\)\nRequest id: \S+\n$/);
    const refused = await parley.run(['call', agent, '12']);
    expect(refused.stderr).toMatch(/\(VALIDATION_FAILED\)\n {2}body\.to_number: /);
    const [port] = await freePorts(1);
    const away = await parley.run(['agents', 'list'], { env: { PARLEY_URL: `http://127.0.0.1:${port}` } });
    expect(away).toMatchObject({ status: 1, stderr: expect.stringContaining('ECONNREFUSED') as string });

    const wrong: [string[], RegExp][] = [
      [['call', agent], /missing required argument 'number'/],
      [['call', agent, BUSY, '--var', 'a'], /NAME=VALUE/],
      [['calls', 'list', '--status', 'over'], /must be one of queued/],
      [['calls', 'list', '--duration-min', 'x'], /must be a whole number/],
      [['agents', 'update', agent], /Give the fields/],
      [['agents', 'restore', agent, 'x'], /whole number/],
      [['agents', 'create', '--file', 'missing.json'], /missing\.json cannot be read/],
      [
        ['campaigns', 'create', 'missing.csv', '--agent', agent, '--name', 'a'],
        /missing\.csv cannot be read/,
      ],
      [['campaigns', 'create', 'missing.csv', '--agent', agent], /required option '--name/],
      [['nothing'], /unknown command/],
      [['completion', 'fish'], /bash, zsh/],
      [['calls', 'get', ''], /call_id must be a text/],
    ];
    const ended = await Promise.all(wrong.map(([words]) => parley.run(words)));
    expect(ended.map(({ status }) => status)).toEqual(wrong.map(() => 2));
    ended.forEach(({ stderr }, index) => expect(stderr).toMatch(wrong[index]?.[1] as RegExp));
    const broken = await parley.run(['agents', 'create', '--file', inHome('broken.json', '{')]);
    expect(broken).toMatchObject({ status: 1, stderr: expect.stringContaining('is not JSON') as string });
  });

  test('shows control characters of the API, and sends none to the terminal', async () => {
    const name = 'Evil \u001b]0;title\u0007\u009b31m\u202e';
    const { body } = await workspace.api.post('/api/agents', { type: 'chat', name });
    const id = (body as { data: { _id: string } }).data._id;
    const outputs = [
      await parley.print('agents', 'list'),
      await parley.print('agents', 'get', id),
      await parley.print('agents', 'list', '--json'),
    ];
    for (const output of outputs) expect(output).not.toMatch(CONTROLS);
    expect(outputs[0]).toContain('Evil \\x1b]0;title\\x07\\x9b31m\\u202e');
    expect((await parley.json('agents', 'get', id))[0].name).toBe(name);
    server.proxy.fail(refusal(400, '\u001b[31m'));
    expect((await parley.run(['agents', 'get', id])).stderr).toContain('(\\x1b[31m)');
  });

  test('completes commands and flags in bash', async () => {
    inHome('completion.bash', await parley.print('completion', 'bash'));
    const complete = (...words: string[]) => {
      const script = `source completion.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _parley; echo "\${COMPREPLY[@]}"`;
      return execFileSync('bash', ['-c', script, 'bash', 'parley', ...words], {
        cwd: parley.home,
        encoding: 'utf8',
      }).trim();
    };
    expect(complete('camp')).toBe('campaigns');
    expect(complete('calls', 'tim')).toBe('timeline');
    expect(complete('calls', 'list', '--status', 'failed', '--dis')).toBe('--disconnect-reason');
    expect(await parley.print('completion', 'zsh')).toMatch(/^#compdef parley\n/);
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

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { dump, load } from 'js-yaml';
import { createAgent } from '../../../test/support/agents';
import { type TestWorkspace, useParley } from '../../../test/support/parley';
import { type Ended, runCommand } from './support/run-command';

type Definition = Record<string, unknown>;

const parley = useParley();

const TOOL = { description: 'Books a table.', url: 'https://shop.example.com/bookings' };
const REHEARSAL = { person: { lines: [{ say: 'Hi.' }] }, checks: [{ turns: 3 }] };

describe('Agents are kept in files by parley pull, plan and apply', () => {
  let workspace: TestWorkspace;
  let folder: string;
  beforeEach(async () => {
    workspace = await parley.workspace();
    folder = mkdtempSync(join(tmpdir(), 'parley-code-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const run = (words: string[], env: Record<string, string> = {}, { apiKey } = workspace): Promise<Ended> =>
    runCommand(words, { PARLEY_URL: parley.url, PARLEY_API_KEY: apiKey, ...env });
  const parleyIn = (name: string, ...flags: string[]) => run([name, folder, ...flags]);
  /** Runs a command that must succeed. @returns its JSON */
  async function json(name: string, ...flags: string[]) {
    const ended = await parleyIn(name, ...flags, '--json');
    expect(ended).toMatchObject({ status: 0, stderr: '' });
    return JSON.parse(ended.stdout) as {
      written: string[];
      removed: string[];
      changes: { action: string; kind: string; slug: string; fields: string[] }[];
      drift: Definition[];
      orphans: Definition[];
    };
  }
  const actions = ({ changes }: { changes: { action: string; kind: string; slug: string }[] }) =>
    changes.map(({ action, kind, slug }) => `${action} ${kind}/${slug}`);
  function write(path: string, content: object): void {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(
      join(folder, path),
      path.endsWith('.json') ? JSON.stringify(content) : dump(content, { noRefs: true }),
    );
  }
  const read = (path: string) => readFileSync(join(folder, path), 'utf8');
  const readYaml = (path: string) => load(read(path)) as Definition;
  const listFiles = () =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.\w+$/.test(path))
      .sort();
  const snapshot = () => listFiles().map((path) => [path, read(path)]);
  const find = async (kind: string, slug: string) => {
    const { data } = (await workspace.api.get(`/api/code?kind=${kind}&limit=100`)).body;
    return (data as { slug: string; id: string; definition: Definition }[]).find(
      (each) => each.slug === slug,
    );
  };
  const define = async (kind: string, slug: string) => (await find(kind, slug))?.definition;
  const idOf = async (kind: string, slug: string) => (await find(kind, slug))?.id;

  /** A folder with an agent, its tool and two rehearsals, which is applied. */
  async function applyDesk(): Promise<void> {
    write('agents/desk.yaml', { type: 'inbound', name: 'Desk', actions: ['book_table'] });
    write('rehearsals/desk.yaml', {
      agent: 'desk',
      rehearsals: [
        { name: 'first', ...REHEARSAL },
        { name: 'second', ...REHEARSAL },
      ],
    });
    write('tools/book_table.json', {
      ...TOOL,
      headers: { Authorization: 'Bearer {{secret:KEY}}' },
      secrets: { KEY: '${env:SHOP_KEY}' },
    });
    expect(await run(['apply', folder], { SHOP_KEY: 'sk-shop-1' })).toMatchObject({ status: 0, stderr: '' });
  }
  const SHOP_KEY = { SHOP_KEY: 'sk-shop-1' };

  test('apply makes what the files say at once, and then there is nothing to change', async () => {
    await applyDesk();

    expect(await define('agent', 'desk')).toEqual({ type: 'inbound', name: 'Desk', actions: ['book_table'] });
    expect(await define('rehearsal', 'desk/second')).toEqual(REHEARSAL);
    expect(await define('tool', 'book_table')).toMatchObject({ secrets: ['KEY'] });
    for (const command of ['plan', 'apply']) {
      const ended = await run([command, folder], SHOP_KEY);
      expect(ended).toEqual({ status: 0, stdout: 'No changes\n', stderr: '' });
    }
    expect(JSON.parse((await run(['pull', folder, '--json'])).stdout)).toEqual({ written: [], removed: [] });

    write('agents/desk.yaml', { type: 'inbound', name: 'Desk', greeting: 'Good day!' });
    const planned = await run(['plan', folder], SHOP_KEY);
    expect(planned).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^update +agent\/desk +actions, greeting$/m),
    });
    expect(await define('agent', 'desk')).not.toHaveProperty('greeting');
  });

  test('pull writes files of which apply makes the same in another workspace', async () => {
    await applyDesk();
    await createAgent(workspace, { type: 'chat', name: 'Zoë', prompt: 'Line one.\n\n- ${env:HOME}\n' });
    const copy = mkdtempSync(join(tmpdir(), 'parley-code-'));
    try {
      expect(await run(['pull', copy])).toMatchObject({ status: 0 });
      rmSync(folder, { recursive: true });
      folder = copy;
      expect(listFiles()).toEqual([
        ...['agents/desk.yaml', 'agents/zoe.yaml', 'parley.lock.json'],
        ...['rehearsals/desk.yaml', 'tools/book_table.yaml'],
      ]);
      // A text of the workspace gets no value of the environment.
      expect(read('agents/zoe.yaml')).toContain('  - $${env:HOME}\n');
      expect(readYaml('tools/book_table.yaml').secrets).toEqual({ KEY: '${env:KEY}' });

      const other = await parley.workspace();
      const lock = join(folder, 'other.lock.json');
      const applied = await run(['apply', folder, '--lock', lock, '--json'], { KEY: 'k', HOME: 'no' }, other);
      expect(applied).toMatchObject({ status: 0, stderr: '' });
      const definitions = async ({ api }: TestWorkspace) =>
        ((await api.get('/api/code?limit=100')).body.data as { slug: string; definition: Definition }[]).map(
          ({ slug, definition }) => [slug, definition],
        );
      expect(await definitions(other)).toEqual(await definitions(workspace));

      const wrong = await run(['apply', folder], { KEY: 'k' }, other);
      expect(wrong).toMatchObject({
        status: 2,
        stderr: expect.stringMatching(/is that of the workspace .*--lock/),
      });
    } finally {
      rmSync(copy, { recursive: true, force: true });
    }
  });

  test('pull takes over what others have changed, and writes nothing while a file is edited', async () => {
    await applyDesk();
    const desk = `/api/agents/${await idOf('agent', 'desk')}`;
    const put = (greeting: string) => workspace.api.put(desk, { type: 'inbound', name: 'Desk', greeting });
    await put('Good day!');
    await createAgent(workspace, { type: 'chat', name: 'New' });

    expect(await json('pull')).toEqual({ written: ['agents/desk.yaml', 'agents/new.yaml'], removed: [] });
    expect(readYaml('agents/desk.yaml')).toMatchObject({ greeting: 'Good day!' });

    await put('Hello!');
    write('rehearsals/desk.yaml', {
      rehearsals: [
        { name: 'first', ...REHEARSAL },
        { name: 'third', ...REHEARSAL },
      ],
    });
    write('agents/mine.json', { type: 'outbound' });
    const before = snapshot();
    const refused = await parleyIn('pull');
    expect(refused).toMatchObject({ status: 1, stdout: '' });
    expect(refused.stderr).toMatch(/^Nothing was written, .*edited: rehearsals\/desk\.yaml\. Apply/);
    expect(snapshot()).toEqual(before);

    const pulled = await json('pull', '--overwrite');
    expect(pulled.written.sort()).toEqual(['agents/desk.yaml', 'rehearsals/desk.yaml']);
    expect(readYaml('agents/desk.yaml')).toMatchObject({ greeting: 'Hello!' });
    // A rehearsal that was never applied stays.
    const { rehearsals } = readYaml('rehearsals/desk.yaml') as { rehearsals: { name: string }[] };
    expect(rehearsals.map(({ name }) => name)).toEqual(['first', 'second', 'third']);
    expect(read('agents/mine.json')).toBe('{"type":"outbound"}');

    await workspace.api.delete(desk);
    expect(await parleyIn('pull')).toMatchObject({ status: 0 });
    expect(listFiles().filter((path) => path.startsWith('agents'))).toEqual([
      'agents/mine.json',
      'agents/new.yaml',
    ]);
  });

  test('nothing is applied if a resource has changed since its file was made', async () => {
    await applyDesk();
    const desk = `/api/agents/${await idOf('agent', 'desk')}`;
    await workspace.api.put(desk, { type: 'inbound', name: 'Desk', greeting: 'Mine' });
    write('rehearsals/desk.yaml', { rehearsals: [{ ...REHEARSAL, name: 'first', checks: [{ turns: 5 }] }] });
    const before = [snapshot(), await define('rehearsal', 'desk/first')];

    for (const command of ['plan', 'apply']) {
      const { status, stdout, stderr } = await run([command, folder, '--json'], SHOP_KEY);
      expect([command, status, JSON.parse(stdout)]).toMatchObject([
        command,
        1,
        { drift: [{ kind: 'agent', slug: 'desk' }] },
      ]);
      expect(stderr).toMatch(/^Nothing was done.*\n {2}agent\/desk has changed \(20.*Z by .*\)\n/);
    }
    expect([snapshot(), await define('rehearsal', 'desk/first')]).toEqual(before);
  });

  test('of two who apply at the same time, one wins', async () => {
    await applyDesk();
    const other = mkdtempSync(join(tmpdir(), 'parley-code-'));
    await run(['pull', other]);
    const dirs = [folder, other];
    for (const dir of dirs)
      writeFileSync(join(dir, 'agents/desk.yaml'), `type: inbound\nname: Desk\ngreeting: ${dir}\n`);

    const ended = await Promise.all(
      dirs.map((dir) => run(['apply', dir], { ...SHOP_KEY, KEY: 'sk-shop-1' })),
    );
    rmSync(other, { recursive: true });
    expect(ended.map(({ status }) => status).sort()).toEqual([0, 1]);
    const winner = dirs[ended.findIndex(({ status }) => status === 0)];
    expect(await define('agent', 'desk')).toMatchObject({ greeting: winner });
  });

  test('what has no file any more is deleted only with --prune, and what never had one never', async () => {
    await applyDesk();
    await createAgent(workspace, { type: 'chat', name: 'New' });
    rmSync(join(folder, 'rehearsals'), { recursive: true });
    rmSync(join(folder, 'tools'), { recursive: true });
    write('agents/desk.yaml', { type: 'inbound', name: 'Desk' });

    const { orphans, changes } = await (async () => {
      const ended = await parleyIn('plan', '--json');
      return JSON.parse(ended.stdout) as { orphans: Definition[]; changes: Definition[] };
    })();
    expect(orphans).toEqual([
      { kind: 'agent', slug: 'new', was_in_file: false },
      { kind: 'rehearsal', slug: 'desk/first', was_in_file: true },
      { kind: 'rehearsal', slug: 'desk/second', was_in_file: true },
      { kind: 'tool', slug: 'book_table', was_in_file: true },
    ]);
    expect(actions({ changes } as never)).toEqual(['update agent/desk']);

    expect(await parleyIn('apply')).toMatchObject({ status: 0 });
    expect(await define('tool', 'book_table')).toBeDefined();
    const pruned = await parleyIn('apply', '--prune');
    expect(pruned).toMatchObject({ status: 0, stderr: 'In no file; parley pull writes them: agent/new\n' });
    expect([await define('tool', 'book_table'), await define('rehearsal', 'desk/first')]).toEqual([
      undefined,
      undefined,
    ]);
    expect(await define('agent', 'new')).toBeDefined();

    rmSync(join(folder, 'agents'), { recursive: true });
    expect(await parleyIn('apply', '--prune')).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/has no files/),
    });
    expect(await define('agent', 'desk')).toBeDefined();
  });

  test('an agent is not deleted with a rehearsal that has a file, or never had one', async () => {
    await applyDesk();
    const desk = `/api/agents/${await idOf('agent', 'desk')}`;
    await workspace.api.post(`${desk}/rehearsals`, { name: 'third', ...REHEARSAL });
    rmSync(join(folder, 'agents', 'desk.yaml'));
    for (const kept of [/desk\/first, .*desk\/second, .*desk\/third/, /with rehearsal\/desk\/third\. Pull/]) {
      const refused = await run(['apply', folder, '--prune'], SHOP_KEY);
      expect(refused).toMatchObject({ status: 1, stdout: '', stderr: expect.stringMatching(kept) });
      rmSync(join(folder, 'rehearsals'), { recursive: true, force: true });
    }
    expect(await define('rehearsal', 'desk/first')).toBeDefined();
    await workspace.api.delete(desk);
    expect(await run(['apply', folder, '--prune'], SHOP_KEY)).toMatchObject({ status: 0 });
  });

  test('a request that fails leaves what was done before it, and apply goes on', async () => {
    for (let index = 0; index < 120; index += 1) write(`agents/agent-${index}.yaml`, { type: 'chat' });
    const { workspaceId } = workspace;
    const setQuota = (limit: number) =>
      parley.sql('UPDATE workspaces SET quotas_agents = $2 WHERE id = $1', [workspaceId, limit]);
    await setQuota(110);
    const stopped = await parleyIn('apply');
    expect(stopped).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/\n100 of 120 changes were done before\.\n$/),
    });
    await setQuota(200);
    expect((await json('apply')).changes).toHaveLength(20);
    expect((await json('plan')).changes).toEqual([]);
  });

  test('a lock file that a killed command has not written is written by the next one', async () => {
    await applyDesk();
    const lock = read('parley.lock.json');
    write('agents/desk.yaml', { type: 'inbound', name: 'Desk' });
    expect(await run(['apply', folder], SHOP_KEY)).toMatchObject({ status: 0 });
    const after = read('parley.lock.json');
    for (const command of ['apply', 'pull']) {
      writeFileSync(join(folder, 'parley.lock.json'), lock);
      expect(await run([command, folder], SHOP_KEY)).toMatchObject({ status: 0, stderr: '' });
      expect(read('parley.lock.json')).toBe(after);
    }
  });

  test('a file that can be no resource stays where it is when others are pulled', async () => {
    write('agents/Front Desk.yaml', { type: 'inbound' });
    await createAgent(workspace, { type: 'chat', name: 'New' });
    expect(await json('pull')).toEqual({ written: ['agents/new.yaml'], removed: [] });
    expect(listFiles()).toContain('agents/Front Desk.yaml');
  });

  describe('A placeholder of the environment', () => {
    test('stays at its item when others move it in a list, and pull says when it is gone', async () => {
      write('agents/desk.yaml', { type: 'inbound', name: 'Desk', customVocabulary: ['word ${env:WORD}'] });
      expect(await run(['apply', folder], { WORD: 'private' })).toMatchObject({ status: 0 });
      const desk = `/api/agents/${await idOf('agent', 'desk')}`;
      const put = (...customVocabulary: string[]) =>
        workspace.api.put(desk, { type: 'inbound', customVocabulary });
      await put('first', 'word private');
      await json('pull');
      expect(readYaml('agents/desk.yaml').customVocabulary).toEqual(['first', 'word ${env:WORD}']);

      await put('first', 'the word private');
      const { stderr } = await parleyIn('pull');
      expect(stderr).toBe('agent/desk: ${env:WORD} is gone, so its value may stand in the file\n');
    });

    test('is named when pull writes it for the secret of a tool', async () => {
      await workspace.api.post('/api/tools', { ...TOOL, name: 'new', secrets: { HOME: 'x' } });
      const { stderr } = await parleyIn('pull');
      expect(stderr).toBe('tool/new: plan and apply take HOME from your environment from now on\n');

      // A file that has names only needs no values.
      write('tools/new.yaml', { ...TOOL, secrets: ['HOME'] });
      expect(await parleyIn('apply')).toMatchObject({ status: 0 });
      const [tool] = (await workspace.api.get('/api/tools')).body.data as { tool_id: string }[];
      await workspace.api.put(`/api/tools/${tool?.tool_id}`, { ...TOOL, name: 'new', description: 'New.' });
      await json('pull');
      expect(readYaml('tools/new.yaml')).toMatchObject({ description: 'New.', secrets: ['HOME'] });
    });

    test('is filled in for the request, stays in its file, and is printed nowhere', async () => {
      write('tools/book_table.yaml', {
        ...TOOL,
        headers: { 'X-Shop': 'shop ${env:SHOP_ID} $${env:SHOP_ID}' },
        secrets: { KEY: '${env:SHOP_KEY}' },
      });
      const env = { SHOP_ID: 'private-id-17', SHOP_KEY: 'sk-private-18' };
      const ended = await run(['apply', folder], env);
      expect(ended).toMatchObject({ status: 0, stderr: '' });
      expect(await define('tool', 'book_table')).toMatchObject({
        headers: { 'X-Shop': 'shop private-id-17 ${env:SHOP_ID}' },
      });

      const [tool] = (await workspace.api.get('/api/tools')).body.data as { tool_id: string }[];
      await workspace.api.put(`/api/tools/${tool?.tool_id}`, {
        ...{ ...TOOL, name: 'book_table', description: 'Books.' },
        headers: { 'X-Shop': 'shop private-id-17 ${env:SHOP_ID}' },
      });
      expect(await json('pull')).toMatchObject({ written: ['tools/book_table.yaml'] });
      expect(readYaml('tools/book_table.yaml')).toMatchObject({
        description: 'Books.',
        headers: { 'X-Shop': 'shop ${env:SHOP_ID} $${env:SHOP_ID}' },
      });
      expect(JSON.stringify([snapshot(), ended])).not.toContain('private-');

      // The values of secrets have no revision.
      const changed = await run(['plan', folder, '--json'], { ...env, SHOP_KEY: 'sk-private-19' });
      expect(JSON.parse(changed.stdout)).toMatchObject({ changes: [{ fields: ['secrets'] }] });
      expect(JSON.stringify(changed)).not.toContain('private-');
    });

    test('without a value changes nothing, and all of these are named', async () => {
      write('agents/desk.yaml', { type: 'inbound', greeting: '${env:ONE} ${env:TWO} ${env:EMPTY}' });
      for (const command of ['plan', 'apply'])
        expect(await run([command, folder], { TWO: '2', EMPTY: '' })).toEqual({
          status: 1,
          stdout: '',
          stderr: 'Nothing was done, because the files need these variables of the environment: EMPTY, ONE\n',
        });
      expect(await define('agent', 'desk')).toBeUndefined();
    });

    test('is not in a message about the field', async () => {
      write('agents/desk.yaml', { type: 'inbound', knowledge: ['my ${env:SECRET}'] });
      const { status, stderr } = await run(['apply', folder], { SECRET: 'private-17' });
      expect(status).toBe(1);
      expect(stderr).toMatch(/^ {2}agent\/desk: knowledge\.0: is refused\. The reason is not shown/m);
      expect(stderr).not.toContain('private');
    });
  });

  test.each<[string, Record<string, unknown>, RegExp]>([
    ['a field that there is not', { 'agents/desk.yaml': { colour: 'red' } }, /agent\/desk: colour: /],
    [
      'a value that is not valid',
      { 'rehearsals/desk.yaml': { rehearsals: [{ name: 'a', ...REHEARSAL, checks: [{ turns: -1 }] }] } },
      /rehearsal\/desk\/a: checks\.0/,
    ],
    ['a list', { 'agents/desk.yaml': [] }, /agents\/desk\.yaml is not an object of YAML/],
    ['no list of rehearsals', { 'rehearsals/desk.yaml': {} }, /has no list of rehearsals/],
    [
      'a rehearsal without a name',
      { 'rehearsals/desk.yaml': { rehearsals: [{}] } },
      /rehearsals\.0 has no name/,
    ],
    [
      'the rehearsals of another agent',
      { 'rehearsals/desk.yaml': { agent: 'other', rehearsals: [] } },
      /must have the agent desk/,
    ],
    [
      'two rehearsals of a name',
      { 'rehearsals/desk.yaml': { rehearsals: [{ name: 'a' }, { name: 'a' }] } },
      /two rehearsals a/,
    ],
    ['another member', { 'rehearsals/desk.yaml': { rehearsals: [], only: [] } }, /has no member only/],
    ['another ending', { 'agents/desk.yml': {} }, /Name it desk\.yaml/],
    ['two endings', { 'agents/desk.yaml': {}, 'agents/desk.json': {} }, /Remove one/],
    ['a name that no slug is', { 'agents/Front Desk.yaml': { type: 'inbound' } }, /agent\/Front Desk: slug/],
    ['a broken lock file', { 'parley.lock.json': { resources: {} } }, /is no lock file of parley/],
  ])('nothing is applied if a file has %s', async (_, files, message) => {
    write('agents/good.yaml', { type: 'chat' });
    for (const [path, content] of Object.entries(files)) write(path, content as object);
    const before = snapshot();
    expect(await parleyIn('apply')).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(message),
    });
    expect([snapshot(), await define('agent', 'good')]).toEqual([before, undefined]);
  });

  test('an alias in a file is refused, which could make it as large as memory', async () => {
    mkdirSync(join(folder, 'agents'));
    writeFileSync(join(folder, 'agents', 'desk.yaml'), 'metaData: &a {}\nbackground: *a\n');
    expect(await parleyIn('plan')).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/is not YAML: /),
    });
  });

  test('more than one request of the server are applied in the order of what they need', async () => {
    for (let index = 0; index < 40; index += 1) {
      write(`agents/agent-${index}.yaml`, {
        type: 'chat',
        name: `Agent ${index}`,
        actions: [`tool_${index % 30}`],
      });
      write(`rehearsals/agent-${index}.yaml`, { rehearsals: [{ name: 'only', ...REHEARSAL }] });
    }
    for (let index = 0; index < 30; index += 1) write(`tools/tool_${index}.yaml`, TOOL);

    expect((await json('plan')).changes).toHaveLength(110);
    const { changes } = await json('apply');
    expect([changes.length, new Set(changes.map(({ action }) => action))]).toEqual([
      110,
      new Set(['create']),
    ]);
    expect((await json('apply')).changes).toEqual([]);
    expect(await json('pull')).toEqual({ written: [], removed: [] });

    rmSync(join(folder, 'rehearsals'), { recursive: true });
    rmSync(join(folder, 'tools'), { recursive: true });
    for (let index = 1; index < 40; index += 1) rmSync(join(folder, 'agents', `agent-${index}.yaml`));
    write('agents/agent-0.yaml', { type: 'chat', name: 'Last' });
    expect(await parleyIn('apply', '--prune')).toMatchObject({ status: 0, stderr: '' });
    expect((await workspace.api.get('/api/code')).body.data).toMatchObject([{ slug: 'agent-0' }]);
  });

  test('a credential that only reads can plan, and cannot apply', async () => {
    const { body } = await workspace.api.post('/api/auth/api-keys', { scope: ['read'] });
    write('agents/desk.yaml', { type: 'inbound' });
    const reader = { PARLEY_API_KEY: body.data.apiKey as string };
    expect(await run(['plan', folder], reader)).toMatchObject({ status: 0 });
    expect(await run(['apply', folder], reader)).toMatchObject({ status: 1, stdout: '' });
    expect(await define('agent', 'desk')).toBeUndefined();
  });

  test('a folder that is not there, or no folder, is used wrongly', async () => {
    write('agents/desk.yaml', { type: 'inbound' });
    for (const command of ['plan', 'apply'])
      for (const path of ['missing', 'agents/desk.yaml'])
        expect(await run([command, join(folder, path)])).toMatchObject({ status: 2, stdout: '' });
  });
});

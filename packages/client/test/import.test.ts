import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { Random } from '../../../src/tools/demo-data/random';
import { type TestWorkspace, useParley } from '../../../test/support/parley';
import { importAgents, PLATFORMS } from '../src/cli/import/import-agents';
import { PLATFORM_NAMES } from '../src/cli/import/platform';
import type { Report } from '../src/cli/import/source';
import { mutate, readSource, sourcePath } from './support/import-sources';
import { runCommand } from './support/run-command';

type Json = Record<string, unknown>;

const parley = useParley();

describe('Agents of other platforms are imported by parley import', () => {
  let workspace: TestWorkspace;
  let folder: string;
  beforeAll(async () => {
    workspace = await parley.workspace();
  });
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'parley-import-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** Runs the command without a server. */
  const runImport = (...words: string[]) => runCommand(['import', ...words]);

  const inFolder = (name: string, content: unknown): string => {
    const path = join(folder, name);
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
    return path;
  };

  const listFiles = (out: string): string[] =>
    readdirSync(out, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.yaml'))
      .sort();

  const readYaml = (path: string) => load(readFileSync(path, 'utf8')) as Json;

  /** Creates what files have, with a value for each secret. */
  async function create(files: Map<string, object>, of = workspace): Promise<Json[]> {
    const agents: Json[] = [];
    const byKind = (kind: string) => [...files].filter(([path]) => path.startsWith(`${kind}/`));
    for (const [path, tool] of byKind('tools')) {
      const { secrets = {}, ...fields } = tool as { secrets?: Json };
      const filled = Object.fromEntries(Object.keys(secrets).map((name) => [name, 'a secret']));
      const { status, body } = await of.api.post('/api/tools', { ...fields, secrets: filled });
      expect([path, status, body.errors ?? []]).toEqual([path, 201, []]);
    }
    for (const [path, definition] of byKind('agents')) {
      const { analysis, ...fields } = definition as Json;
      const created = await of.api.post('/api/agents', fields);
      expect([path, created.status, created.body.errors ?? []]).toEqual([path, 200, []]);
      const id = created.body.data._id as string;
      if (analysis) {
        const asked = await of.api.put(`/api/agents/${id}/analysis`, analysis);
        expect([path, asked.status, asked.body.errors ?? []]).toEqual([path, 200, []]);
      }
      const [agent] = (await of.api.get(`/api/agents/${id}`)).body.data as Json[];
      agents.push(agent ?? {});
    }
    return agents;
  }

  test.each([
    ['vapi', 'front-desk', ['book_appointment', 'find_patient']],
    ['retell', 'collections-eu', ['record_promise']],
    ['elevenlabs', 'concierge-hotel-etoile', ['order_breakfast']],
  ] as const)('from %s, as files that the server takes', async (platform, slug, tools) => {
    const of = await parley.workspace();
    const out = join(folder, 'out');
    const { status, stdout } = await runImport(platform, sourcePath(platform), '--out', out, '--json');
    const report = JSON.parse(stdout) as Report;
    expect([status, report.agent]).toEqual([0, slug]);
    expect(listFiles(out)).toEqual([`agents/${slug}.yaml`, ...tools.map((tool) => `tools/${tool}.yaml`)]);

    const files = new Map(listFiles(out).map((path) => [path, readYaml(join(out, path))]));
    const [agent] = await create(files, of);
    const definition = files.get(`agents/${slug}.yaml`) ?? {};
    // The API shows no metaData.
    const { analysis: _, metaData: __, ...fields } = definition;
    expect(agent).toMatchObject(fields);

    const written = listFiles(out).map((path) => readFileSync(join(out, path), 'utf8'));
    for (const shown of [...written, stdout]) expect(shown).not.toMatch(/-secret\b/);
    // The prompt is readable: each of its lines is one.
    expect(written[0]).toMatch(/^prompt: \|\n {2}\S/m);
  });

  test.each(PLATFORM_NAMES)(
    'from %s with at least the fields that each agent needs, and its tools, transfers and variables',
    (platform) => {
      const { reports, files } = importAgents(PLATFORMS[platform], [
        { path: 'agent.json', text: JSON.stringify(readSource(platform)) },
      ]);
      const to = reports.flatMap(({ understood }) => understood.map((entry) => entry.to)).join('\n');
      for (const field of [
        ...['name', 'prompt', 'greeting', 'llmConfig.model', 'llmConfig.temperature', 'primaryLanguage'],
        ...['voiceConfig.voiceId', 'voiceConfig.speed', 'timeoutConfig.maximumDuration'],
        ...['timeoutConfig.silenceTimeout', 'callConfig.idleReminders'],
      ])
        expect(to).toContain(field);
      const [agent] = [...files.values()] as { actions: string[]; dynamic_variables: string[] }[];
      expect(agent?.actions.some((action) => / tel:\+\d+$/.test(action))).toBe(true);
      expect(agent?.actions.some((action) => files.has(`tools/${action}.yaml`))).toBe(true);
      expect(agent?.dynamic_variables.length).toBeGreaterThan(0);
    },
  );

  test.each(PLATFORM_NAMES)(
    'from %s, also damaged ones, always as what the server takes',
    async (platform) => {
      const whole = readSource(platform);
      for (let seed = 0; seed < 30; seed += 1) {
        const source = mutate(whole, new Random(`accepted ${seed}`), 0.02 * (1 + (seed % 4)));
        const text = JSON.stringify(source);
        if (PLATFORMS[platform].findMismatch((source ?? {}) as Json) !== undefined || text.startsWith('['))
          continue;
        const { files } = importAgents(PLATFORMS[platform], [{ path: 'agent.json', text }]);
        await create(files, await parley.workspace());
      }
    },
  );

  test('writes the same files again, and never over others', async () => {
    const words = ['vapi', sourcePath('vapi'), '--out', folder];
    expect(await runImport(...words)).toMatchObject({ status: 0 });
    expect((await runImport(...words)).stdout).toContain('The others of 3 were there already.');

    const edited = join(folder, 'agents', 'front-desk.yaml');
    writeFileSync(edited, 'name: Mine\n');
    rmSync(join(folder, 'tools'), { recursive: true });
    const { status, stderr } = await runImport(...words);
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(/agents\/front-desk\.yaml with another content/),
    ]);
    expect([readFileSync(edited, 'utf8'), readdirSync(folder)]).toEqual(['name: Mine\n', ['agents']]);
  });

  test('reports all, and writes nothing with --strict unless all was understood', async () => {
    const out = join(folder, 'out');
    const strict = ['--out', out, '--strict'];
    const refused = await runImport('vapi', sourcePath('vapi'), ...strict);
    expect(refused).toMatchObject({ status: 1, stdout: expect.stringMatching(/^NOT UNDERSTOOD +WHY$/m) });
    expect(refused.stderr).toMatch(/^Nothing was written: \d+ entries were not understood\.$/m);
    expect(() => readdirSync(out)).toThrow(/ENOENT/);

    const plain = inFolder('plain.json', { name: 'Plain', model: { provider: 'openai', model: 'gpt-4o' } });
    expect(await runImport('vapi', plain, ...strict)).toMatchObject({ status: 0 });
    expect(listFiles(out)).toEqual(['agents/plain.yaml']);
  });

  test('takes several files, with a name of its own for each agent and each tool', async () => {
    const tool = (url: string, key: string) => ({
      type: 'function',
      function: { name: 'find' },
      server: { url, headers: { 'X-Key': key } },
    });
    const agent = (name: string, tools: unknown[]) => ({
      name,
      model: { provider: 'openai', model: 'm', tools },
    });
    const paths = [
      agent('Con', [tool('https://a.example.com', 'one')]),
      agent('con', [tool('https://a.example.com', 'one')]),
      agent('../../etc', [tool('https://a.example.com', 'two'), tool('https://b.example.com', 'one')]),
      agent('Приём', []),
    ].map((source, at) => inFolder(`${at}.json`, source));
    const { status, stdout } = await runImport('vapi', ...paths, '--out', folder);
    expect([status, listFiles(folder)]).toEqual([
      0,
      [
        ...['agents/agent-con-2.yaml', 'agents/agent-con.yaml', 'agents/agent.yaml', 'agents/etc.yaml'],
        ...['tools/find.yaml', 'tools/find_2.yaml', 'tools/find_3.yaml'],
      ],
    ]);
    expect(stdout).toContain(
      'Set them for parley apply: IMPORTED_FIND_X_KEY, IMPORTED_FIND_2_X_KEY, IMPORTED_FIND_3_X_KEY',
    );
    expect(readYaml(join(folder, 'agents', 'etc.yaml')).actions).toEqual(['find_2', 'find_3']);
  });

  test.each<[string, unknown, number, RegExp]>([
    ['no JSON', '{"key": "sk-private",\n oh', 1, /bad\.json is not JSON/],
    ['a list', [{ model: {} }], 1, /bad\.json is no JSON object/],
    ['an agent of another platform', { conversation_config: {} }, 1, /bad\.json is no assistant/],
    ['a deep one', `{"model":${'['.repeat(500_000)}${']'.repeat(500_000)}}`, 1, /more than 100 levels/],
    ['a large one', { model: 'x'.repeat(3_000_000) }, 1, /bad\.json is larger than 2 MB/],
  ])('names a file that is %s, and writes nothing', async (_, content, status, message) => {
    const good = inFolder('good.json', { name: 'Good', model: {} });
    const out = join(folder, 'out');
    const ended = await runImport('vapi', good, inFolder('bad.json', content), '--out', out);
    expect(ended).toEqual({ status, stdout: '', stderr: expect.stringMatching(message) });
    expect(ended.stderr).not.toContain('private');
    expect(() => readdirSync(out)).toThrow(/ENOENT/);
  });

  test('exits with 2 if it is used wrongly', async () => {
    const file = sourcePath('vapi');
    for (const words of [
      ['vapi', file],
      ['siri', file, '--out', folder],
      ['vapi', '--out', folder],
      ['vapi', join(folder, 'missing.json'), '--out', folder],
      ['vapi', file, '--out', file],
    ])
      expect([words, (await runImport(...words)).status]).toEqual([words, 2]);
  });
});

/** Without a server. */
describe('What an agent of another platform must not bring', () => {
  const importVapi = (source: Json) => {
    const { reports, files } = importAgents(PLATFORMS.vapi, [
      { path: 'a.json', text: JSON.stringify(source) },
    ]);
    const [report] = reports;
    return { files, refused: new Map(report?.not_understood.map(({ path, why }) => [path, why])) };
  };
  const request = { type: 'apiRequest', name: 'ask', method: 'POST', url: 'https://a.example.com/ask' };

  test.each<[string, Json, string, RegExp]>([
    [
      'a prompt that is too long',
      { model: { systemPrompt: 'x'.repeat(100_001) } },
      'model.systemPrompt',
      /100,001/,
    ],
    ['a temperature beyond the scale', { model: { temperature: 3 } }, 'model.temperature', /from 0 to 2/],
    ['a name of nothing', { name: ' \u200b', model: {} }, 'name', /blank/],
    [
      'a text from the environment of the user',
      { model: {}, firstMessage: '${env:HOME}' },
      'firstMessage',
      /\$\{env/,
    ],
    [
      'an address with a secret in it',
      { model: { tools: [{ ...request, url: 'https://a.example.com/?access_token=x' }] } },
      'model.tools.0',
      /secret in its address/,
    ],
    [
      'an address with a variable that is no parameter',
      { model: { tools: [{ ...request, url: 'https://a.example.com/{{id}}' }] } },
      'model.tools.0',
      /a variable that is no required parameter/,
    ],
    [
      'a parameter with the name of a part of each object',
      {
        model: {
          tools: [
            { ...request, body: JSON.parse('{"type":"object","properties":{"__proto__":{}}}') as Json },
          ],
        },
      },
      'model.tools.0.body.properties.__proto__',
      /name of a parameter/,
    ],
    [
      'an expression that RE2 does not know',
      {
        model: {
          tools: [
            { ...request, body: { type: 'object', properties: { a: { type: 'string', pattern: '(?=a)' } } } },
          ],
        },
      },
      'model.tools.0.body.properties.a.pattern',
      /RE2/,
    ],
  ])('%s is reported, and not written', (_, source, path, why) => {
    const { files, refused } = importVapi(source);
    expect(refused.get(path)).toMatch(why);
    expect(JSON.stringify([...files.values()])).not.toMatch(/x{1000}|\$\{env:HOME|access_token/);
  });

  test('a value of another type is reported for each field', () => {
    const { refused } = importVapi({
      name: 7,
      model: { model: [], temperature: '1' },
      maxDurationSeconds: '9',
    });
    expect([...refused.keys()]).toEqual(['name', 'model.model', 'model.temperature', 'maxDurationSeconds']);
  });
});

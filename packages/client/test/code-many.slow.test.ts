import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKnowledgeBase } from '../../../test/support/knowledge-bases';
import { type TestWorkspace, useOwnParley } from '../../../test/support/parley';
import { randomAgent } from '../../../test/support/random-agents';
import { runCommand } from './support/run-command';

const AGENTS = 1_000;
const KNOWLEDGE = ['Prices', 'Questions'];

describe('A thousand agents of random fields', () => {
  const parley = useOwnParley({ ROLES: 'http', AGENTS_QUOTA: '2000', RATE_LIMIT_PER_MINUTE: '100000' });
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'parley-code-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Runs a command that must succeed. @returns its JSON */
  async function run(workspace: TestWorkspace, ...words: string[]) {
    const env = { PARLEY_URL: parley.url, PARLEY_API_KEY: workspace.apiKey };
    const ended = await runCommand([...words, '--json'], env);
    expect(ended).toMatchObject({ status: 0, stderr: '' });
    return JSON.parse(ended.stdout) as Record<string, unknown[]>;
  }

  async function createWorkspace(): Promise<TestWorkspace> {
    const workspace = await parley.workspace();
    for (const name of KNOWLEDGE) await createKnowledgeBase(workspace, { fields: { name } });
    return workspace;
  }

  async function listRevisions({ api }: TestWorkspace): Promise<string[]> {
    const revisions: string[] = [];
    for (let page = 1; page <= AGENTS / 100; page += 1) {
      const { data } = (await api.get(`/api/code?kind=agent&limit=100&page=${page}`)).body;
      revisions.push(
        ...(data as { slug: string; revision: string }[]).map((each) => each.slug + each.revision),
      );
    }
    return revisions;
  }

  test('are pulled and applied without a change, and applied to another workspace are the same', async () => {
    const workspace = await createWorkspace();
    for (let at = 0; at < AGENTS; at += 100) {
      const resources = Array.from({ length: 100 }, (_, index) => ({
        ...{ kind: 'agent', slug: `agent-${at + index}`, base: null },
        definition: randomAgent(at + index, KNOWLEDGE, []),
      }));
      expect((await workspace.api.post('/api/code', { resources })).status).toBe(200);
    }
    const versions = () => parley.sql('SELECT count(*)::int AS count FROM agent_versions');
    const before = [await versions(), await listRevisions(workspace)];

    expect((await run(workspace, 'pull', folder)).written).toHaveLength(AGENTS);
    expect(readdirSync(join(folder, 'agents'))).toHaveLength(AGENTS);
    for (const command of ['plan', 'apply'])
      expect(await run(workspace, command, folder)).toEqual({ changes: [], drift: [], orphans: [] });
    // Without a lock file, each file is compared with the workspace.
    rmSync(join(folder, 'parley.lock.json'));
    expect(await run(workspace, 'apply', folder)).toEqual({ changes: [], drift: [], orphans: [] });
    expect(await run(workspace, 'pull', folder)).toEqual({ written: [], removed: [] });
    expect([await versions(), await listRevisions(workspace)]).toEqual(before);

    const other = await createWorkspace();
    const lock = join(folder, 'other.lock.json');
    expect((await run(other, 'apply', folder, '--lock', lock)).changes).toHaveLength(AGENTS);
    expect(await listRevisions(other)).toEqual(before[1]);
  });
});

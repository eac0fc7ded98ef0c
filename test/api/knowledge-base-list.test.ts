import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createAgent, readAgent } from '../support/agents';
import {
  invalid,
  outcome,
  outcomeForStrangers,
  outOfScope,
  refused,
  serverFailed,
  succeeded,
  unauthorized,
  withoutTable,
} from '../support/answers';
import { createKnowledgeBase, indexed, readKnowledgeBase } from '../support/knowledge-bases';
import { type TestWorkspace, useOwnParley } from '../support/parley';
import { until } from '../support/until';

const UNKNOWN_ID = '01890000-0000-7000-8000-000000000000';

const notFound = refused(404, 'Knowledge base not found', { error_code: 'KNOWLEDGE_BASE_NOT_FOUND' });

describe('Knowledge bases', () => {
  const parley = useOwnParley();

  const names = async ({ api }: TestWorkspace, query = '') => {
    const { status, body } = await api.get(`/api/knowledge-base?${query}`);
    expect(status).toBe(200);
    return (body as { data: { name: string }[] }).data.map(({ name }) => name);
  };

  describe('as a list', () => {
    let workspace: TestWorkspace;
    const ids: Record<string, string> = {};

    beforeAll(async () => {
      workspace = await parley.workspace();
      const described = { Prices: 'What chairs cost', Hours: 'When we are 100% open', Äpfel: 'a_b' };
      for (const [n, [name, description]] of Object.entries(described).entries()) {
        ids[name] = await createKnowledgeBase(workspace, { fields: { name, description } });
        await indexed(workspace, ids[name]);
        await parley.sql('UPDATE knowledge_bases SET created_at = $2, updated_at = $3 WHERE id = $1', [
          ids[name],
          `2026-01-0${n + 1}T12:00:00Z`,
          `2026-02-0${9 - n}T12:00:00Z`,
        ]);
      }
    });

    test('are listed with all fields, the newest first, with a pagination', async () => {
      const shown = await Promise.all(
        ['Äpfel', 'Hours', 'Prices'].map(
          (name) => readKnowledgeBase(workspace, ids[name] ?? '') as Promise<object>,
        ),
      );
      const pagination = {
        page: 1,
        limit: 10,
        total: 3,
        totalPages: 1,
        hasNextPage: false,
        hasPrevPage: false,
      };

      expect(await outcome(workspace.api.get('/api/knowledge-base'))).toEqual(
        succeeded('Knowledge bases', shown, pagination),
      );
    });

    test('come in pages', async () => {
      const page = (page: number) => outcome(workspace.api.get(`/api/knowledge-base?limit=2&page=${page}`));
      const pagination = { limit: 2, total: 3, totalPages: 2 };

      expect(await names(workspace, 'limit=2&page=2')).toEqual(['Prices']);
      expect((await page(2)).body).toMatchObject({
        pagination: { page: 2, ...pagination, hasNextPage: false, hasPrevPage: true },
      });
      expect(await page(3)).toEqual(
        succeeded('Knowledge bases', [], { page: 3, ...pagination, hasNextPage: false, hasPrevPage: true }),
      );
    });

    test.each([
      ['search=chairs', ['Prices']],
      ['search=PRI', ['Prices']],
      ['search=h', ['Hours', 'Prices']],
      ['search=100%25', ['Hours']],
      ['search=a_b', ['Äpfel']],
      ['search=%25', ['Hours']],
      ['search=nothing', []],
      ['start_date=2026-01-02', ['Äpfel', 'Hours']],
      ['end_date=2026-01-02', ['Hours', 'Prices']],
      ['start_date=2026-01-01T12:00:00.001Z&end_date=2026-01-03T11:59:59Z', ['Hours']],
      ['sortBy=name&sortOrder=asc', ['Hours', 'Prices', 'Äpfel']],
      ['sortBy=name', ['Äpfel', 'Prices', 'Hours']],
      ['sortBy=createdAt&sortOrder=asc', ['Prices', 'Hours', 'Äpfel']],
      ['sortBy=updatedAt&sortOrder=asc', ['Äpfel', 'Hours', 'Prices']],
      ['sortOrder=asc', ['Prices', 'Hours', 'Äpfel']],
      ['kb_id=unknown', []],
      [`kb_id=${UNKNOWN_ID}`, []],
      ['agent_id=unknown', []],
      [`agent_id=${UNKNOWN_ID}`, []],
    ])('take filters and an order: %s', async (query, expected) => {
      expect(await names(workspace, query)).toEqual(expected);
    });

    test('are found by their id', async () => {
      expect(await names(workspace, `kb_id=${ids.Hours}`)).toEqual(['Hours']);
      expect(await names(workspace, `kb_id=${ids.Hours}&search=chairs`)).toEqual([]);
    });

    test('are found by an agent that they are assigned to', async () => {
      const agent = await createAgent(workspace, { knowledgeBases: [ids.Prices, ids.Hours] });

      expect(await names(workspace, `agent_id=${agent}`)).toEqual(['Hours', 'Prices']);
      expect(await names(workspace, `agent_id=${agent}&search=chairs`)).toEqual(['Prices']);
      await workspace.api.delete(`/api/agents/${agent}`);
      expect(await names(workspace, `agent_id=${agent}`)).toEqual([]);
    });

    test('of another workspace are not listed', async () => {
      const other = await parley.workspace();

      expect(await names(other)).toEqual([]);
      expect(await names(other, `kb_id=${ids.Hours}`)).toEqual([]);
    });

    test.each([
      ['page=0', ['query.page']],
      ['page=x&limit=101', ['query.limit', 'query.page']],
      ['limit=0', ['query.limit']],
      ['sortBy=type', ['query.sortBy']],
      ['sortOrder=up', ['query.sortOrder']],
      ['start_date=yesterday&end_date=2026-02-30', ['query.end_date', 'query.start_date']],
      ['name=Hours', ['query.name']],
      ['workspaceId=another', ['query.workspaceId']],
      [`search=${'x'.repeat(201)}`, ['query.search']],
    ])('refuse values that are not within bounds: %s', async (query, fields) => {
      expect(await outcome(workspace.api.get(`/api/knowledge-base?${query}`))).toEqual(invalid(...fields));
    });

    test('need a credential without a scope', async () => {
      const list = (api: TestWorkspace['api']) => api.get('/api/knowledge-base');

      expect(await outcomeForStrangers(parley, list)).toEqual(unauthorized());
      expect(await outcome(list(parley.scoped(workspace, 'agent:any')))).toEqual(outOfScope());
    });

    test('fail without the cause in the answer', async () => {
      expect(
        await withoutTable(parley, 'knowledge_bases', () =>
          outcome(workspace.api.get('/api/knowledge-base')),
        ),
      ).toEqual(serverFailed());
    });
  });

  describe('that are deleted', () => {
    const remove = ({ api }: Pick<TestWorkspace, 'api'>, id: string) =>
      outcome(api.delete(`/api/knowledge-base/${id}`));

    const files = () => readdir(join(parley.dataFolder, 'files'));

    test('leave neither file nor text nor assignments', async () => {
      const workspace = await parley.workspace();
      const id = await createKnowledgeBase(workspace);
      const { sources } = (await indexed(workspace, id)) as { sources: { metadata: { fileKey: string } }[] };
      const fileKey = sources[0]?.metadata.fileKey ?? '';
      const agent = await createAgent(workspace, { knowledgeBases: [id] });
      const { version } = ((await readAgent(workspace, agent)) as { deployment: { version: number } })
        .deployment;
      expect(await files()).toContain(fileKey);

      expect(await remove(workspace, id)).toEqual(succeeded('Knowledge base deleted', {}));

      expect(await readKnowledgeBase(workspace, id)).toBeUndefined();
      for (const table of ['sources', 'passages', 'words', 'assignments']) {
        const rows = await parley.sql(`SELECT FROM knowledge_base_${table} WHERE knowledge_base_id = $1`, [
          id,
        ]);
        expect(rows).toHaveLength(0);
      }
      expect(await readAgent(workspace, agent)).toMatchObject({
        knowledgeBases: [],
        deployment: { version: version + 1 },
      });
      await until(async () => !(await files()).includes(fileKey));
    });

    test('while they are indexed are deleted as well', async () => {
      const workspace = await parley.workspace();
      const content = 'Many words about nothing in particular. '.repeat(20_000);
      const id = await createKnowledgeBase(workspace, { content });

      expect(await remove(workspace, id)).toEqual(succeeded('Knowledge base deleted', {}));

      await until(async () => (await parley.sql('SELECT FROM graphile_worker._private_jobs')).length === 0);
      expect(
        await parley.sql('SELECT FROM knowledge_base_passages WHERE knowledge_base_id = $1', [id]),
      ).toEqual([]);
    });

    test('are not found, like unknown ones', async () => {
      const workspace = await parley.workspace();
      const id = await createKnowledgeBase(workspace);

      expect(await remove(await parley.workspace(), id)).toEqual(notFound);
      expect(await remove(workspace, 'unknown')).toEqual(notFound);
      expect(await remove(workspace, UNKNOWN_ID)).toEqual(notFound);
      expect((await remove(workspace, id)).status).toBe(200);
      expect(await remove(workspace, id)).toEqual(notFound);
    });

    test('by two requests at once are deleted once', async () => {
      const workspace = await parley.workspace();
      const id = await createKnowledgeBase(workspace);

      const outcomes = await Promise.all([remove(workspace, id), remove(workspace, id)]);

      expect(outcomes.map(({ status }) => status).sort()).toEqual([200, 404]);
    });

    test('stay when the server fails', async () => {
      const workspace = await parley.workspace();
      const id = await createKnowledgeBase(workspace);

      await withoutTable(parley, 'knowledge_base_assignments', async () => {
        expect(await remove(workspace, id)).toEqual(serverFailed());
      });

      expect(await readKnowledgeBase(workspace, id)).toMatchObject({ _id: id });
    });

    test('need an id, and a credential without a scope', async () => {
      const workspace = await parley.workspace();
      const id = await createKnowledgeBase(workspace);

      for (const path of ['/api/knowledge-base', '/api/knowledge-base/']) {
        expect(await outcome(workspace.api.delete(path))).toEqual(invalid('params.kb_id'));
        expect(await outcomeForStrangers(parley, (api) => api.delete(path))).toEqual(unauthorized());
      }
      expect(await outcomeForStrangers(parley, (api) => api.delete(`/api/knowledge-base/${id}`))).toEqual(
        unauthorized(),
      );
      expect(await remove({ api: parley.scoped(workspace, `agent:${id}`) }, id)).toEqual(outOfScope());
      expect(await withoutTable(parley, 'knowledge_base_assignments', () => remove(workspace, id))).toEqual(
        serverFailed(),
      );
      expect(await readKnowledgeBase(workspace, id)).toMatchObject({ _id: id });
    });
  });
});

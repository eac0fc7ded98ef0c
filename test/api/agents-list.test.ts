import { createAgent } from '../support/agents';
import {
  invalid,
  outcome,
  outcomeForStrangers,
  outOfScope,
  serverFailed,
  succeeded,
  unauthorized,
  withoutTable,
} from '../support/answers';
import { createKnowledgeBase } from '../support/knowledge-bases';
import { type TestWorkspace, useParley } from '../support/parley';

describe('Listing agents', () => {
  const parley = useParley();

  /** Agents with these names, created one after the other. */
  async function agentsNamed(workspace: TestWorkspace, names: string[]): Promise<string[]> {
    const ids: string[] = [];
    for (const name of names) ids.push(await createAgent(workspace, { name }));
    return ids;
  }

  const setTimes = (id: string, column: 'created_at' | 'updated_at', time: string) =>
    parley.sql(`UPDATE agents SET ${column} = $2 WHERE id = $1`, [id, time]);

  async function names({ api }: TestWorkspace, query: Record<string, string>): Promise<string[]> {
    const { status, body } = await api.get(`/api/agents?${new URLSearchParams(query).toString()}`);
    expect(status).toBe(200);
    return body.data.map(({ name }: { name: string }) => name);
  }

  test('shows a summary of each, the newest first', async () => {
    const workspace = await parley.workspace();
    const desk = await createAgent(workspace, { type: 'inbound', name: 'Desk', status: false });
    const sales = await createAgent(workspace, { name: 'Sales', voiceConfig: { provider: 'cartesia' } });
    await workspace.api.put(`/api/agents/${sales}/phone-number`, { phone_number: '+15550010001' });

    const listed = await outcome(workspace.api.get('/api/agents'));

    const updatedAt = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(listed).toEqual(
      succeeded(
        'Agents',
        [
          {
            id: sales,
            name: 'Sales',
            type: 'outbound',
            updatedAt,
            voiceEngine: 'cartesia',
            phoneNumber: '+15550010001',
            status: true,
          },
          {
            id: desk,
            name: 'Desk',
            type: 'inbound',
            updatedAt,
            voiceEngine: 'elevenlabs',
            phoneNumber: '',
            status: false,
          },
        ],
        { page: 1, limit: 10, total: 2, totalPages: 1, hasNextPage: false, hasPrevPage: false },
      ),
    );
  });

  test('is empty in a workspace without agents', async () => {
    const workspace = await parley.workspace();

    const noPages = { limit: 10, total: 0, totalPages: 0, hasNextPage: false, hasPrevPage: false };
    expect(await outcome(workspace.api.get('/api/agents'))).toEqual(
      succeeded('Agents', [], { page: 1, ...noPages }),
    );
    expect(await outcome(workspace.api.get('/api/agents?page=2'))).toEqual(
      succeeded('Agents', [], { page: 2, ...noPages }),
    );
  });

  test('comes in pages', async () => {
    const workspace = await parley.workspace();
    await agentsNamed(workspace, ['a', 'b', 'c', 'd', 'e']);
    const page = async (query: string) => {
      const { body } = await workspace.api.get(`/api/agents?${query}`);
      return { names: body.data.map(({ name }: { name: string }) => name), pagination: body.pagination };
    };
    const of = (limit: number, total: number, totalPages: number) => ({ limit, total, totalPages });

    expect(await page('limit=2')).toEqual({
      names: ['e', 'd'],
      pagination: { page: 1, ...of(2, 5, 3), hasNextPage: true, hasPrevPage: false },
    });
    expect(await page('page=2&limit=2')).toEqual({
      names: ['c', 'b'],
      pagination: { page: 2, ...of(2, 5, 3), hasNextPage: true, hasPrevPage: true },
    });
    expect(await page('page=3&limit=2')).toEqual({
      names: ['a'],
      pagination: { page: 3, ...of(2, 5, 3), hasNextPage: false, hasPrevPage: true },
    });
    expect(await page('page=4&limit=2')).toEqual({
      names: [],
      pagination: { page: 4, ...of(2, 5, 3), hasNextPage: false, hasPrevPage: true },
    });
    expect(await page('page=1000000000&limit=100')).toEqual({
      names: [],
      pagination: { page: 1_000_000_000, ...of(100, 5, 1), hasNextPage: false, hasPrevPage: true },
    });
    expect(await page('page=1&limit=5')).toEqual({
      names: ['e', 'd', 'c', 'b', 'a'],
      pagination: { page: 1, ...of(5, 5, 1), hasNextPage: false, hasPrevPage: false },
    });
  });

  test('leaves out deleted agents and those of other workspaces', async () => {
    const [workspace, other] = await Promise.all([parley.workspace(), parley.workspace()]);
    const [deleted] = await agentsNamed(workspace, ['deleted', 'mine']);
    await agentsNamed(other, ['theirs']);
    await workspace.api.delete(`/api/agents/${deleted}`);

    const listed = await workspace.api.get('/api/agents');

    expect(listed.body.data).toMatchObject([{ name: 'mine' }]);
    expect(listed.body.pagination.total).toBe(1);
  });

  test('is filtered by category, type, status and workspace, each on its own and together', async () => {
    const workspace = await parley.workspace();
    await createAgent(workspace, {
      name: 'a',
      type: 'inbound',
      category: ['sales', 'berlin'],
      status: false,
    });
    await createAgent(workspace, { name: 'b', type: 'inbound', category: 'sales' });
    await createAgent(workspace, { name: 'c', type: 'chat', category: ['Sales'], status: false });

    expect(await names(workspace, { category: 'sales' })).toEqual(['b', 'a']);
    expect(await names(workspace, { category: 'berlin' })).toEqual(['a']);
    expect(await names(workspace, { category: 'sale' })).toEqual([]);
    expect(await names(workspace, { category: '' })).toEqual([]);
    expect(await names(workspace, { type: 'inbound' })).toEqual(['b', 'a']);
    expect(await names(workspace, { type: 'hybrid' })).toEqual([]);
    expect(await names(workspace, { status: 'true' })).toEqual(['b']);
    expect(await names(workspace, { status: 'false' })).toEqual(['c', 'a']);
    expect(await names(workspace, { workspaceId: workspace.workspaceId })).toEqual(['c', 'b', 'a']);
    expect(await names(workspace, { category: 'sales', type: 'inbound', status: 'false' })).toEqual(['a']);
  });

  test('is filtered by a knowledge base that the agents have', async () => {
    const [workspace, other] = await Promise.all([parley.workspace(), parley.workspace()]);
    const kb_id = await createKnowledgeBase(workspace);
    await agentsNamed(workspace, ['without']);
    for (const name of ['a', 'b']) await createAgent(workspace, { name, knowledgeBases: [kb_id] });

    expect(await names(workspace, { kb_id })).toEqual(['b', 'a']);
    expect(await names(workspace, { kb_id, search: 'a' })).toEqual(['a']);
    expect(await names(workspace, { kb_id: 'none' })).toEqual([]);
    expect(await names(other, { kb_id })).toEqual([]);
  });

  test('is searched by a part of the name, as plain text in any case', async () => {
    const workspace = await parley.workspace();
    await agentsNamed(workspace, [
      '100% sure',
      '100 sure',
      'snake_case',
      'snakeXcase',
      'back\\slash',
      'Grüße',
    ]);

    expect(await names(workspace, { search: '100%' })).toEqual(['100% sure']);
    expect(await names(workspace, { search: '%' })).toEqual(['100% sure']);
    expect(await names(workspace, { search: 'e_c' })).toEqual(['snake_case']);
    expect(await names(workspace, { search: '\\' })).toEqual(['back\\slash']);
    expect(await names(workspace, { search: '\\%' })).toEqual([]);
    expect(await names(workspace, { search: 'SNAKE' })).toEqual(['snakeXcase', 'snake_case']);
    expect(await names(workspace, { search: 'GRÜSS' })).toEqual([]);
    expect(await names(workspace, { search: 'GRÜ' })).toEqual(['Grüße']);
    expect(await names(workspace, { search: "'; DROP TABLE agents; --" })).toEqual([]);
    expect(await names(workspace, { search: '' })).toHaveLength(6);
  });

  test('is bounded by the times of creation, in any zone and to the whole day', async () => {
    const workspace = await parley.workspace();
    const [before, first, last, after] = await agentsNamed(workspace, ['before', 'first', 'last', 'after']);
    await setTimes(before as string, 'created_at', '2026-01-30T23:59:59.999Z');
    await setTimes(first as string, 'created_at', '2026-01-31T00:00:00.000Z');
    await setTimes(last as string, 'created_at', '2026-01-31T23:59:59.999Z');
    await setTimes(after as string, 'created_at', '2026-02-01T00:00:00.000Z');

    const cases: [string, string, string[]][] = [
      ['2026-01-31', '2026-01-31', ['last', 'first']],
      ['2026-01-31T00:00:00Z', '2026-01-31T23:59:59.999Z', ['last', 'first']],
      ['2026-01-31T00:00:00.001Z', '2026-01-31T23:59:59.998Z', []],
      ['2026-01-31T02:00:00+02:00', '2026-01-31T21:59:59.999-0200', ['last', 'first']],
      ['2026-01-31T00:00', '2026-02-01T00:00', ['after', 'last', 'first']],
      ['2026-02-01', '2026-01-01', []],
    ];
    for (const [start_date, end_date, expected] of cases) {
      expect(await names(workspace, { start_date, end_date })).toEqual(expected);
    }
    expect(await names(workspace, { start_date: '2026-01-31' })).toEqual(['after', 'last', 'first']);
    expect(await names(workspace, { end_date: '2026-01-31' })).toEqual(['last', 'first', 'before']);
    expect(await names(workspace, { start_date: '0001-01-01', end_date: '9999-12-31' })).toHaveLength(4);
  });

  test('is sorted by each sort field, in both directions', async () => {
    const workspace = await parley.workspace();
    const [a, b, c] = [
      await createAgent(workspace, { name: 'a', type: 'outbound', status: false }),
      await createAgent(workspace, { name: 'b', type: 'chat', status: true }),
      await createAgent(workspace, { name: 'c', type: 'inbound', status: true }),
    ];
    for (const [id, createdAt, updatedAt] of [
      [a, '2026-01-02', '2026-02-03'],
      [b, '2026-01-03', '2026-02-01'],
      [c, '2026-01-01', '2026-02-02'],
    ] as const) {
      await setTimes(id, 'created_at', createdAt);
      await setTimes(id, 'updated_at', updatedAt);
    }

    const ascending = {
      name: ['a', 'b', 'c'],
      type: ['b', 'c', 'a'],
      status: ['a', 'b', 'c'],
      createdAt: ['c', 'a', 'b'],
      updatedAt: ['b', 'c', 'a'],
    };
    for (const [sortBy, expected] of Object.entries(ascending)) {
      expect(await names(workspace, { sortBy, sortOrder: 'asc' })).toEqual(expected);
      expect(await names(workspace, { sortBy, sortOrder: 'desc' })).toEqual([...expected].reverse());
      expect(await names(workspace, { sortBy })).toEqual([...expected].reverse());
    }
    expect(await names(workspace, { sortOrder: 'asc' })).toEqual(ascending.createdAt);
  });

  test('shows each agent on one page, also where all are alike', async () => {
    const workspace = await parley.workspace();
    const ids = await agentsNamed(workspace, Array<string>(7).fill('alike'));
    await parley.sql(`UPDATE agents SET created_at = now(), updated_at = now() WHERE workspace_id = $1`, [
      workspace.workspaceId,
    ]);

    for (const sortBy of ['name', 'type', 'status', 'createdAt', 'updatedAt']) {
      for (const sortOrder of ['asc', 'desc']) {
        const pages = await Promise.all(
          [1, 2, 3, 4].map((page) =>
            workspace.api.get(`/api/agents?limit=2&page=${page}&sortBy=${sortBy}&sortOrder=${sortOrder}`),
          ),
        );
        const shown = pages.flatMap(({ body }) => body.data.map(({ id }: { id: string }) => id) as string[]);
        expect(shown).toEqual(sortOrder === 'asc' ? ids : [...ids].reverse());
      }
    }
  });

  test('refuses unknown or invalid parameters, by name', async () => {
    const [workspace, other] = await Promise.all([parley.workspace(), parley.workspace()]);
    const cases: Record<string, string[]> = {
      page: ['0', '-1', '1.5', 'one', '', '1e3', '1000000001', '99999999999999999999', ' 1'],
      limit: ['0', '101', '-1', '2.5', 'all', ''],
      sortBy: ['id', 'NAME', 'config', ''],
      sortOrder: ['ASC', 'up', ''],
      type: ['voice', ''],
      status: ['1', 'TRUE', ''],
      start_date: [
        'yesterday',
        '2026-13-01',
        '2026-02-30',
        '2026-01-01T25:00:00Z',
        '1767225600',
        '0000-01-01',
        '',
      ],
      end_date: ['tomorrow', '2026-1-1', '01/02/2026', '2026-01-01 10:00', '+010000-01-01T00:00:00Z'],
      category: ['x'.repeat(201)],
      search: ['x'.repeat(201), 'a\0b'],
      workspaceId: [other.workspaceId, 'unknown', ''],
      offset: ['1'],
    };
    for (const [name, values] of Object.entries(cases)) {
      for (const value of values) {
        const query = new URLSearchParams({ [name]: value }).toString();
        expect(await outcome(workspace.api.get(`/api/agents?${query}`))).toEqual(invalid(`query.${name}`));
      }
    }
    for (const name of ['page', 'limit', 'sortBy', 'type', 'status', 'start_date', 'category', 'search']) {
      const twice = await outcome(workspace.api.get(`/api/agents?${name}=1&${name}=2`));
      expect(twice).toEqual(invalid(`query.${name}`));
    }
    expect(await outcome(workspace.api.get('/api/agents?page=0&limit=101&sortBy=x'))).toEqual(
      invalid('query.page', 'query.limit', 'query.sortBy'),
    );
  });

  test('requires a credential of the whole workspace', async () => {
    const workspace = await parley.workspace();
    const scoped = parley.scoped(workspace, `agent:${await createAgent(workspace)}`);

    expect(await outcomeForStrangers(parley, (api) => api.get('/api/agents'))).toEqual(unauthorized());
    expect(await outcome(scoped.get('/api/agents'))).toEqual(outOfScope());
  });

  test('is answered with a 500 when the server fails', async () => {
    const workspace = await parley.workspace();

    const listed = await withoutTable(parley, 'agents', () => outcome(workspace.api.get('/api/agents')));

    expect(listed).toEqual(serverFailed());
  });
});

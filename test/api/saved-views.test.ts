import { outcome, refused } from '../support/answers';
import type { ApiClient } from '../support/client';
import { type TestWorkspace, useParley } from '../support/parley';

const PATH = '/api/saved-views';

const VIEW = { page: 'calls', name: 'Failed last week', query: 'status=failed', period: 'lastWeek' };

describe('A saved view', () => {
  const parley = useParley();
  let owner: TestWorkspace;

  beforeEach(async () => {
    owner = await parley.workspace();
  });

  const save = (fields: object = {}, api: ApiClient = owner.api) => api.put(PATH, { ...VIEW, ...fields });
  const list = async (query = '', api: ApiClient = owner.api) =>
    (await api.get(`${PATH}${query}`)).body.data as (typeof VIEW & { view_id: string })[];

  test('is shared in its workspace, and replaced by one with its name', async () => {
    const { body } = await save();
    expect(body.data).toEqual({
      ...VIEW,
      view_id: expect.any(String) as string,
      updated_by: expect.objectContaining({ kind: 'key' }) as object,
      updated_at: expect.any(String) as string,
    });
    await save({ query: 'status=failed&limit=50', period: null });
    await save({ page: 'analytics' });

    expect(await list('', parley.scoped(owner, 'read'))).toMatchObject([
      { page: 'analytics', query: 'status=failed', period: 'lastWeek' },
      { view_id: body.data.view_id as string, page: 'calls', query: 'status=failed&limit=50', period: null },
    ]);
    expect(await list('?page=analytics')).toHaveLength(1);
  });

  test('is saved once by requests at the same time', async () => {
    const saved = await Promise.all(['a', 'b', 'c', 'd'].map((query) => save({ query })));
    expect(saved.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await list()).toHaveLength(1);
  });

  test('names no person, whom an erasure would not find in it', async () => {
    for (const name of ['number', 'customer_name', 'external_id', 'n%75mber', '?&number'])
      expect((await save({ query: `status=failed&${name}=x` })).body).toMatchObject({
        error_code: 'VALIDATION_FAILED',
        errors: [{ field: 'body.query', message: expect.stringContaining('name a person') as string }],
      });
    expect(await list()).toEqual([]);
  });

  test('is deleted once, and belongs to its workspace', async () => {
    const { view_id } = (await save()).body.data as { view_id: string };
    const notFound = refused(404, 'Saved view not found', { error_code: 'SAVED_VIEW_NOT_FOUND' });
    const other = await parley.workspace();
    expect(await list('', other.api)).toEqual([]);
    expect(await outcome(other.api.delete(`${PATH}/${view_id}`))).toMatchObject(notFound);

    expect((await owner.api.delete(`${PATH}/${view_id}`)).status).toBe(200);
    expect(await outcome(owner.api.delete(`${PATH}/${view_id}`))).toMatchObject(notFound);
    expect(await list()).toEqual([]);
    expect((await owner.api.get('/api/audit?limit=2')).body.data).toMatchObject([
      { action: 'saved_view.deleted', target: { kind: 'saved_view', id: view_id, name: VIEW.name } },
      { action: 'saved_view.saved', target: { kind: 'saved_view', id: view_id, name: VIEW.name } },
    ]);
  });

  test('is saved by a credential that operates, and not by one that reads', async () => {
    expect((await save({}, parley.scoped(owner, 'read'))).status).toBe(403);
    expect((await save({}, parley.scoped(owner, 'operate'))).status).toBe(200);
  });

  test('has bounds, and a workspace a limited number of views', async () => {
    const wrong = { page: 'live', name: ' ', query: 'x'.repeat(2_001), period: '<b>' };
    expect((await save(wrong)).body).toMatchObject({
      errors: ['page', 'name', 'query', 'period'].map((field) => ({ field: `body.${field}` })),
    });
    await parley.sql(
      `INSERT INTO saved_views (id, workspace_id, page, name, query, updated_by, updated_at)
       SELECT gen_random_uuid(), $1, 'calls', n, '', '{"kind":"key","id":"","name":""}', now()
       FROM generate_series(1, 200) AS n`,
      [owner.workspaceId],
    );
    expect((await save()).body).toMatchObject({ error_code: 'SAVED_VIEWS_LIMIT_REACHED' });
    expect((await save({ name: '200' })).status).toBe(200);
  });
});

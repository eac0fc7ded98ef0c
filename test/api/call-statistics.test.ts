import { createAgent } from '../support/agents';
import { outcome, serverFailed, withoutTable } from '../support/answers';
import { useParley } from '../support/parley';

describe('Call statistics', () => {
  const parley = useParley();

  /** A workspace with a call for each row. */
  async function withCalls(rows: [createdAt: string, callType: string, status: string, seconds: number][]) {
    const workspace = await parley.workspace({ credits: 100 });
    const agentId = await createAgent(workspace);
    for (const [createdAt, callType, status, seconds] of rows) {
      const { body } = await workspace.api.post(`/api/agents/${agentId}/calls`, {
        call_type: callType,
        ...(callType === 'phonecall' && { to_number: '+15551234567' }),
      });
      const isOver = ['disconnected', 'failed'].includes(status);
      await parley.sql(
        `UPDATE conversations SET created_at = $2, status = $3, duration_sec = $4, token = gen_random_uuid(),
                ended_at = CASE WHEN $5 THEN now() END, disconnect_reason = CASE WHEN $5 THEN 'error' END
         WHERE id = $1`,
        [body.data.conversation_id, createdAt, status, seconds, isOver],
      );
    }
    const get = (query = '') => workspace.api.get(`/api/reports/agents/calls${query}`);
    return { workspace, agentId, get };
  }

  test('count and average all calls that match the filter, on every page', async () => {
    const { agentId, get } = await withCalls([
      ['2026-01-01T10:00:00.000Z', 'phonecall', 'disconnected', 100],
      ['2026-01-02T10:00:00.000Z', 'webcall', 'disconnected', 151],
      ['2026-01-03T10:00:00.000Z', 'phonecall', 'failed', 0],
      ['2026-01-04T10:00:00.000Z', 'phonecall', 'connected', 0],
    ]);

    const { status, body } = await get('?limit=1&page=3');

    expect({ status, body }).toEqual({
      status: 200,
      body: {
        status: 200,
        message: 'Call statistics',
        data: {
          total_calls: 4,
          successful_calls: 2,
          failed_calls: 1,
          average_duration: '2m 6s',
          calls: [
            {
              call_id: expect.any(String),
              agent_id: agentId,
              agent_type: 'webcall',
              status: 'success',
              duration: '2m 31s',
              created_at: '2026-01-02T10:00:00.000Z',
            },
          ],
        },
        pagination: { page: 3, limit: 1, total: 4, totalPages: 4, hasNextPage: true, hasPrevPage: true },
      },
    });
  });

  test('are narrowed by time, outcome and kind of call', async () => {
    const { get } = await withCalls([
      ['2026-01-01T23:59:59.999Z', 'phonecall', 'disconnected', 60],
      ['2026-01-02T00:00:00.000Z', 'webcall', 'failed', 0],
      ['2026-01-03T23:59:59.999Z', 'webcall', 'disconnected', 30],
      ['2026-01-04T00:00:00.000Z', 'phonecall', 'accepted', 0],
    ]);
    const dates = async (query: string) =>
      (await get(query)).body.data.calls.map((call: { created_at: string }) => call.created_at.slice(0, 10));

    expect(await dates('')).toEqual(['2026-01-04', '2026-01-03', '2026-01-02', '2026-01-01']);
    expect(await dates('?start_date=2026-01-02')).toEqual(['2026-01-04', '2026-01-03', '2026-01-02']);
    expect(await dates('?end_date=2026-01-03')).toEqual(['2026-01-03', '2026-01-02', '2026-01-01']);
    expect(await dates('?start_date=2026-01-02T00:00:00Z&end_date=2026-01-03T00:00:00Z')).toEqual([
      '2026-01-02',
    ]);
    expect(await dates('?status=success')).toEqual(['2026-01-03', '2026-01-01']);
    expect(await dates('?status=failed')).toEqual(['2026-01-02']);
    expect(await dates('?agent_type=webcall')).toEqual(['2026-01-03', '2026-01-02']);
    expect(await dates('?agent_type=webcall&status=success&end_date=2026-01-02')).toEqual([]);
    expect((await get('?status=failed')).body.data).toMatchObject({
      total_calls: 1,
      successful_calls: 0,
      failed_calls: 1,
      average_duration: '0m 0s',
    });
  });

  test('show a call in progress with its own status', async () => {
    const { get } = await withCalls([['2026-01-01T00:00:00.000Z', 'phonecall', 'accepted', 0]]);
    expect((await get()).body.data.calls).toMatchObject([{ status: 'accepted', duration: '0m 0s' }]);
  });

  test('of a workspace without calls are zeros', async () => {
    const { get } = await withCalls([]);
    expect((await get('?page=7')).body).toEqual({
      status: 200,
      message: 'Call statistics',
      data: { total_calls: 0, successful_calls: 0, failed_calls: 0, average_duration: '0m 0s', calls: [] },
      pagination: { page: 7, limit: 10, total: 0, totalPages: 0, hasNextPage: false, hasPrevPage: false },
    });
  });

  test('still count the calls of an agent that was deleted', async () => {
    const { workspace, agentId, get } = await withCalls([
      ['2026-01-01T00:00:00.000Z', 'phonecall', 'failed', 0],
    ]);
    await workspace.api.delete(`/api/agents/${agentId}`);
    expect((await get()).body.data).toMatchObject({ total_calls: 1, calls: [{ agent_id: agentId }] });
  });

  test.each([
    ['status=lost', 'query.status'],
    ['agent_type=inbound', 'query.agent_type'],
    ['start_date=yesterday', 'query.start_date'],
    ['end_date=2026-02-30', 'query.end_date'],
    ['page=0', 'query.page'],
    ['limit=101', 'query.limit'],
    ['agent_id=1', 'query.agent_id'],
  ])('refuse %s', async (query, field) => {
    const { get } = await withCalls([]);
    expect(await get(`?${query}`)).toMatchObject({
      status: 400,
      body: {
        status: 400,
        message: 'Validation failed',
        error_code: 'VALIDATION_FAILED',
        errors: [{ field, message: expect.any(String) }],
      },
    });
  });

  test('need an unscoped credential', async () => {
    const { workspace, agentId } = await withCalls([]);
    const scoped = parley.scoped(workspace, `agent:${agentId}`);
    expect((await scoped.get('/api/reports/agents/calls')).status).toBe(403);
    expect((await parley.api.get('/api/reports/agents/calls')).status).toBe(401);
  });

  test('answer 500 when the server fails', async () => {
    const { get } = await withCalls([]);
    const answer = await withoutTable(parley, 'conversations', () => outcome(get()));
    expect(answer).toEqual(serverFailed());
  });
});

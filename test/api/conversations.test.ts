import { createAgent } from '../support/agents';
import {
  agentNotFound,
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
import { AgentCalls } from '../support/calls';
import { useOwnParley } from '../support/parley';
import { newPhoneNumber } from '../support/phone-numbers';
import { until } from '../support/until';
import { TestWorker } from '../support/worker';

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const UNKNOWN_ID = '01890000-0000-7000-8000-000000000000';

describe('The conversations of an agent', () => {
  const parley = useOwnParley();
  let worker: TestWorker;

  beforeAll(async () => {
    worker = await TestWorker.start(parley);
  });
  afterAll(() => worker.stop());

  /** Waits until the agent's calls are marked as dispatched, which the server does a moment later. */
  const marked = (agentId: string) =>
    until(async () => {
      const [calls] = await parley.sql<{ marked: boolean }>(
        'SELECT bool_and(dispatched_at IS NOT NULL) AS marked FROM conversations WHERE agent_id = $1',
        [agentId],
      );
      return calls?.marked;
    });

  describe('in a list', () => {
    test('are empty before the first call', async () => {
      const workspace = await parley.workspace();
      const agentId = await createAgent(workspace, { name: 'Desk' });
      const none = { total: 0, totalPages: 0, hasNextPage: false, hasPrevPage: false };

      expect(await outcome(workspace.api.get(`/api/agents/${agentId}/conversations`))).toEqual(
        succeeded(
          'Conversations',
          { conversations: [], assistant_name: 'Desk', total_count: 0, page: 1, limit: 10 },
          { page: 1, limit: 10, ...none },
        ),
      );
      expect(await outcome(workspace.api.get(`/api/agents/${agentId}/conversations?page=7&limit=1`))).toEqual(
        succeeded(
          'Conversations',
          { conversations: [], assistant_name: 'Desk', total_count: 0, page: 7, limit: 1 },
          { page: 7, limit: 1, ...none },
        ),
      );
    });

    test('are paged, newest first, and without those of other agents', async () => {
      const workspace = await parley.workspace();
      const agentId = await createAgent(workspace, { name: 'Desk' });
      const phone_number = newPhoneNumber();
      await workspace.api.put(`/api/agents/${agentId}/phone-number`, { phone_number });
      const calls = new AgentCalls(workspace.api, agentId);
      const first = await calls.start();
      const second = await calls.start({ call_type: 'webcall', to_number: undefined });
      const third = await calls.start({ to_number: '+15551230003' });
      await new AgentCalls(workspace.api, await createAgent(workspace)).start();
      await workspace.api.put(`/api/agents/${agentId}`, { type: 'inbound', name: 'Front desk' });
      const page = (query: string) =>
        outcome(workspace.api.get(`/api/agents/${agentId}/conversations${query}`));
      const shown = (id: string, to_number: string) => ({
        id,
        conversation_id: id,
        assistant_id: agentId,
        to_number,
        from_number: phone_number,
        created_at: expect.stringMatching(INSTANT),
        status: 'queued',
      });
      const list = { assistant_name: 'Front desk', total_count: 3 };
      const pages = { limit: 2, total: 3, totalPages: 2 };

      expect(await page('')).toEqual(
        succeeded(
          'Conversations',
          {
            conversations: [shown(third, '+15551230003'), shown(second, ''), shown(first, '+15551234567')],
            ...list,
            page: 1,
            limit: 10,
          },
          { page: 1, limit: 10, total: 3, totalPages: 1, hasNextPage: false, hasPrevPage: false },
        ),
      );
      expect(await page('?limit=2')).toEqual(
        succeeded(
          'Conversations',
          { conversations: [shown(third, '+15551230003'), shown(second, '')], ...list, page: 1, limit: 2 },
          { page: 1, ...pages, hasNextPage: true, hasPrevPage: false },
        ),
      );
      expect(await page('?limit=2&page=2')).toEqual(
        succeeded(
          'Conversations',
          { conversations: [shown(first, '+15551234567')], ...list, page: 2, limit: 2 },
          { page: 2, ...pages, hasNextPage: false, hasPrevPage: true },
        ),
      );
      expect(await page('?limit=2&page=3')).toEqual(
        succeeded(
          'Conversations',
          { conversations: [], ...list, page: 3, limit: 2 },
          { page: 3, ...pages, hasNextPage: false, hasPrevPage: true },
        ),
      );
    });

    test('are each on exactly one page, also those of the same moment', async () => {
      const workspace = await parley.workspace();
      const agentId = await createAgent(workspace);
      const calls = new AgentCalls(workspace.api, agentId);
      const ids: string[] = [];
      for (let count = 0; count < 5; count += 1) ids.push(await calls.start());
      await parley.sql('UPDATE conversations SET created_at = now() WHERE agent_id = $1', [agentId]);

      const pages = await Promise.all(
        [1, 2, 3].map((page) =>
          workspace.api.get(`/api/agents/${agentId}/conversations?limit=2&page=${page}`),
        ),
      );

      const shown = pages.flatMap(({ body }) => body.data.conversations as { id: string }[]);
      expect(shown.map(({ id }) => id)).toEqual(ids.reverse());
    });

    test('refuse invalid pages', async () => {
      const workspace = await parley.workspace();
      const agentId = await createAgent(workspace);

      for (const query of ['page=0', 'page=x', 'limit=0', 'limit=101', 'status=queued']) {
        expect(await outcome(workspace.api.get(`/api/agents/${agentId}/conversations?${query}`))).toEqual(
          invalid(`query.${query.split('=')[0]}`),
        );
      }
    });
  });

  describe('in detail', () => {
    const NOT_YET = {
      disconnect_reason: null,
      campaign_id: null,
      connected_at: null,
      ended_at: null,
      duration: '00:00:00',
      duration_sec: 0,
      disconnected_by: null,
      metadata: { summary: '', process_compliance: '', outcome: '' },
    };

    test('show a call from its start to its end', async () => {
      const workspace = await parley.workspace();
      const agentId = await createAgent(workspace);
      const calls = new AgentCalls(workspace.api, agentId);
      const id = await calls.start();
      const show = () => outcome(workspace.api.get(`/api/agents/${agentId}/conversations/${id}`));
      const shown = {
        ...NOT_YET,
        id,
        assistant_id: agentId,
        conversation_id: id,
        to_number: '+15551234567',
        userId: workspace.userId,
        workspaceId: workspace.workspaceId,
      };

      expect(await show()).toEqual(succeeded('Conversation', { ...shown, status: 'queued' }));

      const call = await (await worker.findOffer(id)).take();
      expect(await show()).toEqual(succeeded('Conversation', { ...shown, status: 'accepted' }));

      await call.connected();
      await calls.reached(id, 'connected');
      const connected_at = expect.stringMatching(INSTANT);
      expect(await show()).toEqual(
        succeeded('Conversation', { ...shown, status: 'connected', connected_at }),
      );

      await parley.sql(
        `UPDATE conversations
         SET accepted_at = accepted_at - interval '1 hour', connected_at = connected_at - interval '1 hour'
         WHERE id = $1`,
        [id],
      );
      const endedAt = Date.now();
      await call.ended({
        connected_at: new Date(endedAt - 3_599_500).toISOString(),
        occurred_at: new Date(endedAt).toISOString(),
        disconnect_reason: 'agent_hangup',
        disconnected_by: 'agent',
        summary: 'Ada will come.',
        process_compliance: 'All steps taken.',
        outcome: 'booked',
      });
      await calls.reached(id, 'disconnected');
      expect(await show()).toEqual(
        succeeded('Conversation', {
          ...shown,
          status: 'disconnected',
          disconnect_reason: 'agent_hangup',
          disconnected_by: 'agent',
          connected_at,
          ended_at: new Date(endedAt).toISOString(),
          duration: '00:59:59',
          duration_sec: 3599,
          metadata: { summary: 'Ada will come.', process_compliance: 'All steps taken.', outcome: 'booked' },
        }),
      );
    });

    test('show a call that was never connected', async () => {
      const workspace = await parley.workspace();
      const agentId = await createAgent(workspace);
      const calls = new AgentCalls(workspace.api, agentId);
      const id = await calls.start({ call_type: 'webcall', to_number: undefined });
      const call = await (await worker.findOffer(id)).take();

      await call.failed({ disconnect_reason: 'dial_no_answer', disconnected_by: 'user' });
      await calls.reached(id, 'failed');

      expect(await outcome(workspace.api.get(`/api/agents/${agentId}/conversations/${id}`))).toEqual(
        succeeded('Conversation', {
          ...NOT_YET,
          id,
          assistant_id: agentId,
          conversation_id: id,
          status: 'failed',
          disconnect_reason: 'dial_no_answer',
          disconnected_by: 'user',
          to_number: null,
          userId: workspace.userId,
          workspaceId: workspace.workspaceId,
          ended_at: expect.stringMatching(INSTANT),
        }),
      );
    });

    test('show a duration of more than a day in hours', async () => {
      const workspace = await parley.workspace();
      const calls = new AgentCalls(workspace.api, await createAgent(workspace));
      const id = await calls.start();
      for (const [seconds, clock] of [
        [0, '00:00:00'],
        [59, '00:00:59'],
        [125, '00:02:05'],
        [86_399, '23:59:59'],
        [90_061, '25:01:01'],
        [359_999, '99:59:59'],
      ] as const) {
        await parley.sql('UPDATE conversations SET duration_sec = $2 WHERE id = $1', [id, seconds]);
        expect(await calls.conversation(id)).toMatchObject({ duration: clock, duration_sec: seconds });
      }
    });

    test('show the user whose token started the call', async () => {
      const workspace = await parley.workspace();
      const agentId = await createAgent(workspace);
      const scoped = parley.scoped({ ...workspace, userId: 'ada' }, `agent:${agentId}`);

      const calls = new AgentCalls(scoped, agentId);

      expect(await calls.conversation(await calls.start())).toMatchObject({ userId: 'ada' });
    });
  });

  test('are not found through another agent, nor by another workspace', async () => {
    const [workspace, other] = await Promise.all([parley.workspace(), parley.workspace()]);
    const [agentId, colleague] = [await createAgent(workspace), await createAgent(workspace)];
    const theirAgent = await createAgent(other);
    const mine = await new AgentCalls(workspace.api, agentId).start();
    const theirs = await new AgentCalls(other.api, theirAgent).start();
    const get = (path: string) => outcome(workspace.api.get(`/api/agents/${path}`));
    const conversationNotFound = refused(404, 'Conversation not found', {
      error_code: 'CONVERSATION_NOT_FOUND',
    });

    expect(await get(`${colleague}/conversations/${mine}`)).toEqual(conversationNotFound);
    for (const id of [theirs, UNKNOWN_ID, 'unknown', '%00', agentId]) {
      expect(await get(`${agentId}/conversations/${id}`)).toEqual(conversationNotFound);
    }
    for (const id of [theirAgent, UNKNOWN_ID, 'unknown', '%00']) {
      expect(await get(`${id}/conversations`)).toEqual(agentNotFound());
      expect(await get(`${id}/conversations/${theirs}`)).toEqual(agentNotFound());
      expect(await get(`${id}/conversations/${mine}`)).toEqual(agentNotFound());
    }
    expect(await get(`${agentId.toUpperCase()}/conversations/${mine.toUpperCase()}`)).toMatchObject({
      status: 200,
    });
  });

  test('can be read with a credential that names the agent, and with no other scoped one', async () => {
    const workspace = await parley.workspace();
    const [agentId, colleague] = [await createAgent(workspace), await createAgent(workspace)];
    const id = await new AgentCalls(workspace.api, agentId).start();
    const [scoped, elsewhere] = [agentId, colleague].map((named) =>
      parley.scoped(workspace, `agent:${named}`),
    );

    for (const path of [
      `/api/agents/${agentId}/conversations`,
      `/api/agents/${agentId}/conversations/${id}`,
    ]) {
      expect(await outcome(scoped!.get(path))).toEqual(await outcome(workspace.api.get(path)));
      expect(await outcome(elsewhere!.get(path))).toEqual(outOfScope());
      expect(await outcomeForStrangers(parley, (api) => api.get(path))).toEqual(unauthorized());
    }
  });

  test('answer 500 when the server fails', async () => {
    const workspace = await parley.workspace();
    const agentId = await createAgent(workspace);
    const id = await new AgentCalls(workspace.api, agentId).start();
    await marked(agentId);

    await withoutTable(parley, 'conversations', async () => {
      for (const path of ['', `/${id}`]) {
        expect(await outcome(workspace.api.get(`/api/agents/${agentId}/conversations${path}`))).toEqual(
          serverFailed(),
        );
      }
    });
  });
});

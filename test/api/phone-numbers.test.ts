import { PhoneNumbersService } from '../../src/features/phone-numbers/phone-numbers.service';
import { createAgent } from '../support/agents';
import {
  agentNotFound,
  invalid,
  invalidWith,
  outcome,
  outcomeForStrangers,
  outOfScope,
  refused,
  serverFailed,
  succeeded,
  unauthorized,
  unlessBusy,
  withoutTable,
} from '../support/answers';
import { AgentCalls } from '../support/calls';
import { type TestWorkspace, useOwnParley, useParley } from '../support/parley';
import { newPhoneNumber } from '../support/phone-numbers';

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

interface Shown {
  number: string;
  status: string;
  type: string;
}

describe('Phone numbers', () => {
  const parley = useParley();

  const assign = ({ api }: TestWorkspace, agentId: string, phone_number: unknown) =>
    outcome(unlessBusy(() => api.put(`/api/agents/${agentId}/phone-number`, { phone_number })));

  const add = ({ api }: TestWorkspace, phone_number: unknown) =>
    outcome(api.post('/api/phone-number', { phone_number }));

  const assigned = (agentId: string, phone_number: string) =>
    succeeded('Phone number assigned', { agent_id: agentId, phone_number, assignment_status: 'assigned' });

  async function numbers({ api }: TestWorkspace): Promise<Shown[]> {
    const { body } = await api.get('/api/phone-number?limit=100');
    return (body.data.phone_numbers as Shown[]).map(({ number, status, type }) => ({ number, status, type }));
  }

  /** The agents' numbers, as the list of agents shows them. */
  async function numbersOfAgents({ api }: TestWorkspace, agentIds: string[]): Promise<string[]> {
    const { body } = await api.get('/api/agents?limit=100');
    const shown = body.data as { id: string; phoneNumber: string }[];
    return agentIds.map((agentId) => shown.find(({ id }) => id === agentId)?.phoneNumber ?? 'no agent');
  }

  describe('assigned to agents', () => {
    test('are added to the workspace', async () => {
      const workspace = await parley.workspace();
      const agentId = await createAgent(workspace);
      const number = newPhoneNumber();

      expect(await assign(workspace, agentId, number)).toEqual(assigned(agentId, number));

      expect(await numbers(workspace)).toEqual([{ number, status: 'active', type: 'outbound' }]);
      expect(await numbersOfAgents(workspace, [agentId])).toEqual([number]);
    });

    test("may be assigned again, and replace the agent's number", async () => {
      const workspace = await parley.workspace();
      const agentId = await createAgent(workspace);
      const [first, second] = [newPhoneNumber(), newPhoneNumber()];

      expect(await assign(workspace, agentId, first)).toEqual(assigned(agentId, first));
      expect(await assign(workspace, agentId, first)).toEqual(assigned(agentId, first));
      expect(await assign(workspace, agentId, second)).toEqual(assigned(agentId, second));

      expect(await numbers(workspace)).toEqual([
        { number: second, status: 'active', type: 'outbound' },
        { number: first, status: 'inactive', type: 'inbound' },
      ]);
      expect(await numbersOfAgents(workspace, [agentId])).toEqual([second]);
    });

    test('move from one agent to another', async () => {
      const workspace = await parley.workspace();
      const [from, to] = [await createAgent(workspace), await createAgent(workspace, { type: 'inbound' })];
      const [number, replaced] = [newPhoneNumber(), newPhoneNumber()];
      await assign(workspace, from, number);
      await assign(workspace, to, replaced);

      expect(await assign(workspace, to, number)).toEqual(assigned(to, number));

      expect(await numbersOfAgents(workspace, [from, to])).toEqual(['', number]);
      expect(await numbers(workspace)).toEqual([
        { number: replaced, status: 'inactive', type: 'inbound' },
        { number, status: 'active', type: 'inbound' },
      ]);
    });

    test('are the numbers that its calls are made from', async () => {
      const workspace = await parley.workspace();
      const agentId = await createAgent(workspace);
      const number = newPhoneNumber();
      const calls = new AgentCalls(workspace.api, agentId);

      await calls.start();
      await assign(workspace, agentId, number);
      await calls.start();

      const { body } = await workspace.api.get(`/api/agents/${agentId}/conversations`);
      expect(body.data.conversations).toMatchObject([{ from_number: number }, { from_number: '' }]);
    });

    test('follow the type of their agent, also when that changes', async () => {
      const workspace = await parley.workspace();
      const typeOf = async () => (await numbers(workspace))[0]?.type;

      for (const [type, expected] of Object.entries({
        inbound: 'inbound',
        outbound: 'outbound',
        chat: 'inbound',
        hybrid: 'inbound',
      })) {
        await assign(workspace, await createAgent(workspace, { type }), newPhoneNumber());
        expect(await typeOf()).toBe(expected);
      }
      const agentId = await createAgent(workspace, { type: 'inbound' });
      await assign(workspace, agentId, newPhoneNumber());
      for (const [type, expected] of [
        ['outbound', 'outbound'],
        ['hybrid', 'inbound'],
      ]) {
        await workspace.api.put(`/api/agents/${agentId}`, { type });
        expect(await typeOf()).toBe(expected);
      }
    });

    test('belong to the workspace that added them first', async () => {
      const [workspace, other] = await Promise.all([parley.workspace(), parley.workspace()]);
      const [agentId, theirAgent] = [await createAgent(workspace), await createAgent(other)];
      const [own, used, unused] = [newPhoneNumber(), newPhoneNumber(), newPhoneNumber()];
      await assign(workspace, agentId, own);
      await assign(other, theirAgent, used);
      await add(other, unused);

      for (const number of [used, unused]) {
        expect(await assign(workspace, agentId, number)).toEqual(
          refused(400, 'Validation failed', {
            error_code: 'PHONE_NUMBER_UNAVAILABLE',
            errors: [{ field: 'body.phone_number', message: 'phone_number cannot be added' }],
          }),
        );
      }
      expect(await numbersOfAgents(workspace, [agentId])).toEqual([own]);
      expect(await numbersOfAgents(other, [theirAgent])).toEqual([used]);
    });

    test('are refused if they cannot be dialled', async () => {
      const workspace = await parley.workspace();
      const agentId = await createAgent(workspace);

      for (const number of [
        '15551234567',
        '+1555',
        '+1 555 123 4567',
        '+1-555-123-4567',
        '+05551234567',
        '+1555123456789012',
        '+999123456789',
        '+١٥٥٥١٢٣٤٥٦٧',
        '',
        '+',
        15551234567,
        ['+15551234567'],
        null,
      ]) {
        expect(await assign(workspace, agentId, number)).toEqual(invalid('body.phone_number'));
        expect(await add(workspace, number)).toEqual(invalid('body.phone_number'));
      }
      expect(await outcome(workspace.api.put(`/api/agents/${agentId}/phone-number`, { foo: 1 }))).toEqual(
        invalid('body.foo', 'body.phone_number'),
      );
      expect(await numbers(workspace)).toEqual([]);
    });

    test('do not find an agent that is unknown or belongs to another workspace', async () => {
      const [workspace, other] = await Promise.all([parley.workspace(), parley.workspace()]);

      for (const agentId of [await createAgent(other), '01890000-0000-7000-8000-000000000000', 'unknown']) {
        expect(await assign(workspace, agentId, newPhoneNumber())).toEqual(agentNotFound());
      }
      expect(await numbers(workspace)).toEqual([]);
    });

    test('go to one of twenty agents that request the same one at once', async () => {
      const workspace = await parley.workspace();
      const agentIds = await Promise.all(Array.from({ length: 20 }, () => createAgent(workspace)));
      const number = newPhoneNumber();

      const answers = await Promise.all(agentIds.map((agentId) => assign(workspace, agentId, number)));

      expect(answers).toEqual(agentIds.map((agentId) => assigned(agentId, number)));
      expect(await numbers(workspace)).toEqual([{ number, status: 'active', type: 'outbound' }]);
      const shown = await numbersOfAgents(workspace, agentIds);
      expect(shown.filter(Boolean)).toEqual([number]);
    });

    test('go to one of the workspaces that request the same one at once', async () => {
      const workspaces = await Promise.all(Array.from({ length: 10 }, () => parley.workspace()));
      const agentIds = await Promise.all(workspaces.map((workspace) => createAgent(workspace)));
      const number = newPhoneNumber();

      const answers = await Promise.all(
        workspaces.map((workspace, index) => assign(workspace, agentIds[index] as string, number)),
      );

      expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(9).fill(400)]);
      const held = await Promise.all(workspaces.map((workspace) => numbers(workspace)));
      expect(held.flat()).toEqual([{ number, status: 'active', type: 'outbound' }]);
      expect(held.findIndex((own) => own.length === 1)).toBe(
        answers.findIndex(({ status }) => status === 200),
      );
    });

    test('stay one to one when assignments and changes of type cross', async () => {
      const workspace = await parley.workspace();
      const agentIds = await Promise.all(Array.from({ length: 4 }, () => createAgent(workspace)));
      const pool = [newPhoneNumber(), newPhoneNumber(), newPhoneNumber()];

      const answers = await Promise.all([
        ...Array.from({ length: 48 }, (_, index) =>
          assign(workspace, agentIds[index % 4] as string, pool[index % 3] as string),
        ),
        ...Array.from({ length: 16 }, (_, index) =>
          outcome(
            unlessBusy(() =>
              workspace.api.put(`/api/agents/${agentIds[index % 4]}`, {
                type: index % 3 === 0 ? 'inbound' : 'outbound',
              }),
            ),
          ),
        ),
      ]);

      expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
      const rows = await parley.sql<{ number: string; agent_type: string | null; type: string }>(
        `SELECT number, phone_numbers.type, agents.type AS agent_type
         FROM phone_numbers LEFT JOIN agents ON agents.id = agent_id WHERE phone_numbers.workspace_id = $1`,
        [workspace.workspaceId],
      );
      expect(rows.map(({ number }) => number).sort()).toEqual(pool);
      for (const { agent_type, type } of rows) {
        expect(type).toBe(agent_type === 'outbound' ? 'outbound' : 'inbound');
      }
      const shown = (await numbersOfAgents(workspace, agentIds)).filter(Boolean);
      expect(new Set(shown).size).toBe(shown.length);
      expect(shown).toHaveLength(rows.filter(({ agent_type }) => agent_type !== null).length);
    });

    test('require a credential of the whole workspace', async () => {
      const workspace = await parley.workspace();
      const agentId = await createAgent(workspace);
      const path = `/api/agents/${agentId}/phone-number`;
      const body = { phone_number: newPhoneNumber() };

      expect(await outcomeForStrangers(parley, (api) => api.put(path, body))).toEqual(unauthorized());
      expect(await outcome(parley.scoped(workspace, `agent:${agentId}`).put(path, body))).toEqual(
        outOfScope(),
      );
    });
  });

  describe('added without an agent', () => {
    test('are inactive until an agent gets them', async () => {
      const workspace = await parley.workspace();
      const number = newPhoneNumber();

      const added = await add(workspace, number);

      const shown = { _id: expect.any(String), number, created_at: expect.stringMatching(INSTANT) };
      const answer = (state: object) => ({
        status: 201,
        body: { status: 201, message: 'Phone number added', data: { ...shown, ...state } },
      });
      expect(added).toEqual(answer({ status: 'inactive', type: 'inbound', agent_id: null }));
      const agentId = await createAgent(workspace);
      expect(await assign(workspace, agentId, number)).toEqual(assigned(agentId, number));
      expect(await add(workspace, number)).toEqual(
        answer({ status: 'active', type: 'outbound', agent_id: agentId }),
      );
      expect(await numbers(workspace)).toHaveLength(1);
    });

    test('cannot be added by another workspace', async () => {
      const [workspace, other] = await Promise.all([parley.workspace(), parley.workspace()]);
      const number = newPhoneNumber();
      await add(other, number);

      expect(await add(workspace, number)).toEqual(
        invalidWith('PHONE_NUMBER_UNAVAILABLE', 'body.phone_number'),
      );
    });
  });

  describe('listed', () => {
    test('come in pages, the newest first', async () => {
      const workspace = await parley.workspace();
      const [first, second, third] = [newPhoneNumber(), newPhoneNumber(), newPhoneNumber()];
      for (const number of [first, second, third]) await add(workspace, number);
      const shown = (number: string | undefined) => ({
        _id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        number,
        status: 'inactive',
        type: 'inbound',
        agent_id: null,
        created_at: expect.stringMatching(INSTANT),
      });
      const page = (query: string) => outcome(workspace.api.get(`/api/phone-number${query}`));
      const pages = { total: 3, totalPages: 2 };

      expect(await page('')).toEqual(
        succeeded(
          'Phone numbers',
          { total: 3, page: 1, size: 10, phone_numbers: [third, second, first].map(shown) },
          { page: 1, limit: 10, total: 3, totalPages: 1, hasNextPage: false, hasPrevPage: false },
        ),
      );
      expect(await page('?limit=2')).toEqual(
        succeeded(
          'Phone numbers',
          { total: 3, page: 1, size: 2, phone_numbers: [third, second].map(shown) },
          { page: 1, limit: 2, ...pages, hasNextPage: true, hasPrevPage: false },
        ),
      );
      expect(await page('?limit=2&page=2')).toEqual(
        succeeded(
          'Phone numbers',
          { total: 3, page: 2, size: 2, phone_numbers: [first].map(shown) },
          { page: 2, limit: 2, ...pages, hasNextPage: false, hasPrevPage: true },
        ),
      );
      expect(await page('?limit=2&page=3')).toEqual(
        succeeded(
          'Phone numbers',
          { total: 3, page: 3, size: 2, phone_numbers: [] },
          { page: 3, limit: 2, ...pages, hasNextPage: false, hasPrevPage: true },
        ),
      );
    });

    test('are none in a new workspace', async () => {
      const workspace = await parley.workspace();

      expect(await outcome(workspace.api.get('/api/phone-number'))).toEqual(
        succeeded(
          'Phone numbers',
          { total: 0, page: 1, size: 10, phone_numbers: [] },
          { page: 1, limit: 10, total: 0, totalPages: 0, hasNextPage: false, hasPrevPage: false },
        ),
      );
    });

    test('refuse impossible pages', async () => {
      const workspace = await parley.workspace();

      for (const [name, value] of [
        ['page', '0'],
        ['page', 'x'],
        ['limit', '0'],
        ['limit', '101'],
        ['size', '5'],
      ]) {
        expect(await outcome(workspace.api.get(`/api/phone-number?${name}=${value}`))).toEqual(
          invalid(`query.${name}`),
        );
      }
    });

    test('and added require a credential of the whole workspace', async () => {
      const workspace = await parley.workspace();
      const scoped = parley.scoped(workspace, `agent:${await createAgent(workspace)}`);

      for (const method of ['GET', 'POST']) {
        expect(await outcomeForStrangers(parley, (api) => api.send(method, '/api/phone-number'))).toEqual(
          unauthorized(),
        );
        expect(await outcome(scoped.send(method, '/api/phone-number'))).toEqual(outOfScope());
      }
    });

    test('and assigned are answered with a 500 when the server fails', async () => {
      const workspace = await parley.workspace();
      const agentId = await createAgent(workspace);

      await withoutTable(parley, 'phone_numbers', async () => {
        expect(await outcome(workspace.api.get('/api/phone-number'))).toEqual(serverFailed());
        expect(await add(workspace, newPhoneNumber())).toEqual(serverFailed());
        expect(await assign(workspace, agentId, newPhoneNumber())).toEqual(serverFailed());
      });
    });
  });

  describe('released', () => {
    const release = ({ api }: TestWorkspace, number: string) =>
      outcome(api.delete(`/api/phone-number/${encodeURIComponent(number)}`));

    const released = { status: 200, body: { status: 200, message: 'Phone number released' } };
    const notFound = refused(404, 'Phone number not found', { error_code: 'PHONE_NUMBER_NOT_FOUND' });

    test('disappear from the list and from their agent, and another workspace can add them', async () => {
      const [workspace, other] = await Promise.all([parley.workspace(), parley.workspace()]);
      const agentId = await createAgent(workspace);
      const [number, kept] = [newPhoneNumber(), newPhoneNumber()];
      await add(workspace, kept);
      await assign(workspace, agentId, number);
      await new AgentCalls(workspace.api, agentId).start();

      expect(await release(workspace, number)).toEqual(released);

      expect(await numbers(workspace)).toEqual([{ number: kept, status: 'inactive', type: 'inbound' }]);
      expect(await numbersOfAgents(workspace, [agentId])).toEqual(['']);
      expect(await release(workspace, number)).toEqual(notFound);
      expect((await add(other, number)).status).toBe(201);
      const { body } = await workspace.api.get(`/api/agents/${agentId}/conversations`);
      expect(body.data.conversations).toMatchObject([{ from_number: number }]);
    });

    test('are found with an unencoded plus', async () => {
      const workspace = await parley.workspace();
      const number = newPhoneNumber();
      await add(workspace, number);

      expect(await outcome(workspace.api.delete(`/api/phone-number/${number}`))).toEqual(released);
    });

    test('are not found if they are unknown, malformed or belong to another workspace', async () => {
      const [workspace, other] = await Promise.all([parley.workspace(), parley.workspace()]);
      const theirs = newPhoneNumber();
      await add(other, theirs);

      for (const number of [
        theirs,
        newPhoneNumber(),
        theirs.slice(1),
        'mine',
        '+',
        '\0',
        '+155512345\0',
        '%',
      ]) {
        expect(await release(workspace, number)).toEqual(notFound);
      }
      expect(await numbers(other)).toHaveLength(1);
    });

    test('while they are assigned are either released or assigned, never both', async () => {
      const workspace = await parley.workspace();
      const agentId = await createAgent(workspace);

      for (let round = 0; round < 5; round += 1) {
        const number = newPhoneNumber();
        await add(workspace, number);
        const [assigning, releasing] = await Promise.all([
          assign(workspace, agentId, number),
          release(workspace, number),
        ]);

        // The number is assigned first and then released, or released first and then registered anew.
        expect([assigning.status, releasing.status]).toEqual([200, 200]);
        const held = (await numbers(workspace)).some((shown) => shown.number === number);
        expect(await numbersOfAgents(workspace, [agentId])).toEqual([held ? number : '']);
      }
    });

    test('require a credential of the whole workspace', async () => {
      const workspace = await parley.workspace();
      const number = newPhoneNumber();
      await add(workspace, number);
      const path = `/api/phone-number/${number}`;
      const scoped = parley.scoped(workspace, `agent:${await createAgent(workspace)}`);

      expect(await outcomeForStrangers(parley, (api) => api.delete(path))).toEqual(unauthorized());
      expect(await outcome(scoped.delete(path))).toEqual(outOfScope());
      expect(await numbers(workspace)).toHaveLength(1);
    });
  });
});

describe('Phone numbers that the operator grants', () => {
  const parley = useOwnParley({ ROLES: 'http', PHONE_NUMBERS: 'granted' });

  const unavailable = refused(400, 'Validation failed', {
    error_code: 'PHONE_NUMBER_UNAVAILABLE',
    errors: [{ field: 'body.phone_number', message: 'phone_number cannot be added' }],
  });

  const send = ({ api }: TestWorkspace, agentId: string | undefined, phone_number: string) =>
    agentId
      ? outcome(api.put(`/api/agents/${agentId}/phone-number`, { phone_number }))
      : outcome(api.post('/api/phone-number', { phone_number }));

  const held = async ({ api }: TestWorkspace) =>
    ((await api.get('/api/phone-number')).body.data.phone_numbers as Shown[]).map(({ number }) => number);

  const service = () => parley.app.get(PhoneNumbersService, { strict: false });

  test('are the only ones that a workspace can add or assign', async () => {
    const [workspace, other] = await Promise.all([parley.workspace(), parley.workspace()]);
    const [agentId, theirAgent] = [await createAgent(workspace), await createAgent(other)];
    const number = newPhoneNumber();

    // The answer is the same for every owner of the number.
    for (const granted of [false, true]) {
      if (granted) await service().grant(other.workspaceId, number);
      expect(await send(workspace, undefined, number)).toEqual(unavailable);
      expect(await send(workspace, agentId, number)).toEqual(unavailable);
    }
    expect(await held(workspace)).toEqual([]);

    expect((await send(other, undefined, number)).status).toBe(201);
    expect((await send(other, theirAgent, number)).status).toBe(200);
    expect(await held(other)).toEqual([number]);
  });

  test('are released by their workspace, which cannot add them again', async () => {
    const workspace = await parley.workspace();
    const number = newPhoneNumber();
    await service().grant(workspace.workspaceId, number);

    expect((await workspace.api.delete(`/api/phone-number/${number}`)).status).toBe(200);

    expect(await send(workspace, undefined, number)).toEqual(unavailable);
    expect(await held(workspace)).toEqual([]);
  });
});

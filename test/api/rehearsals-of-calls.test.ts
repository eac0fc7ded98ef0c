import { RehearsalRunsRepository } from '../../src/features/rehearsals/runs/rehearsal-runs.repository';
import { MESSAGE_TYPES } from '../../src/platform/messaging/wire';
import { callNotFound, refused } from '../support/answers';
import { tablesWith } from '../support/database-dump';
import { FACTS } from '../support/rehearsed';
import { answeringJson, useToolShop } from '../support/tool-shop';
import { until } from '../support/until';
import { useStarted } from '../support/use-started';
import { type TakenCall, TestWorker } from '../support/worker';

const AT = '2026-03-02T10:00:00.000Z';
const PERSON = '+491601234567';

const notRehearsable = (details: string) =>
  refused(409, 'The call cannot be rehearsed', {
    error_code: 'CALL_NOT_REHEARSABLE',
    error: { details },
  });

describe('A rehearsal of a call', () => {
  const { tried, parley, shop, createTool, takeCall, asked } = useToolShop();
  const runtime = useStarted(() => TestWorker.start(parley, { queue: parley.topology.rehearsalsQueue }));
  const pathOf = async ({ conversationId }: TakenCall) => {
    const { body } = await tried.workspace.api.get(`/api/calls/${conversationId}`);
    return `/api/agents/${body.data.agent.id}/rehearsals`;
  };
  const rehearse = async (call: TakenCall, path?: string) =>
    tried.workspace.api.post(`${path ?? (await pathOf(call))}/from-call`, {
      ...{ call_id: call.conversationId, name: 'as-it-was' },
    });

  /** Plays a call in which the person books a table, and ends it. */
  async function takeBooking(): Promise<TakenCall> {
    await createTool({
      parameters: {
        type: 'object',
        properties: { guest: { type: 'string' }, phone: { type: 'string' }, persons: { type: 'integer' } },
      },
    });
    const call = await takeCall({
      to_number: PERSON,
      customer_name: 'Ada Lovelace',
      dynamic_variables: { city: 'Bad Honnef', code: '4711' },
    });
    await call.connected();
    shop.answer(tried.path, answeringJson({ booking: 'for Ada', phone: PERSON }));
    await asked(call, { guest: 'Ada Lovelace', phone: '0160 1234567', persons: 2 });
    await call.transcript(
      [
        ['agent', 'Hello Ada, a table in Bad Honnef?'],
        [
          'user',
          'Yes, for Lovelace, ada@example.org. My number is +49 160 1234567, and again +491601234567.',
        ],
        ['tool', 'book_table'],
        ['agent', 'Booked.'],
        ['user', 'Thank you from bad honnef. My code is 4711, not 47112.'],
      ].map(([speaker, text], sequence) => ({
        ...{ sequence, speaker, text, started_at: AT },
        ...(speaker === 'tool' && { tool: { name: 'book_table', arguments: {}, result: null } }),
      })),
    );
    await call.ended();
    await untilEnded(call);
    return call;
  }
  const untilEnded = ({ conversationId }: TakenCall) =>
    until(async () => {
      const { body } = await tried.workspace.api.get(`/api/calls/${conversationId}`);
      return body.data.status === 'disconnected';
    });

  const erase = async () => {
    const erasure = await tried.workspace.api.post('/api/erasures', { phone_number: PERSON });
    await until(async () => {
      const { body } = await tried.workspace.api.get(`/api/erasures/${erasure.body.data.erasure_id}`);
      return body.data.status === 'completed';
    });
  };

  test('has the words of the person, the answers of the tools and the end, with stand-ins alike everywhere', async () => {
    const call = await takeBooking();
    const path = await pathOf(call);
    const { status, headers, body } = await rehearse(call);

    expect(status).toBe(201);
    const { rehearsal_id, agent_id, created_at, updated_at, ...made } = body.data;
    expect(headers.get('location')).toBe(`${path}/${rehearsal_id}`);
    expect(path).toContain(agent_id);
    expect([created_at, updated_at]).not.toContain(undefined);
    expect(made).toEqual({
      ...{ name: 'as-it-was', enabled: false },
      person: {
        lines: [
          { say: 'Yes, for Miller, person1@example.com. My number is +15551000001, and again +15551000001.' },
          { say: 'Thank you from the city. My code is the code, not 10002.' },
        ],
      },
      situation: {
        ...{ direction: 'outbound', call_type: 'phonecall', customer_name: 'Robin Miller' },
        variables: { city: 'the city', code: 'the code' },
      },
      tools: [{ name: 'book_table', answer: { booking: 'for Robin', phone: '+15551000001' } }],
      checks: [
        {
          tool: {
            name: 'book_table',
            arguments: { guest: 'Robin Miller', phone: '10000000003', persons: 2 },
            times: 1,
          },
        },
        { ended: { by: 'user', reason: 'user_hangup' } },
      ],
      replaced: { names: 1, numbers: 3, emails: 1, values: 2 },
    });
    expect(JSON.stringify(made)).not.toMatch(/Ada|Lovelace|1234567|honnef|4711/i);
    expect((await tried.workspace.api.get(`${path}/${rehearsal_id}`)).body.data).not.toHaveProperty(
      'replaced',
    );
    expect(await rehearse(call)).toMatchObject(
      refused(409, 'The name is taken', { error_code: 'REHEARSAL_NAME_TAKEN' }),
    );
  });

  test('is deleted with its runs when the person is erased', async () => {
    const call = await takeBooking();
    const path = await pathOf(call);
    await rehearse(call);
    await tried.workspace.api.post(path, {
      ...{ name: 'another', person: { lines: [] }, checks: [{ turns: 3 }] },
    });
    const start = (only: string[]) =>
      tried.workspace.api.post(path.replace('rehearsals', 'rehearsal-runs'), { only });
    const { body: run } = await start(['as-it-was', 'another']);
    const { body: other } = await start(['another']);
    await erase();
    expect((await tried.workspace.api.get(path)).body.data).toHaveLength(1);

    const statusOf = async ({ data }: { data: { run_id: string } }) =>
      (await tried.workspace.api.get(`/api/rehearsal-runs/${data.run_id}`)).status;
    expect(await statusOf(run)).toBe(404);
    expect(await statusOf(other)).toBe(200);
    expect(await rehearse(call)).toMatchObject(notRehearsable('The person said nothing in it.'));
  });

  test.each([
    ['the person is erased', erase],
    [
      'its run is deleted by its age',
      async () => {
        await parley.sql(
          `UPDATE rehearsal_runs SET ended_at = now() - interval '91 days' WHERE workspace_id = $1`,
          [tried.workspace.workspaceId],
        );
        await parley.app.get(RehearsalRunsRepository, { strict: false }).deleteOld(90);
      },
    ],
  ])('leaves no words in the error of a deployment when %s', async (_, forget) => {
    const call = await takeBooking();
    const path = await pathOf(call);
    const { rehearsal_id, name, person } = (await rehearse(call)).body.data;
    const { api } = tried.workspace;
    const checks = [{ never_said: 'xylophonist' }];
    await api.put(`${path}/${rehearsal_id}`, { name, person, checks });
    const agentPath = path.replace('/rehearsals', '');
    await api.patch(`${agentPath}/deployment`, { publish: 'gated' });
    await api.put(agentPath, { type: 'outbound', greeting: 'Good day.' });
    const played = await (await runtime.offerTo(agentPath.replace('/api/agents/', ''))).take();
    const turns = [{ speaker: 'agent', text: 'You are a xylophonist.', at_ms: 0 }];
    await played.report(MESSAGE_TYPES.rehearsed, { facts: { ...FACTS, turns } });
    await played.ended();
    const deployment = async () => (await api.get(`${agentPath}/deployment`)).body.data;
    await until(async () => (await deployment()).status === 'failed');
    expect((await deployment()).error).toContain('xylophonist.');

    await forget();

    expect(await deployment()).toMatchObject({
      ...{ status: 'failed', error: 'as-it-was: its run was deleted.', run_id: null },
    });
    const word = 'You are a xylophonist';
    expect(await tablesWith(parley, [word])).toEqual({ [word]: [] });
  });

  test('needs a call of the agent that has ended and in which the person spoke', async () => {
    await createTool();
    const call = await takeCall();
    await call.connected();
    expect(await rehearse(call)).toMatchObject(notRehearsable('The call goes on.'));
    await call.ended();
    await untilEnded(call);
    expect(await rehearse(call)).toMatchObject(notRehearsable('The person said nothing in it.'));

    const stranger = await takeCall();
    expect(await rehearse(call, await pathOf(stranger))).toMatchObject(callNotFound());
  });
});

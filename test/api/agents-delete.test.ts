import { createAgent } from '../support/agents';
import {
  agentNotFound,
  outcome,
  outcomeForStrangers,
  outOfScope,
  serverFailed,
  unauthorized,
  unlessBusy,
  withoutTable,
} from '../support/answers';
import { AgentCalls } from '../support/calls';
import { type TestWorkspace, useParley } from '../support/parley';

const UNKNOWN_ID = '01890000-0000-7000-8000-000000000000';
const DELETED = { status: 200, body: { status: 200, message: 'Agent deleted' } };

describe('Deleting an agent', () => {
  const parley = useParley();

  const remove = ({ api }: TestWorkspace, id: string) => outcome(api.delete(`/api/agents/${id}`));
  const phoneNumbers = async ({ api }: TestWorkspace) =>
    (await api.get('/api/phone-number')).body.data.phone_numbers as object[];

  test('is answered without data', async () => {
    const workspace = await parley.workspace();

    expect(await remove(workspace, await createAgent(workspace))).toEqual(DELETED);
  });

  test('hides it from every route, also for a credential that names it', async () => {
    const workspace = await parley.workspace();
    const id = await createAgent(workspace);
    const call = await new AgentCalls(workspace.api, id).start();
    const scoped = parley.scoped(workspace, `agent:${id}`);

    await remove(workspace, id);

    const call_ = { to_number: '+15551234567' };
    for (const answer of [
      remove(workspace, id),
      outcome(workspace.api.get(`/api/agents/${id}`)),
      outcome(workspace.api.put(`/api/agents/${id}`, { type: 'chat' })),
      outcome(workspace.api.put(`/api/agents/${id}/phone-number`, { phone_number: '+15550020001' })),
      outcome(workspace.api.post(`/api/agents/${id}/calls`, call_)),
      outcome(workspace.api.get(`/api/agents/${id}/conversations`)),
      outcome(workspace.api.get(`/api/agents/${id}/conversations/${call}`)),
      outcome(scoped.get(`/api/agents/${id}`)),
      outcome(scoped.post(`/api/agents/${id}/calls`, call_)),
      outcome(scoped.get(`/api/agents/${id}/conversations`)),
    ]) {
      expect(await answer).toEqual(agentNotFound());
    }
    expect((await workspace.api.get('/api/agents')).body.data).toEqual([]);
    expect(await phoneNumbers(workspace)).toEqual([]);
  });

  test('keeps its conversations', async () => {
    const workspace = await parley.workspace();
    const id = await createAgent(workspace);
    const call = await new AgentCalls(workspace.api, id).start();

    await remove(workspace, id);

    expect(await parley.sql('SELECT id, agent_id FROM conversations WHERE agent_id = $1', [id])).toEqual([
      { id: call, agent_id: id },
    ]);
  });

  test('frees its phone number for another agent', async () => {
    const workspace = await parley.workspace();
    const [id, heir] = [await createAgent(workspace), await createAgent(workspace)];
    const phone_number = '+15550020002';
    await workspace.api.put(`/api/agents/${id}/phone-number`, { phone_number });

    await remove(workspace, id);

    expect(await phoneNumbers(workspace)).toMatchObject([
      { number: phone_number, status: 'inactive', type: 'inbound' },
    ]);
    expect(await outcome(workspace.api.put(`/api/agents/${heir}/phone-number`, { phone_number }))).toEqual({
      status: 200,
      body: {
        status: 200,
        message: 'Phone number assigned',
        data: { agent_id: heir, phone_number, assignment_status: 'assigned' },
      },
    });
    expect(await phoneNumbers(workspace)).toMatchObject([
      { number: phone_number, status: 'active', type: 'outbound' },
    ]);
  });

  test('succeeds once, however many requests arrive at the same time', async () => {
    const workspace = await parley.workspace();
    const id = await createAgent(workspace);

    const answers = await Promise.all(Array.from({ length: 10 }, () => remove(workspace, id)));

    expect(answers.filter(({ status }) => status === 200)).toEqual([DELETED]);
    expect(answers.filter(({ status }) => status !== 200)).toEqual(Array(9).fill(agentNotFound()));
  });

  test('leaves no phone number behind, whatever happens at the same time', async () => {
    const workspace = await parley.workspace();
    const ids = await Promise.all(Array.from({ length: 20 }, () => createAgent(workspace)));

    const answers = await Promise.all(
      ids.flatMap((id, index) => {
        const phone_number = `+155500201${String(index).padStart(2, '0')}`;
        return [
          unlessBusy(() => workspace.api.put(`/api/agents/${id}/phone-number`, { phone_number })),
          unlessBusy(() => workspace.api.delete(`/api/agents/${id}`)),
          unlessBusy(() => workspace.api.put(`/api/agents/${id}`, { type: 'inbound' })),
        ];
      }),
    );

    expect(answers.filter(({ status }) => status !== 200 && status !== 404)).toEqual([]);
    const states = (await phoneNumbers(workspace)).map((number) => (number as { status: string }).status);
    expect(states).toEqual(states.map(() => 'inactive'));
  });

  test("finds neither an unknown agent nor another workspace's", async () => {
    const [workspace, other] = await Promise.all([parley.workspace(), parley.workspace()]);
    const theirs = await createAgent(other);

    for (const id of [theirs, UNKNOWN_ID, 'unknown', '%00']) {
      expect(await remove(workspace, id)).toEqual(agentNotFound());
    }
    expect((await other.api.get(`/api/agents/${theirs}`)).status).toBe(200);
  });

  test('requires a credential of the whole workspace', async () => {
    const workspace = await parley.workspace();
    const id = await createAgent(workspace);

    expect(await outcomeForStrangers(parley, (api) => api.delete(`/api/agents/${id}`))).toEqual(
      unauthorized(),
    );
    expect(await outcome(parley.scoped(workspace, `agent:${id}`).delete(`/api/agents/${id}`))).toEqual(
      outOfScope(),
    );
    expect((await workspace.api.get(`/api/agents/${id}`)).status).toBe(200);
  });

  test('is answered with a 500 when the server fails, and does not happen then', async () => {
    const workspace = await parley.workspace();
    const id = await createAgent(workspace);

    const removed = await withoutTable(parley, 'phone_numbers', () => remove(workspace, id));

    expect(removed).toEqual(serverFailed());
    expect((await workspace.api.get(`/api/agents/${id}`)).status).toBe(200);
    expect(await remove(workspace, id)).toEqual(DELETED);
  });
});

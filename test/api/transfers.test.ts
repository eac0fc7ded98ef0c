import { createAgent } from '../support/agents';
import { invalidWith, outcome, outOfScope, refused, succeeded } from '../support/answers';
import type { ApiClient } from '../support/client';
import { AgentCalls } from '../support/calls';
import { type TestWorkspace, useOwnParley, useParley } from '../support/parley';
import { type TakenCall, TestWorker } from '../support/worker';

const SALES = '+15551110000';
const SATELLITE = '+881612345678';

interface Entry {
  kind: string;
  text: string;
  data: object;
}

describe('A transfer', () => {
  const parley = useOwnParley({ TRANSFER_MAX_MINUTES: '20', LEASE_SECONDS: '600', WEBCALL_WAIT_MS: '1' });
  let worker: TestWorker;
  let workspace: TestWorkspace;
  let agentId: string;
  let calls: AgentCalls;

  beforeAll(async () => {
    worker = await TestWorker.start(parley);
  });
  afterAll(() => worker.stop());
  beforeEach(async () => {
    workspace = await parley.workspace();
    agentId = await createAgent(workspace, { actions: [`sales tel:${SALES}`, 'office tel:+4402079460958'] });
    calls = new AgentCalls(workspace.api, agentId);
  });

  const takenCall = async () => (await worker.findOffer(await calls.start())).take();
  const own = ({ api }: TakenCall): ApiClient => parley.api.with({ authorization: `Bearer ${api.token}` });
  const ask = (call: TakenCall, to_number: string, api = own(call)) =>
    outcome(api.post(`/api/calls/${call.conversationId}/transfers`, { to_number }));
  const allowed = (to_number: string) => succeeded('Transfer allowed', { to_number, maximum_seconds: 1_200 });
  const list = (phone_number: string) => workspace.api.post('/api/do-not-call', { phone_number });

  async function findTransfers({ conversationId }: TakenCall): Promise<Entry[]> {
    const { body } = await workspace.api.get(`/api/calls/${conversationId}/timeline`);
    return (body as { data: Entry[] }).data.filter(({ kind }) => kind === 'transfer_allowed');
  }

  test('to a number of the agent is allowed for the longest time, and the timeline shows it once', async () => {
    const call = await takenCall();
    await call.connected();

    expect(await Promise.all([ask(call, SALES), ask(call, SALES)])).toEqual([allowed(SALES), allowed(SALES)]);
    expect(await ask(call, SALES)).toEqual(allowed(SALES));

    expect(await findTransfers(call)).toEqual([
      expect.objectContaining({
        source: 'runtime',
        text: `The agent may connect the person with ${SALES}, for 20 min 0 s at most.`,
        data: { to_number: SALES, maximum_seconds: 1_200, worker_id: 'test worker' },
      }),
    ]);
  });

  test('goes to the one spelling of a number, however the agent spells it', async () => {
    expect(await ask(await takenCall(), '+4402079460958')).toEqual(allowed('+442079460958'));
  });

  test('is of the version of the agent with which the call was accepted', async () => {
    const call = await takenCall();
    await workspace.api.put(`/api/agents/${agentId}`, {
      ...{ type: 'outbound', actions: ['sales tel:+15552220000'] },
    });

    expect(await ask(call, SALES)).toEqual(allowed(SALES));
    expect(await ask(call, '+15552220000')).toEqual(invalidWith('VALIDATION_FAILED', 'body.to_number'));
  });

  test('to a number that was put on the do-not-call list is refused, and the timeline shows none', async () => {
    const call = await takenCall();
    await list(SALES);

    expect(await ask(call, SALES)).toEqual(invalidWith('DO_NOT_CALL', 'body.to_number'));
    expect(await findTransfers(call)).toEqual([]);
  });

  test('to a destination that was allowed when the agent was stored, and no longer is, is refused', async () => {
    const call = await takenCall();
    await parley.sql(`UPDATE agent_versions SET snapshot = snapshot || $2 WHERE agent_id = $1`, [
      agentId,
      { actions: [`sales tel:${SATELLITE}`] },
    ]);

    expect(await ask(call, SATELLITE)).toEqual(invalidWith('DESTINATION_NOT_ALLOWED', 'body.to_number'));
  });

  test('of a web call is refused, which has no telephone', async () => {
    const { body } = await workspace.api.post(`/api/agents/${agentId}/calls`, { call_type: 'webcall' });
    const { conversation_id } = (body as { data: { conversation_id: string } }).data;
    const call = await (await worker.findOffer(conversation_id)).take();

    expect(await ask(call, SALES)).toEqual(invalidWith('VALIDATION_FAILED', 'body.to_number'));
  });

  test('of a call that is over is refused', async () => {
    const call = await takenCall();
    await call.ended();
    await calls.reached(call.conversationId, 'disconnected');

    expect(await ask(call, SALES)).toEqual(
      refused(409, 'The call has ended', {
        error_code: 'CALL_ENDED',
        error: { details: 'Its status is disconnected, so it cannot be transferred.' },
      }),
    );
    expect(await findTransfers(call)).toEqual([]);
  });

  test('is asked for by the runtime of the call only', async () => {
    const [call, other] = [await takenCall(), await takenCall()];

    expect(await ask(call, SALES, own(other))).toEqual(outOfScope());
    expect(await ask(call, SALES, workspace.api)).toEqual(outOfScope());
  });
});

describe('An agent', () => {
  const parley = useParley();
  let workspace: TestWorkspace;
  beforeEach(async () => {
    workspace = await parley.workspace();
  });

  const refuse = (error_code: string, message: string) =>
    refused(400, 'Validation failed', { error_code, errors: [{ field: 'body.actions.1', message }] });

  test.each([
    [
      SATELLITE,
      'DESTINATION_NOT_ALLOWED',
      'its number is a destination that this installation does not allow',
    ],
    ['+15553330000', 'DO_NOT_CALL', 'its number is on the do-not-call list of the workspace'],
    [
      '+999999999',
      'VALIDATION_FAILED',
      'its number is not a possible one in E.164 form, such as +15551234567',
    ],
  ])('is not stored with an action that connects with %s (%s)', async (number, code, message) => {
    await workspace.api.post('/api/do-not-call', { phone_number: '+15553330000' });
    const actions = ['https://crm.example.com/book', `sales tel:${number}`];
    const agentId = await createAgent(workspace, { actions: ['old tel:+15554440000'] });

    expect(await outcome(workspace.api.put(`/api/agents/${agentId}`, { type: 'outbound', actions }))).toEqual(
      refuse(code, message),
    );
    const fields = { type: 'outbound', actions };
    expect(await outcome(workspace.api.post('/api/agents', fields))).toMatchObject({ status: 400 });
  });

  test('is not restored to a version whose number was put on the do-not-call list', async () => {
    const agentId = await createAgent(workspace, { actions: ['sales tel:+15553330000'] });
    await workspace.api.put(`/api/agents/${agentId}`, { type: 'outbound', actions: [] });
    await workspace.api.post('/api/do-not-call', { phone_number: '+15553330000' });

    expect(await outcome(workspace.api.post(`/api/agents/${agentId}/versions/1/restore`))).toEqual(
      invalidWith('DO_NOT_CALL', 'snapshot.actions.0'),
    );
  });

  test('keeps an action whose number was put on the do-not-call list later, so that its other fields can be changed', async () => {
    const actions = ['sales tel:+15553330000'];
    const agentId = await createAgent(workspace, { actions });
    await workspace.api.post('/api/do-not-call', { phone_number: '+15553330000' });

    const changed = await workspace.api.put(`/api/agents/${agentId}`, {
      ...{ type: 'outbound', prompt: 'Be brief.', actions },
    });
    expect(changed.status).toBe(200);
  });
});

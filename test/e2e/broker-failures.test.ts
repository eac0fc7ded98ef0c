import { createAgent } from '../support/agents';
import { AgentCalls } from '../support/calls';
import { ledgerOf } from '../support/ledger';
import { TestParley } from '../support/parley';

describe('Without a broker', () => {
  test('a call is refused, its hold given back and its conversation failed', async () => {
    const parley = await TestParley.start();
    const workspace = await parley.workspace({ credits: 5 });
    const calls = new AgentCalls(workspace.api, await createAgent(workspace));
    await parley.broker.close();

    const { status, body } = await workspace.api.post(`/api/agents/${calls.agentId}/calls`, {
      to_number: '+15551234567',
    });

    expect({ status, body }).toEqual({
      status: 500,
      body: {
        status: 500,
        message: 'The call could not be published to the agent',
        error: { details: expect.stringContaining('Nothing was charged.') },
      },
    });
    const list = await workspace.api.get(`/api/agents/${calls.agentId}/conversations`);
    const [{ conversation_id: id }] = list.body.data.conversations;
    expect(await calls.conversation(id)).toMatchObject({
      status: 'failed',
      disconnect_reason: 'dispatch_failed',
      disconnected_by: 'system',
    });
    expect(await ledgerOf(parley, workspace.workspaceId)).toEqual({
      credits: 5,
      entries: ['hold -1', 'release 1'],
    });
    await parley.stop();
  });
});

import { createAgent } from '../support/agents';
import { type TestWorkspace, useOwnParley } from '../support/parley';
import { until } from '../support/until';

interface ShownCall {
  status: string;
  disconnect_reason: string | null;
  disconnected_by: string | null;
}

// Web calls and phone calls have a place each.
const parley = useOwnParley({ ROLES: 'http,background,runtime', VOICE_CARRIER: 'line', VOICE_CAPACITY: '2' });

let workspace: TestWorkspace;
beforeEach(async () => {
  workspace = await parley.workspace();
});

async function call(number: string): Promise<ShownCall> {
  const agentId = await createAgent(workspace, {
    type: 'outbound',
    greeting: 'Good day! How can I help you?',
  });
  const { body } = await workspace.api.post(`/api/agents/${agentId}/calls`, { to_number: number });
  const { conversation_id: id } = body.data as { conversation_id: string };
  return until(async () => {
    const answer = await workspace.api.get(`/api/calls/${id}`);
    const shown = answer.body.data as ShownCall;
    return ['disconnected', 'failed'].includes(shown.status) && shown;
  }, 60_000);
}

test.each([
  ['+15551230001', 'dial_busy'],
  ['+15551230002', 'dial_no_answer'],
  ['+15551230009', 'invalid_destination'],
])('With the carrier on this machine, a phone call to %s fails as %s', async (number, reason) => {
  expect(await call(number)).toMatchObject({ status: 'failed', disconnect_reason: reason });
});

test('With the carrier on this machine, a simulated person answers a phone call, and hangs up', async () => {
  expect(await call('+15551230008')).toMatchObject({
    status: 'disconnected',
    disconnect_reason: 'user_hangup',
    disconnected_by: 'user',
  });
});

test('Phone calls beyond the capacity of the server wait until a place is free', async () => {
  const ended = await Promise.all(['+15551230008', '+15551231008', '+15551232008'].map(call));
  expect(ended.map(({ disconnect_reason }) => disconnect_reason)).toEqual(ended.map(() => 'user_hangup'));
});

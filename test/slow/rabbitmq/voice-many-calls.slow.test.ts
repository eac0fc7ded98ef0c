import { TwilioStandIn } from '../../../packages/voice/test/stand-ins/twilio/twilio-stand-in';
import { describeAccount } from '../../../packages/voice/test/support/carriers';
import { freePorts } from '../../../launch/process/free-ports.cjs';
import { createAgent } from '../../support/agents';
import { Child } from '../../support/child';
import { readLedger } from '../../support/ledger';
import { useOwnParley } from '../../support/parley';
import { countConsumers, rabbitmqUrl } from '../../support/rabbitmq';
import { until } from '../../support/until';

const CALLS = 200;

const parley = useOwnParley();

test('one voice runtime beside RabbitMQ conducts 200 phone calls at once, and each is one record and one charge', async () => {
  const twilio = await TwilioStandIn.listen();
  const [port = 0] = await freePorts(1);
  const runtime = new Child(
    'packages/voice/dist/cli.js',
    {
      ...describeAccount(twilio, true),
      ...{
        RABBITMQ_URL: rabbitmqUrl ?? '',
        VOICE_PORT: `${port}`,
        VOICE_PUBLIC_URL: `ws://127.0.0.1:${port}`,
      },
      BROKER_PREFIX: parley.topology.callsQueue.replace('.calls.default', ''),
      // Web calls have the other half.
      VOICE_CAPACITY: `${CALLS * 2}`,
    },
    [process.execPath],
  );
  try {
    await until(async () => (await countConsumers(parley.topology.phoneCallsQueue)) > 0);
    const workspace = await parley.workspace({ credits: CALLS });
    const { api } = workspace;
    const agentId = await createAgent(workspace, { greeting: 'Hello, this is the front desk.' });
    const numbers = Array.from({ length: CALLS }, (_, index) => `+1555${2_000_000 + index}`);
    for (const to_number of numbers) await api.post(`/api/agents/${agentId}/calls`, { to_number });
    // All calls must be connected at the same time, so they end together.
    await until(
      () => twilio.calls.filter(({ isOver, spoken }) => !isOver && spoken.length > 0).length === CALLS,
    );
    for (const call of twilio.calls) call.end('completed', 'person');

    const ended = await until(async () => {
      const calls = await parley.sql<{ status: string; disconnect_reason: string }>(
        'SELECT status, disconnect_reason FROM conversations WHERE workspace_id = $1',
        [workspace.workspaceId],
      );
      return calls.every(({ status }) => status === 'disconnected') && calls;
    });
    expect(ended).toEqual(numbers.map(() => ({ status: 'disconnected', disconnect_reason: 'user_hangup' })));
    const { credits, entries } = await readLedger(parley, workspace.workspaceId);
    expect(credits).toBe(0);
    expect(entries.filter((entry) => entry === 'charge -1')).toHaveLength(CALLS);
    expect(twilio.calls.map(({ to }) => to).sort()).toEqual(numbers);
    expect(twilio.calls.flatMap(({ complaints }) => complaints)).toEqual([]);
    expect(runtime.output).not.toMatch(/error/i);
  } finally {
    await runtime.stop();
    await twilio.close();
  }
});

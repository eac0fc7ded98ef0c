import { Database } from '../../src/platform/database/database';
import { unpreparedStatement } from '../../src/platform/database/statement';
import { createAgent } from '../support/agents';
import { refused } from '../support/answers';
import { useOwnParley } from '../support/parley';
import { until } from '../support/until';

const LOCK_WORKSPACE = unpreparedStatement<{ workspaceId: string }>(
  'lock-workspace-for-test',
  'SELECT FROM workspaces WHERE id = $workspaceId FOR UPDATE',
);

describe('A server that stops in the middle of a transaction', () => {
  const parley = useOwnParley();

  test('holds up the calls of a workspace for some seconds, and not until TCP notices it', async () => {
    const workspace = await parley.workspace();
    const agentId = await createAgent(workspace);
    const call = () => workspace.api.post(`/api/agents/${agentId}/calls`, { to_number: '+15551230000' });
    let goOn!: () => void;
    const stopped = new Promise<void>((resolve) => (goOn = resolve));
    let hasLock!: () => void;
    const locked = new Promise<void>((resolve) => (hasLock = resolve));
    const transaction = parley.app.get(Database, { strict: false }).transaction(async (stuck) => {
      await stuck.query(LOCK_WORKSPACE, workspace);
      hasLock();
      await stopped;
      await stuck.query(LOCK_WORKSPACE, workspace);
    });
    const ended = expect(transaction).rejects.toThrow('lock-workspace-for-test');
    await locked;

    expect(await call()).toMatchObject(refused(503, 'The data is in use', { error_code: 'RESOURCE_LOCKED' }));
    await until(async () => (await call()).status === 200);
    goOn();
    await ended;
  });
});

import { BackgroundLoops } from '../../src/platform/background/background-loops';
import { CallRollupsService } from '../../src/features/calls/counts/call-rollups.service';
import { expectSeries, expectSameCalls } from './counted-series';
import { addRandomCalls, areCorrected, reportLate, withAgents } from '../support/past-calls';
import { useOwnParley } from '../support/parley';

describe('Calls over time', () => {
  const parley = useOwnParley();
  const rollups = () => parley.app.get(CallRollupsService, { strict: false });

  beforeAll(() => {
    // The tests decide when calls are rolled up.
    parley.app.get(BackgroundLoops).stop();
  });

  test('are exact with rolled-up calls, calls in segments and late reports, for every filter, zone, group and version', async () => {
    const { workspace, agents } = await withAgents(parley);
    const lost = await addRandomCalls(parley, workspace, agents, 1_500);
    const half = Math.floor(lost.length / 2);
    const report = async (calls: typeof lost) => {
      await Promise.all(calls.map((call) => reportLate(parley, call)));
      await areCorrected(parley, calls);
    };
    await report(lost.slice(0, half));
    await expectSeries(parley, workspace, 10);

    await rollups().rollUp();
    const segments = await parley.sql('SELECT FROM call_segments WHERE workspace_id = $1', [
      workspace.workspaceId,
    ]);
    expect(segments.length).toBeGreaterThan(5);
    await expectSeries(parley, workspace, 15);
    await expectSameCalls(parley, workspace, 15);

    await report(lost.slice(half));
    await expectSeries(parley, workspace, 40);
    await expectSameCalls(parley, workspace, 30);
    expect(await rollups().check(workspace.workspaceId)).toEqual([]);
    for (const agentId of agents) {
      const [counted] = await parley.sql<{ calls: number }>(
        'SELECT count(*)::int AS calls FROM conversations WHERE agent_id = $1',
        [agentId],
      );
      const { body } = await workspace.api.get(`/api/agents/${agentId}/versions`);
      expect(body.data).toMatchObject([{ version: 1, calls: counted?.calls }]);
    }
  });
});

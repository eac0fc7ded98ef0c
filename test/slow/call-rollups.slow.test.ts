import { randomUUID } from 'node:crypto';
import { BackgroundLoops } from '../../src/platform/background/background-loops';
import { CallRollupsService } from '../../src/features/calls/counts/call-rollups.service';
import { expectExact } from '../support/counted-calls';
import { OperatorProcess } from '../support/operator-process';
import {
  addPastCalls,
  addRandomCalls,
  areCorrected,
  reportLate,
  rolledUpUntil,
  withAgents,
} from '../support/past-calls';
import { JWT_SECRET, useOwnParley } from '../support/parley';
import { until } from '../support/until';
import { TakenCall } from '../support/worker';

const NOW_MS = Date.now();
const QUARTER_MS = 15 * 60_000;

describe('Rolled-up calls', () => {
  const parley = useOwnParley();
  let operator: OperatorProcess;
  const rollups = () => parley.app.get(CallRollupsService, { strict: false });

  beforeAll(() => {
    // The tests decide when calls are rolled up.
    parley.app.get(BackgroundLoops).stop();
    operator = new OperatorProcess({ DATABASE_URL: parley.database.url, JWT_SECRET });
  });
  afterAll(() => operator.finish());

  test('are counted and listed exactly before and after, with late reports before and after', async () => {
    const { workspace, agents } = await withAgents(parley);
    const lost = await addRandomCalls(parley, workspace, agents, 700);
    const half = Math.floor(lost.length / 2);
    const report = async (calls: typeof lost) => {
      await Promise.all(calls.map((call) => reportLate(parley, call)));
      await areCorrected(parley, calls);
    };

    await report(lost.slice(0, half));
    expect(await rolledUpUntil(parley, workspace)).toBeNull();
    await expectExact(parley, workspace);

    await rollups().rollUp();
    expect((await rolledUpUntil(parley, workspace))?.getTime()).toBeGreaterThan(NOW_MS - 3 * QUARTER_MS);
    await expectExact(parley, workspace);

    await report(lost.slice(half));
    await expectExact(parley, workspace);
    expect(await operator.json('rollups', 'check', '--workspace', workspace.workspaceId)).toEqual({
      workspaces: 1,
      differences: [],
    });
  });

  test('are the calls before the first one in progress', async () => {
    const { workspace, agents } = await withAgents(parley);
    const [id, token] = [randomUUID(), randomUUID()];
    await addPastCalls(
      parley,
      workspace,
      `SELECT CASE n WHEN 3 THEN $2::uuid ELSE gen_random_uuid() END AS id, $3::uuid AS agent_id,
              CASE n WHEN 3 THEN $4::uuid END AS token, timestamptz '2026-03-01T12:00Z' + n * interval '1 hour' AS created_at,
              'phonecall' AS call_type, CASE n WHEN 3 THEN 'connected' ELSE 'disconnected' END AS status, 60 AS duration_sec,
              CASE WHEN n <> 3 THEN now() END AS ended_at, CASE WHEN n <> 3 THEN 'agent_hangup' END AS disconnect_reason,
              now() AS accepted_at
       FROM generate_series(1, 5) AS n`,
      [id, agents[0], token],
    );

    await rollups().rollUp();
    expect(await rolledUpUntil(parley, workspace)).toEqual(new Date('2026-03-01T15:00Z'));
    await expectExact(parley, workspace);

    await new TakenCall(parley, id, token).ended();
    await until(async () => {
      await rollups().rollUp();
      return ((await rolledUpUntil(parley, workspace))?.getTime() ?? 0) > NOW_MS - 3 * QUARTER_MS;
    });
    await expectExact(parley, workspace);
  });

  test('are checked and rebuilt by the operator', async () => {
    const { workspace, agents } = await withAgents(parley);
    await addRandomCalls(parley, workspace, agents, 50);
    await rollups().rollUp();
    const { workspaceId } = workspace;
    const [changed] = await parley.sql<{ starts_at: Date; connected: number; call_type: string }>(
      `UPDATE call_rollups SET connected = connected + 7
       WHERE (subject_id, bucket_minutes, starts_at, call_type) = (
         SELECT subject_id, bucket_minutes, starts_at, call_type FROM call_rollups
         WHERE subject_id = $1 AND bucket_minutes = 15 LIMIT 1)
       RETURNING starts_at, connected, call_type`,
      [workspaceId],
    );
    await parley.sql(
      'DELETE FROM call_rollups WHERE subject_id = $1 AND bucket_minutes = 1440 AND call_type = $2',
      [agents[1], 'phonecall'],
    );

    const { code, stdout } = await operator.run(['rollups', 'check', '--workspace', workspaceId, '--json']);
    const { differences } = JSON.parse(stdout) as { differences: { subjectId: string }[] };
    expect(code).toBe(1);
    expect(differences.filter(({ subjectId }) => subjectId === workspaceId)).toMatchObject([
      {
        bucketMinutes: 15,
        startsAt: changed?.starts_at.toISOString(),
        callType: changed?.call_type,
        stored: { connected: `${changed?.connected}` },
        counted: { connected: `${(changed?.connected ?? 0) - 7}` },
      },
    ]);
    expect(new Set(differences.map(({ subjectId }) => subjectId))).toEqual(new Set([workspaceId, agents[1]]));

    expect(await operator.json('rollups', 'rebuild', '--workspace', workspaceId)).toEqual({
      workspaces: 1,
      corrected: differences.length,
    });
    expect((await operator.run(['rollups', 'check'])).code).toBe(0);
    await expectExact(parley, workspace);
  });
});

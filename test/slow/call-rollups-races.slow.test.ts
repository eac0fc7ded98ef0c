import { Client } from 'pg';
import { BackgroundLoops } from '../../src/platform/background/background-loops';
import { CallRollupsRepository } from '../../src/features/calls/counts/call-rollups.repository';
import { CallRollupsService } from '../../src/features/calls/counts/call-rollups.service';
import { FIND_HORIZON } from '../../src/features/calls/counts/roll-up-calls.sql';
import { expectExact } from '../support/counted-calls';
import {
  addRandomCalls,
  areCorrected,
  type LostCall,
  reportLate,
  rolledUpUntil,
  withAgents,
} from '../support/past-calls';
import { JWT_SECRET, type TestWorkspace, useOwnParley } from '../support/parley';
import { ServerProcess } from '../support/server-process';
import { until } from '../support/until';

describe('Calls that are rolled up', () => {
  const parley = useOwnParley();
  const rollups = () => parley.app.get(CallRollupsService, { strict: false });

  beforeAll(() => {
    // The tests decide when calls are rolled up.
    parley.app.get(BackgroundLoops).stop();
  });

  async function withConnection(use: (client: Client) => Promise<void>): Promise<void> {
    const client = new Client(parley.database.url);
    await client.connect();
    try {
      await use(client);
    } finally {
      await client.end();
    }
  }

  /** Runs `use` while the row that every change of the rollups takes is locked. */
  const whileLocked = ({ workspaceId }: TestWorkspace, use: () => Promise<void>) =>
    withConnection(async (client) => {
      await client.query('BEGIN');
      await client.query('SELECT FROM call_rollup_states WHERE workspace_id = $1 FOR UPDATE', [workspaceId]);
      await use();
      await client.query('COMMIT');
    });

  /** Waits until this many statements with this text near their beginning wait for a lock. */
  const areWaiting = (text: string, count: number) =>
    until(async () => {
      const waiting = await parley.sql(
        `SELECT FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE $1`,
        [`%${text}%`],
      );
      return waiting.length === count;
    });

  const ROLL_UP = 'WITH first AS MATERIALIZED';
  const SEGMENTS = 'WITH state AS MATERIALIZED';
  const CORRECTION = ', lost AS (';

  async function withLostCalls(count: number) {
    const { workspace, agents } = await withAgents(parley);
    await rollups().workspaces();
    const lost = await addRandomCalls(parley, workspace, agents, count);
    return { workspace, lost, first: lost[0] as LostCall };
  }

  test('are corrected in segments too, whether the report or the segments come first', async () => {
    const { workspace, agents } = await withAgents(parley);
    const { workspaceId } = workspace;
    await rollups().workspaces();
    const lost = await addRandomCalls(parley, workspace, agents, 1_500);
    const [first, second] = lost as [LostCall, LostCall];
    const repository = parley.app.get(CallRollupsRepository, { strict: false });
    const horizon = (await repository.findHorizon()) as Date;
    await repository.rollUp(workspaceId, horizon);
    let adding: Promise<boolean> | undefined;

    await whileLocked(workspace, async () => {
      adding = repository.addSegments(workspaceId);
      await areWaiting(SEGMENTS, 1);
      await reportLate(parley, first);
      await areWaiting(CORRECTION, 1);
    });
    await areCorrected(parley, [first]);
    expect(await adding).toBe(true);
    expect(await rollups().check(workspaceId)).toEqual([]);

    await reportLate(parley, second);
    await areCorrected(parley, [second]);
    expect(await rollups().check(workspaceId)).toEqual([]);
    const corrections = await parley.sql(
      `SELECT FROM call_value_corrections JOIN call_values ON id = value_id WHERE workspace_id = $1`,
      [workspaceId],
    );
    expect(corrections.length).toBeGreaterThan(0);

    await parley.sql(
      `UPDATE call_value_rollups SET connected = connected + 1
       WHERE value_id = (SELECT id FROM call_values WHERE workspace_id = $1 AND dimension = 'outcome' AND value = 'booked')`,
      [workspaceId],
    );
    const differences = await rollups().check(workspaceId);
    expect(differences.length).toBeGreaterThan(0);
    expect(differences).toMatchObject(differences.map(() => ({ dimension: 'outcome', value: 'booked' })));
    expect(await rollups().rebuild(workspaceId)).toBe(differences.length);
    expect(await rollups().check(workspaceId)).toEqual([]);

    await parley.sql(
      `UPDATE call_segment_durations SET connected = connected[2:] || 9999 WHERE workspace_id = $1 AND starts_at = (
         SELECT min(starts_at) FROM call_segments WHERE workspace_id = $1)`,
      [workspaceId],
    );
    expect(await rollups().check(workspaceId)).toMatchObject([
      { counted: expect.anything() as object },
      { durationSec: 9999, stored: { connected: 1 }, counted: { connected: 0 } },
    ]);
    expect(await rollups().rebuild(workspaceId)).toBe(2);
    expect(await rollups().check(workspaceId)).toEqual([]);
  });

  test('are corrected there too if the roll-up was first, and had counted them without the late report', async () => {
    const { workspace, first } = await withLostCalls(60);
    let rollingUp: Promise<void> | undefined;

    await whileLocked(workspace, async () => {
      rollingUp = rollups().rollUp();
      await areWaiting(ROLL_UP, 1);
      await reportLate(parley, first);
      await areWaiting(CORRECTION, 1);
    });
    await Promise.all([rollingUp, areCorrected(parley, [first])]);

    expect(await rolledUpUntil(parley, workspace)).not.toBeNull();
    await expectExact(parley, workspace);
    expect(await rollups().check(workspace.workspaceId)).toEqual([]);
  });

  test('are counted again if a late report was first', async () => {
    const { workspace, first } = await withLostCalls(60);
    let rollingUp: Promise<void> | undefined;

    await whileLocked(workspace, async () => {
      await reportLate(parley, first);
      await areWaiting(CORRECTION, 1);
      rollingUp = rollups().rollUp();
      await areWaiting(ROLL_UP, 1);
    });
    await Promise.all([rollingUp, areCorrected(parley, [first])]);

    expect(await rolledUpUntil(parley, workspace)).toBeNull();
    await rollups().rollUp();
    expect(await rolledUpUntil(parley, workspace)).not.toBeNull();
    expect(await rollups().check(workspace.workspaceId)).toEqual([]);
  });

  test('stay exact while late reports, several roll-ups and rebuilds run at once', async () => {
    const { workspace, lost } = await withLostCalls(300);
    const { workspaceId } = workspace;
    const many = (work: () => Promise<unknown>) => Array.from({ length: 4 }, work);

    await Promise.all([
      ...lost.map((call) => reportLate(parley, call)),
      ...many(() => rollups().rollUp()),
      ...many(() => rollups().rebuild(workspaceId)),
      areCorrected(parley, lost),
    ]);
    await rollups().rollUp();

    expect(await rolledUpUntil(parley, workspace)).not.toBeNull();
    expect(await rollups().check(workspaceId)).toEqual([]);
    await expectExact(parley, workspace);
  });

  test('are rolled up by the next server if one was killed meanwhile', async () => {
    const { workspace, lost } = await withLostCalls(120);
    const settings = { DATABASE_URL: parley.database.url, JWT_SECRET, LOG_LEVEL: 'error' };

    await whileLocked(workspace, async () => {
      const killed = await ServerProcess.start(settings);
      await areWaiting(ROLL_UP, 1);
      await killed.kill();
      // Postgres detects that the client of a waiting statement is gone.
      await areWaiting(ROLL_UP, 0);
    });
    expect(await rolledUpUntil(parley, workspace)).toBeNull();
    await reportLate(parley, lost[0] as LostCall);
    const next = await ServerProcess.start(settings);
    await until(() => rolledUpUntil(parley, workspace));
    await areCorrected(parley, lost.slice(0, 1));

    expect(await next.stop()).toBe(0);
    expect(await rollups().check(workspace.workspaceId)).toEqual([]);
    await expectExact(parley, workspace);
  });

  test('were created minutes ago, and before any transaction that is hidden', () =>
    withConnection(async (client) => {
      const readHorizon = async () =>
        (await client.query<{ horizon: Date | null }>(FIND_HORIZON.text)).rows[0]?.horizon;
      const horizon = await readHorizon();
      expect(horizon?.getTime()).toBeLessThan(Date.now() - 5 * 60_000);
      expect((horizon?.getTime() ?? NaN) % (15 * 60_000)).toBe(0);

      const role = `rollups_${process.pid}`;
      await client.query(`CREATE ROLE ${role}`);
      try {
        await client.query(`SET ROLE ${role}`);
        await until(readHorizon);
        await withConnection(async (other) => {
          await other.query('BEGIN');
          expect(await readHorizon()).toBeNull();
        });
        await until(readHorizon);
      } finally {
        await client.query('RESET ROLE');
        await client.query(`DROP ROLE ${role}`);
      }
    }));
});

import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import { CHECK_DURATIONS, type DurationDifference, REBUILD_DURATIONS } from './check-durations.sql';
import { CHECK_SEGMENTS, REBUILD_SEGMENTS, type SegmentDifference } from './check-segments.sql';
import {
  CHECK_DAY,
  type DayOfWorkspace,
  FIND_ALL_WORKSPACES,
  FIND_DAYS,
  REBUILD_DAY,
  type RollupDifference,
} from './check-rollups.sql';
import { cutSegments } from './call-segments';
import { ADD_SEGMENTS, EXTEND_TIME_LIMIT, FIND_UNSEGMENTED, SEGMENT_STEP_CALLS } from './segment-calls.sql';
import { ADD_STATES, FIND_HORIZON, FIND_WORKSPACES, ROLL_UP } from './roll-up-calls.sql';

export type { DayOfWorkspace, DurationDifference, RollupDifference, SegmentDifference };

/** Sums of the ended calls by time; see decision 24. */
@Injectable()
export class CallRollupsRepository {
  constructor(private readonly database: Database) {}

  /** Adds the states of new workspaces. */
  async addStates(): Promise<void> {
    await this.database.query(ADD_STATES, {});
  }

  /** Finds all workspaces. */
  async findAllWorkspaces(): Promise<string[]> {
    return (await this.database.query(FIND_ALL_WORKSPACES, {})).map(({ workspaceId }) => workspaceId);
  }

  /** @returns the time before which no call is created any more, or null if that is not known now */
  async findHorizon(): Promise<Date | null> {
    return (await this.database.query(FIND_HORIZON, {}))[0]?.horizon ?? null;
  }

  /** Finds the workspaces that have calls before the horizon that are not rolled up. */
  async findWorkspaces(horizon: Date): Promise<string[]> {
    const rows = await this.database.query(FIND_WORKSPACES, { horizon });
    return rows.map(({ workspaceId }) => workspaceId);
  }

  /** @returns whether there may be more to roll up; false: nothing was changed */
  async rollUp(workspaceId: string, horizon: Date): Promise<boolean> {
    return (await this.database.query(ROLL_UP, { workspaceId, horizon }))[0]?.hasMoved ?? false;
  }

  /** Puts the oldest calls that are rolled up into segments. @returns whether there may be more */
  async addSegments(workspaceId: string): Promise<boolean> {
    const quarters = await this.database.query(FIND_UNSEGMENTED, { workspaceId });
    const segments = cutSegments(quarters, SEGMENT_STEP_CALLS);
    const [first] = quarters;
    if (!first || segments.length === 0) return false;
    return this.database.transaction(async (transaction) => {
      await transaction.query(EXTEND_TIME_LIMIT, {});
      const [step] = await transaction.query(ADD_SEGMENTS, {
        workspaceId,
        segmentedUntil: first.segmentedUntil,
        starts: segments.map(({ startsAt }) => startsAt),
        ends: segments.map(({ endsAt }) => endsAt),
      });
      return step?.hasMoved ?? false;
    });
  }

  /** The first and the last UTC day that have calls or rollups; null if there is none. */
  async findDays(workspaceId: string): Promise<{ first: Date; last: Date } | null> {
    const [{ first, last } = { first: null, last: null }] = await this.database.query(FIND_DAYS, {
      workspaceId,
    });
    return first && last ? { first, last } : null;
  }

  checkDay(day: DayOfWorkspace): Promise<RollupDifference[]> {
    return this.database.query(CHECK_DAY, day);
  }

  checkSegments(day: DayOfWorkspace): Promise<SegmentDifference[]> {
    return this.database.query(CHECK_SEGMENTS, day);
  }

  checkDurations(day: DayOfWorkspace): Promise<DurationDifference[]> {
    return this.database.query(CHECK_DURATIONS, day);
  }

  /** Rebuilds the durations, as {@link rebuildDay} does the rollups. */
  async rebuildDurations(day: DayOfWorkspace): Promise<{ differences: number; isDone: boolean } | undefined> {
    return (await this.database.query(REBUILD_DURATIONS, day))[0];
  }

  /** Rebuilds the segments, as {@link rebuildDay} does the rollups. */
  async rebuildSegments(day: DayOfWorkspace): Promise<{ differences: number; isDone: boolean } | undefined> {
    return (await this.database.query(REBUILD_SEGMENTS, day))[0];
  }

  /** @returns how many buckets were wrong, and `isDone`: false if the call has to be repeated */
  async rebuildDay(day: DayOfWorkspace): Promise<{ differences: number; isDone: boolean } | undefined> {
    return (await this.database.query(REBUILD_DAY, day))[0];
  }
}

import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import {
  type CallState,
  type CampaignState,
  FIND_CALL_STATES,
  FIND_LIVE_CALLS,
  FIND_LIVE_CAMPAIGNS,
  FIND_LIVE_INVOCATIONS,
  FIND_LIVE_RUNS,
  type RunState,
  type ToolState,
} from './live.sql';

export type { CallState, CampaignState, RunState, ToolState };

/** Reads the states of several workspaces at once, for their open streams. */
@Injectable()
export class LiveRepository {
  constructor(private readonly database: Database) {}

  /** Finds the calls in progress, and those that were accepted and ended a moment ago. */
  findCalls(workspaceIds: string[]): Promise<CallState[]> {
    return this.database.query(FIND_LIVE_CALLS, { workspaceIds });
  }

  findCallStates(ids: string[]): Promise<CallState[]> {
    return this.database.query(FIND_CALL_STATES, { ids });
  }

  /** Finds the invocations of tools that run, and those that were settled a moment ago. */
  findInvocations(workspaceIds: string[]): Promise<ToolState[]> {
    return this.database.query(FIND_LIVE_INVOCATIONS, { workspaceIds });
  }

  /** Finds the rehearsal runs that go on, and those that ended a moment ago. */
  findRuns(workspaceIds: string[]): Promise<RunState[]> {
    return this.database.query(FIND_LIVE_RUNS, { workspaceIds });
  }

  /** Finds the campaigns that have not ended, and those that ended a moment ago. */
  findCampaigns(workspaceIds: string[]): Promise<CampaignState[]> {
    return this.database.query(FIND_LIVE_CAMPAIGNS, { workspaceIds });
  }
}

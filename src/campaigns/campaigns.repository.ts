import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../database/database';
import { likePattern } from '../database/like-pattern';
import { type Page, pageOf, WorkspaceRepository } from '../database/workspace.repository';
import { type CallCount, COUNT_CALLS } from './campaign-progress.sql';
import type { CampaignStatus } from './campaign-status';
import {
  type CampaignOfAgent,
  COMPLETE_ENDED,
  FAIL_WITHOUT_AGENT,
  FIND_WITHOUT_AGENT,
  LOCK_QUEUED_CALLS,
  LOCK_WITHOUT_AGENT,
  START_DUE,
} from './campaign-transitions.sql';
import { Campaign } from './campaign.entity';
import {
  type CallLimits,
  FIND_STARTABLE,
  LOCK_RUNNING,
  type RunningCampaign,
} from './startable-campaigns.sql';

export type { CallCount, CampaignOfAgent, RunningCampaign };

interface ListOptions {
  /** Part of the name. */
  search?: string;
  status?: CampaignStatus;
  page: number;
  limit: number;
}

@Injectable()
export class CampaignsRepository extends WorkspaceRepository<Campaign> {
  constructor(database: Database) {
    super(database, Campaign);
  }

  /** Newest first. */
  list(workspaceId: string, { search, status, ...page }: ListOptions): Promise<Page<Campaign>> {
    const rows = this.select(workspaceId, 'campaign');
    if (search !== undefined) rows.andWhere('campaign.name ILIKE :search', { search: likePattern(search) });
    if (status !== undefined) rows.andWhere('campaign.status = :status', { status });
    return pageOf(rows.orderBy('campaign.createdAt', 'DESC').addOrderBy('campaign.id', 'DESC'), page);
  }

  /** The campaign's calls by their status. */
  countCalls(workspaceId: string, campaignId: string): Promise<CallCount[]> {
    return this.database.query(COUNT_CALLS, { workspaceId, campaignId });
  }

  /** @returns the ids of the campaigns that are running now */
  async startDue(): Promise<string[]> {
    return idsOf(await this.database.query(START_DUE, {}));
  }

  /** @returns the ids of the campaigns that are completed now */
  async completeEnded(): Promise<string[]> {
    return idsOf(await this.database.query(COMPLETE_ENDED, {}));
  }

  /** The campaigns that may start calls now, of all workspaces in turn. */
  async findStartable(limits: CallLimits): Promise<string[]> {
    return idsOf(await this.database.query(FIND_STARTABLE, limits));
  }

  /** @returns undefined if it is not running, or another transaction has locked it */
  async lockRunning(campaignId: string, transaction: Transaction): Promise<RunningCampaign | undefined> {
    const [campaign] = await transaction.query(LOCK_RUNNING, { campaignId });
    return campaign;
  }

  /** The campaigns that fail because their agent was deleted. */
  async findWithoutAgent(): Promise<string[]> {
    return idsOf(await this.database.query(FIND_WITHOUT_AGENT, {}));
  }

  /** @returns undefined if it has an agent, or another transaction has locked it */
  async lockWithoutAgent(campaignId: string, transaction: Transaction): Promise<CampaignOfAgent | undefined> {
    const [campaign] = await transaction.query(LOCK_WITHOUT_AGENT, { campaignId });
    return campaign;
  }

  /** @returns the ids of the campaign's calls that no runtime has claimed */
  async lockQueuedCalls(campaignId: string, transaction: Transaction): Promise<string[]> {
    return idsOf(await transaction.query(LOCK_QUEUED_CALLS, { campaignId }));
  }

  /**
   * @param hasCancelled whether this transaction has cancelled calls of the campaign
   * @returns false if no recipient is left either: the campaign is completed when its calls have ended
   */
  async failWithoutAgent(
    campaignId: string,
    hasCancelled: boolean,
    transaction: Transaction,
  ): Promise<boolean> {
    return (await transaction.query(FAIL_WITHOUT_AGENT, { campaignId, hasCancelled })).length === 1;
  }
}

const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id);

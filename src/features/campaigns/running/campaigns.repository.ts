import { Injectable } from '@nestjs/common';
import type { QueryDeepPartialEntity } from 'typeorm';
import { Database, type Transaction } from '../../../platform/database/database';
import { likePattern } from '../../../platform/database/like-pattern';
import { type Page, readPage, WorkspaceRepository } from '../../../platform/database/workspace.repository';
import { LOG_EVENT } from '../plan/campaign-log-entry.entity';
import { NOTE_WAITING } from '../plan/campaign-log.sql';
import { type CampaignSnapshot, FIND_SNAPSHOTS } from '../recipients/campaign-progress.sql';
import {
  type BrokerState,
  type CallLimits,
  type CampaignState,
  type CampaignToAdvance,
  FIND_STATES,
  FIND_WAITING,
  LOCK_TO_ADVANCE,
  type RunningCampaign,
  type Waiting,
} from '../plan/campaign-state.sql';
import type { CampaignStatus, WaitingReason } from '../plan/campaign-status';
import {
  type CampaignOfAgent,
  CLOSE_ENDED,
  COMPLETE_ENDED,
  FAIL_WITHOUT_AGENT,
  FIND_TO_FINISH,
  FIND_TO_SETTLE,
  FIND_WITHOUT_AGENT,
  LOCK_QUEUED_CALLS,
  LOCK_WITHOUT_AGENT,
  SET_STATUS,
  START_DUE,
} from './campaign-transitions.sql';
import { Campaign } from '../plan/campaign.entity';

export type { BrokerState, CampaignOfAgent, CampaignSnapshot, CampaignState, RunningCampaign, Waiting };

interface ListOptions {
  /** A part of the name. */
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

  /** Lists the campaigns, newest first. */
  list(workspaceId: string, { search, status, ...page }: ListOptions): Promise<Page<Campaign>> {
    const rows = this.select(workspaceId, 'campaign');
    if (search !== undefined) rows.andWhere('campaign.name ILIKE :search', { search: likePattern(search) });
    if (status !== undefined) rows.andWhere('campaign.status = :status', { status });
    return readPage(rows.orderBy('campaign.createdAt', 'DESC').addOrderBy('campaign.id', 'DESC'), page);
  }

  /** Finds the snapshots of the campaigns that the workspace has, by their ids. */
  async findSnapshots(workspaceId: string, campaignIds: string[]): Promise<Map<string, CampaignSnapshot>> {
    const rows = await this.database.query(FIND_SNAPSHOTS, { workspaceId, campaignIds });
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** Finds why running campaigns wait, by their ids. */
  async findWaiting(campaignIds: string[], limits: CallLimits): Promise<Map<string, Waiting>> {
    if (campaignIds.length === 0) return new Map();
    const rows = await this.database.query(FIND_WAITING, { ...limits, campaignIds });
    return new Map(rows.flatMap(({ id, ...waiting }) => (waiting.reason ? [[id, waiting]] : [])));
  }

  /** @returns the ids of the campaigns that are running now */
  async startDue(): Promise<string[]> {
    return toIds(await this.database.query(START_DUE, {}));
  }

  /** @returns the ids of the campaigns that are completed now */
  async completeEnded(): Promise<string[]> {
    return toIds(await this.database.query(COMPLETE_ENDED, {}));
  }

  /** Closes the campaigns that failed or were cancelled, and have nothing left to do. */
  async closeEnded(): Promise<string[]> {
    return toIds(await this.database.query(CLOSE_ENDED, {}));
  }

  findToSettle(): Promise<{ id: string }[]> {
    return this.database.query(FIND_TO_SETTLE, {});
  }

  findToFinish(): Promise<{ id: string; isCancelled: boolean }[]> {
    return this.database.query(FIND_TO_FINISH, {});
  }

  /** Finds the running campaigns of all workspaces in turn. */
  findStates(parameters: CallLimits & BrokerState): Promise<CampaignState[]> {
    return this.database.query(FIND_STATES, parameters);
  }

  async noteWaiting(
    campaignId: string,
    reason: WaitingReason | null,
    text: string,
    data: object,
  ): Promise<void> {
    const event = reason ? LOG_EVENT.waiting : LOG_EVENT.went_on;
    await this.database.query(NOTE_WAITING, { campaignId, reason, event, text, data: JSON.stringify(data) });
  }

  /** @returns undefined if the campaign is over, or another transaction has locked it */
  async lockToAdvance(campaignId: string, transaction: Transaction): Promise<CampaignToAdvance | undefined> {
    const [campaign] = await transaction.query(LOCK_TO_ADVANCE, { campaignId });
    return campaign;
  }

  async update(
    campaignId: string,
    changes: QueryDeepPartialEntity<Campaign>,
    { manager }: Transaction,
  ): Promise<void> {
    // TypeORM sets `updatedAt`.
    await manager.update(Campaign, { id: campaignId }, changes);
  }

  async setStatus(campaignId: string, status: CampaignStatus, transaction: Transaction): Promise<void> {
    await transaction.query(SET_STATUS, { campaignId, status });
  }

  /** Finds the campaigns that fail because their agent was deleted. */
  findWithoutAgent(): Promise<{ id: string }[]> {
    return this.database.query(FIND_WITHOUT_AGENT, {});
  }

  /** @returns undefined if the campaign has an agent, or another transaction has locked it */
  async lockWithoutAgent(campaignId: string, transaction: Transaction): Promise<CampaignOfAgent | undefined> {
    const [campaign] = await transaction.query(LOCK_WITHOUT_AGENT, { campaignId });
    return campaign;
  }

  /** @returns the ids of the campaign's calls that no runtime has claimed, or of the further attempts among them */
  async lockQueuedCalls(
    campaignId: string,
    transaction: Transaction,
    { areRetries = false } = {},
  ): Promise<string[]> {
    return toIds(await transaction.query(LOCK_QUEUED_CALLS, { campaignId, areRetries }));
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

const toIds = (rows: { id: string }[]) => rows.map(({ id }) => id);

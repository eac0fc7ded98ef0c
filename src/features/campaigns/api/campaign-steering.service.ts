import { Injectable } from '@nestjs/common';
import { changedValues } from '../../../accounts/audit/changed-values';
import { Database, type Transaction } from '../../../platform/database/database';
import { canonicalNumber, E164 } from '../../../platform/validation/phone-number';
import { CampaignCalls } from '../running/campaign-calls';
import { LOG_EVENT, type LogEvent } from '../plan/campaign-log-entry.entity';
import { CampaignLogRepository } from '../plan/campaign-log.repository';
import { CampaignRecipientsRepository } from '../recipients/campaign-recipients.repository';
import { CampaignSettlement } from '../running/campaign-settlement';
import { CAMPAIGN_STATUS, type CampaignStatus, OPEN_STATUSES } from '../plan/campaign-status';
import { CampaignZones } from '../plan/campaign-zones';
import { type Campaign, DEFAULT_TIMEZONE } from '../plan/campaign.entity';
import type { UpdateCampaignDto } from '../recipients-file/campaign-form.dto';
import type { CampaignDetailDto } from './campaigns.dto';
import {
  campaignBegun,
  campaignEnded,
  campaignNotFound,
  campaignNotPaused,
  campaignNotRunning,
  expiresTooEarly,
  recipientNotFound,
} from '../plan/campaigns.errors';
import { CampaignsRepository } from '../running/campaigns.repository';
import { CampaignsService } from './campaigns.service';
import { RecipientRemoval } from '../running/recipient-removal';
import { storedRetry } from '../plan/retry-policy';

/**
 * Changes campaigns as people request. Each change is made under the lock of the campaign, and has a line in its
 * log.
 */
@Injectable()
export class CampaignSteeringService {
  constructor(
    private readonly service: CampaignsService,
    private readonly campaigns: CampaignsRepository,
    private readonly recipients: CampaignRecipientsRepository,
    private readonly settlement: CampaignSettlement,
    private readonly calls: CampaignCalls,
    private readonly removal: RecipientRemoval,
    private readonly zones: CampaignZones,
    private readonly log: CampaignLogRepository,
    private readonly database: Database,
  ) {}

  /**
   * Pauses a campaign. Calls that no runtime has claimed are cancelled; the others go on.
   * @throws 409
   */
  pause(workspaceId: string, campaignId: string): Promise<CampaignDetailDto> {
    return this.shown(workspaceId, campaignId, async (campaign, transaction) => {
      const { status } = campaign;
      if (status !== CAMPAIGN_STATUS.running && status !== CAMPAIGN_STATUS.scheduled)
        throw campaignNotRunning(status);
      const taken = await this.takeBackQueued(campaign, transaction);
      await this.setStatus(campaign, CAMPAIGN_STATUS.paused, LOG_EVENT.paused, 'Paused', taken, transaction);
    });
  }

  /** @throws 409 */
  resume(workspaceId: string, campaignId: string): Promise<CampaignDetailDto> {
    return this.shown(workspaceId, campaignId, async (campaign, transaction) => {
      if (campaign.status !== CAMPAIGN_STATUS.paused) throw campaignNotPaused(campaign.status);
      await this.setStatus(campaign, CAMPAIGN_STATUS.running, LOG_EVENT.resumed, 'Resumed', 0, transaction);
      await this.zones.reset(campaign, transaction);
    });
  }

  /** Stops the campaign as a pause does, but for good. The runner skips the recipients that remain. @throws 409 */
  cancel(workspaceId: string, campaignId: string): Promise<CampaignDetailDto> {
    return this.shown(workspaceId, campaignId, async (campaign, transaction) => {
      assertOpen(campaign);
      const taken = await this.takeBackQueued(campaign, transaction);
      const { cancelled } = LOG_EVENT;
      await this.setStatus(campaign, CAMPAIGN_STATUS.cancelled, cancelled, 'Cancelled', taken, transaction);
    });
  }

  /**
   * Changes a campaign that has not ended. Queued calls are taken back if the windows change, and further attempts
   * if the policy changes, which decides on them again. Calls that have ended count as they did.
   * @throws 409
   */
  update(workspaceId: string, campaignId: string, changes: UpdateCampaignDto): Promise<CampaignDetailDto> {
    return this.shown(workspaceId, campaignId, async (campaign, transaction) => {
      assertOpen(campaign);
      const changed = toChanges(changes);
      const names = Object.keys(changed);
      if (names.length === 0) return void (transaction.change = null);
      if (changed.scheduleTime && campaign.hasBegun) throw campaignBegun(campaign.status);
      const after = { ...campaign, ...changed };
      const isEndChanged = changed.expiresAt !== undefined || changed.scheduleTime !== undefined;
      if (after.expiresAt && isEndChanged && isTooEarly(after)) throw expiresTooEarly();
      const isTimeChanged = ['windows', 'timezone', 'expiresAt', 'scheduleTime'].some(
        (name) => name in changed,
      );
      const isRetryChanged = changed.retry !== undefined;
      if (isTimeChanged || isRetryChanged) {
        await this.takeBackQueued(campaign, transaction, { areRetries: !isTimeChanged });
        await this.settlement.settleAll(campaign, transaction);
      }
      const { campaignName, ...columns } = changed;
      await this.campaigns.update(
        campaignId,
        withoutUndefined({ name: campaignName, ...columns }),
        transaction,
      );
      if (isRetryChanged) await this.settlement.decideAgain(campaign, transaction);
      if (isTimeChanged) await this.zones.reset(after, transaction);
      transaction.change = { fields: names, ...changedValues(names, campaign, after) };
      const text = `Changed ${names.join(', ')}.`;
      await this.log.add({ campaignId, event: LOG_EVENT.changed, text, data: changed }, transaction);
    });
  }

  /**
   * Prevents further attempts to reach a recipient. A call that a runtime has claimed goes on.
   * @throws 404
   */
  async removeRecipient(workspaceId: string, campaignId: string, phoneNumber: string): Promise<void> {
    await this.locked(workspaceId, campaignId, async (campaign, transaction) => {
      const find = (number: string) => this.recipients.find(campaignId, number, transaction);
      // An earlier release may have stored the number as it is given.
      const recipient = E164.test(phoneNumber)
        ? ((await find(canonicalNumber(phoneNumber) ?? phoneNumber)) ?? (await find(phoneNumber)))
        : null;
      if (!recipient) throw recipientNotFound();
      // The last call has ended, so nothing changes.
      if ((await this.removal.remove(campaign, recipient, transaction)) === 'ended')
        return void (transaction.change = null);
      // The text does not contain the number, which would have to be erased with the recipient.
      const text = `Removed the recipient of row ${recipient.rowNumber}.`;
      const data = { row: recipient.rowNumber };
      await this.log.add({ campaignId, event: LOG_EVENT.recipient_removed, text, data }, transaction);
    });
  }

  /**
   * Returns the campaign after the change.
   * @throws 404
   */
  private async shown(
    workspaceId: string,
    campaignId: string,
    work: (campaign: Campaign, transaction: Transaction) => Promise<void>,
  ): Promise<CampaignDetailDto> {
    await this.locked(workspaceId, campaignId, work);
    return this.service.get(workspaceId, campaignId);
  }

  /** @returns the name of the campaign, which the audit shows @throws 404 */
  private locked(
    workspaceId: string,
    campaignId: string,
    work: (campaign: Campaign, transaction: Transaction) => Promise<void>,
  ): Promise<string> {
    return this.database.transaction(async (transaction) => {
      const campaign = await this.campaigns.findLocked(workspaceId, campaignId, transaction);
      if (!campaign) throw campaignNotFound();
      await work(campaign, transaction);
      return campaign.name;
    });
  }

  /**
   * Cancels the queued calls. A call that a runtime claims at this moment goes on.
   * @returns how many calls were taken back
   */
  private async takeBackQueued(
    { id, ...campaign }: Campaign,
    transaction: Transaction,
    which: { areRetries?: boolean } = {},
  ): Promise<number> {
    const queued = await this.campaigns.lockQueuedCalls(id, transaction, which);
    if (queued.length === 0) return 0;
    const taken = await this.calls.cancelQueued(campaign, queued, transaction);
    await this.recipients.takeBack(id, taken, null, transaction);
    return taken.length;
  }

  private async setStatus(
    { id: campaignId }: Campaign,
    status: CampaignStatus,
    event: LogEvent,
    verb: string,
    taken: number,
    transaction: Transaction,
  ): Promise<void> {
    await this.campaigns.setStatus(campaignId, status, transaction);
    const by = transaction.actor ? ` by ${transaction.actor.name}` : '';
    const calls =
      taken === 0 ? '' : `; ${taken} unclaimed ${taken === 1 ? 'call was' : 'calls were'} taken back`;
    const text = `${verb}${by}${calls}.`;
    await this.log.add({ campaignId, event, text, data: { taken_back: taken } }, transaction);
  }
}

function assertOpen({ status }: Campaign): void {
  if (!OPEN_STATUSES.some((open) => open === status)) throw campaignEnded(status);
}

const isTooEarly = ({ expiresAt, scheduleTime }: Pick<Campaign, 'expiresAt' | 'scheduleTime'>) =>
  expiresAt !== null && expiresAt.getTime() <= Math.max(Date.now(), scheduleTime.getTime());

type CampaignChanges = { campaignName?: string } & Partial<Pick<Campaign, 'timezone' | 'windows' | 'retry'>> &
  Partial<Pick<Campaign, 'scheduleTime' | 'concurrency' | 'callsPerSecond' | 'expiresAt'>>;

/** The changes by the names of the form. null is the value that a form without the field creates. */
function toChanges({
  workspaceId: _,
  timezone,
  windows,
  retry,
  ...others
}: UpdateCampaignDto): CampaignChanges {
  return withoutUndefined({
    ...others,
    timezone: timezone === null ? DEFAULT_TIMEZONE : timezone,
    windows: windows === null ? [] : windows,
    retry: retry === undefined ? undefined : storedRetry(retry),
  });
}

const withoutUndefined = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;

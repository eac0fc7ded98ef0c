import { Injectable } from '@nestjs/common';
import { setImmediate as otherWork } from 'node:timers/promises';
import type { Transaction } from '../../../platform/database/database';
import { CampaignZonesRepository, type ZoneTimes } from './campaign-zones.repository';
import type { Campaign } from './campaign.entity';
import { type CallingWindow, openTimeAround } from './windows';

type ZonedCampaign = Pick<Campaign, 'id' | 'timezone' | 'windows' | 'scheduleTime'>;

/** Keeps for each zone of a campaign which window is open, or opens next. */
@Injectable()
export class CampaignZones {
  constructor(private readonly zones: CampaignZonesRepository) {}

  /** @param zones the zones of the recipients; '' for recipients in the zone of the campaign */
  async add(campaign: ZonedCampaign, zones: string[], transaction: Transaction): Promise<void> {
    await this.zones.add(campaign.id, zones, transaction);
    await this.reset(campaign, transaction);
  }

  /**
   * Computes the windows of all zones of a campaign that is new, was changed or goes on, from its beginning on.
   */
  async reset(
    { id, timezone, windows, scheduleTime }: ZonedCampaign,
    transaction: Transaction,
  ): Promise<void> {
    const from = Math.max(Date.now(), scheduleTime.getTime());
    const zones = await this.zones.find(id, transaction);
    const times = await mapInSlices(zones, (name) => ({
      timezone: name,
      ...computeTimes(windows, name || timezone, from),
    }));
    await this.zones.set(id, times, transaction);
  }

  /** Computes the next windows of zones whose window is over. @returns the ids of their campaigns */
  async refresh(): Promise<string[]> {
    const stale = await this.zones.findStale();
    if (stale.length === 0) return [];
    await this.zones.refresh(
      await mapInSlices(stale, (zone) => ({ ...zone, ...computeTimes(zone.windows, zone.zone, Date.now()) })),
    );
    return [...new Set(stale.map(({ campaignId }) => campaignId))];
  }
}

/**
 * Maps items in slices, between which requests of other workspaces are handled. One zone takes up to some
 * milliseconds.
 */
async function mapInSlices<Item, Result>(items: Item[], map: (item: Item) => Result): Promise<Result[]> {
  const results: Result[] = [];
  for (const item of items) {
    results.push(map(item));
    await otherWork();
  }
  return results;
}

/** The times are computed by the clock of this process; the database decides by its own when they are over. */
function computeTimes(windows: CallingWindow[], zone: string, from: number): Omit<ZoneTimes, 'timezone'> {
  if (windows.length === 0) return { opensAt: null, closesAt: null };
  const { opensAt, closesAt } = openTimeAround(windows, zone, from);
  return { opensAt: new Date(opensAt), closesAt: new Date(closesAt) };
}

import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../../platform/database/database';
import { jsonRows } from '../../../platform/database/statement';
import {
  ADD_ZONES,
  FIND_STALE_ZONES,
  FIND_ZONES,
  REFRESH_ZONES,
  SET_ZONES,
  type StaleZone,
  type ZoneTimes,
} from './campaign-zones.sql';

export type { StaleZone, ZoneTimes };

@Injectable()
export class CampaignZonesRepository {
  constructor(private readonly database: Database) {}

  async add(campaignId: string, zones: string[], transaction: Transaction): Promise<void> {
    await transaction.query(ADD_ZONES, { campaignId, zones });
  }

  async find(campaignId: string, transaction: Transaction): Promise<string[]> {
    return (await transaction.query(FIND_ZONES, { campaignId })).map(({ timezone }) => timezone);
  }

  async set(campaignId: string, zones: ZoneTimes[], transaction: Transaction): Promise<void> {
    await transaction.query(SET_ZONES, { campaignId, zones: jsonRows(zones) });
  }

  findStale(): Promise<StaleZone[]> {
    return this.database.query(FIND_STALE_ZONES, {});
  }

  async refresh(zones: (StaleZone & ZoneTimes)[]): Promise<void> {
    await this.database.query(REFRESH_ZONES, { zones: jsonRows(zones) });
  }
}

import { type JsonRows, statement } from '../../../platform/database/statement';
import { CAMPAIGN_STATUS } from './campaign-status';
import type { CampaignZone } from './campaign-zone.entity';
import type { Campaign } from './campaign.entity';

/** Adds the zones of a new campaign; '' is the zone of the campaign itself. */
export const ADD_ZONES = statement<{ campaignId: string; zones: string[] }>(
  'add-campaign-zones',
  `INSERT INTO campaign_zones (campaign_id, timezone)
   SELECT $campaignId, zone FROM unnest($zones::text[]) AS zone ON CONFLICT DO NOTHING`,
);

export const FIND_ZONES = statement<{ campaignId: string }, Pick<CampaignZone, 'timezone'>>(
  'find-campaign-zones',
  'SELECT timezone FROM campaign_zones WHERE campaign_id = $campaignId',
);

/** The times of a window. null: it has no end */
export interface ZoneTimes {
  timezone: string;
  opensAt: Date | null;
  closesAt: Date | null;
}

export const SET_ZONES = statement<{ campaignId: string; zones: JsonRows<ZoneTimes> }>(
  'set-campaign-zones',
  `
    UPDATE campaign_zones AS known
    SET opens_at = COALESCE(zone."opensAt", '-infinity'), closes_at = COALESCE(zone."closesAt", 'infinity')
    FROM json_to_recordset($zones::json) AS zone (timezone text, "opensAt" timestamptz, "closesAt" timestamptz)
    WHERE known.campaign_id = $campaignId AND known.timezone = zone.timezone`,
);

export interface StaleZone extends Pick<Campaign, 'windows'> {
  campaignId: string;
  /** The zone as it is stored: '' is the zone of the campaign. */
  timezone: string;
  /** The name of the zone. */
  zone: string;
}

/**
 * Finds the zones whose window is over, of campaigns that call. The others compute their windows when they begin
 * or go on.
 */
export const FIND_STALE_ZONES = statement<object, StaleZone>(
  'find-stale-zones',
  `
    SELECT campaigns.id AS "campaignId", zones.timezone, COALESCE(NULLIF(zones.timezone, ''), campaigns.timezone) AS zone,
           windows
    FROM campaigns JOIN campaign_zones AS zones ON zones.campaign_id = campaigns.id
    WHERE NOT campaigns.is_over AND campaigns.status = '${CAMPAIGN_STATUS.running}' AND zones.closes_at <= now() AND windows <> '[]'
    LIMIT 1000`,
);

/**
 * Stores the next windows of the zones that are still stale, if the campaign's windows are still those for which
 * the times were computed. It leaves out a zone that another transaction changes.
 */
export const REFRESH_ZONES = statement<{
  zones: JsonRows<ZoneTimes & Pick<StaleZone, 'campaignId' | 'windows' | 'zone'>>;
}>(
  'refresh-campaign-zones',
  `
    WITH zone AS MATERIALIZED (
      SELECT zone.* FROM json_to_recordset($zones::json) AS zone (
        "campaignId" uuid, timezone text, zone text, windows jsonb, "opensAt" timestamptz, "closesAt" timestamptz)
    ), locked AS MATERIALIZED (
      SELECT known.campaign_id, known.timezone
      FROM campaign_zones AS known
      JOIN zone ON known.campaign_id = zone."campaignId" AND known.timezone = zone.timezone
      WHERE known.closes_at <= now()
      FOR NO KEY UPDATE OF known SKIP LOCKED
    )
    UPDATE campaign_zones AS known SET opens_at = zone."opensAt", closes_at = zone."closesAt"
    FROM locked JOIN zone ON locked.campaign_id = zone."campaignId" AND locked.timezone = zone.timezone
    JOIN campaigns ON campaigns.id = zone."campaignId" AND campaigns.windows = zone.windows
      AND COALESCE(NULLIF(zone.timezone, ''), campaigns.timezone) = zone.zone
    WHERE known.campaign_id = locked.campaign_id AND known.timezone = locked.timezone`,
);

import { isListed } from '../../do-not-call/is-listed.sql';
import { statement } from '../../../platform/database/statement';
import { countFreeCalls, SAVED_FROM } from '../plan/campaign-state.sql';
import type { CampaignRecipient } from './campaign-recipient.entity';
import { RECIPIENT_STATUS } from '../plan/campaign-status';

export type NextRecipient = Pick<
  CampaignRecipient,
  'phoneNumber' | 'customerName' | 'dynamicVariables' | 'attempts'
> & {
  /** Whether the number is on the do-not-call list. */
  isListed: boolean;
  /** The end of the zone's window or of the campaign; null: never. */
  notAfter: Date | null;
};

export interface NextRecipients {
  campaignId: string;
  workspaceId: string;
  limit: number;
  /** The number of calls in progress of a campaign that sets none. */
  campaignConcurrency: number;
}

/** The size of the variables of one batch, as they are stored. A batch has at least one recipient. */
const MAX_STORED_BYTES = 256 * 1024;

const COLUMNS =
  'row_number, phone_number, customer_name, dynamic_variables, attempts, status, next_attempt_at, timezone';

/**
 * SQL: the recipients of open zones, as many as are needed: the zones are read one after the other, by an index
 * that has the order of each.
 */
const ofOpenZones = (status: string, order: string, limit: string) => `
  SELECT recipient.*, open.closes_at
  FROM open CROSS JOIN LATERAL (
    SELECT ${COLUMNS} FROM campaign_recipients
    WHERE campaign_id = $campaignId AND timezone = open.timezone AND status = '${status}'
      ${status === RECIPIENT_STATUS.retrying ? 'AND next_attempt_at <= now()' : ''}
    ORDER BY ${order} LIMIT ${limit}) AS recipient
  LIMIT ${limit}`;

/**
 * SQL: the number of calls that the campaign may start. No row means that it has expired; a LIMIT of null would be
 * no limit.
 */
const ROOM = 'COALESCE((SELECT room FROM campaign), 0)';

/**
 * Finds the recipients that may be called now: retries that are due, then the others; of the zone whose window
 * closes first, then of the next one. It requires the campaign's lock.
 */
export const NEXT_RECIPIENTS = statement<NextRecipients, NextRecipient>(
  'next-campaign-recipients',
  `
    WITH campaign AS MATERIALIZED (
      SELECT LEAST($limit, ${countFreeCalls('$campaignConcurrency')}) AS room, expires_at FROM campaigns
      WHERE id = $campaignId AND (expires_at IS NULL OR expires_at > now())
    ), open AS MATERIALIZED (
      SELECT timezone, closes_at FROM campaign_zones
      WHERE campaign_id = $campaignId AND opens_at <= now() AND closes_at > now() ORDER BY closes_at, timezone
    ), due AS MATERIALIZED (
      ${ofOpenZones(RECIPIENT_STATUS.retrying, 'next_attempt_at', ROOM)}
    ), pending AS MATERIALIZED (
      ${ofOpenZones(RECIPIENT_STATUS.pending, 'row_number', `(${ROOM} - (SELECT count(*) FROM due))`)}
    ), next AS (
      SELECT *, row_number() OVER (ORDER BY status DESC, closes_at, timezone, next_attempt_at, row_number) AS place
      FROM (SELECT * FROM due UNION ALL SELECT * FROM pending) AS next
    ), sized AS (
      SELECT *, sum(pg_column_size(dynamic_variables)) OVER (ORDER BY place ROWS UNBOUNDED PRECEDING)
                - pg_column_size(dynamic_variables) AS bytes_before
      FROM next
    )
    SELECT phone_number AS "phoneNumber", customer_name AS "customerName", dynamic_variables AS "dynamicVariables",
           attempts, ${isListed('$workspaceId::uuid', 'sized.phone_number')} AS "isListed",
           NULLIF(LEAST(closes_at, (SELECT expires_at FROM campaign)), 'infinity') AS "notAfter"
    FROM sized WHERE bytes_before < ${MAX_STORED_BYTES} AND ${ROOM} > 0 ORDER BY place`,
);

/** Subtracts calls from the rate. Unused rate is lost after seconds, as `FREE_RATE` says. */
export const USE_RATE = statement<{ campaignId: string; calls: number }>(
  'use-campaign-rate',
  `
    UPDATE campaigns SET paced_until = GREATEST(paced_until, ${SAVED_FROM})
                                       + $calls::int / calls_per_second * interval '1 second'
    WHERE id = $campaignId AND calls_per_second IS NOT NULL`,
);

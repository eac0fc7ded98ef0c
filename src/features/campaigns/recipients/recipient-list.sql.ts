import { TAKES_CALLS } from '../../agents/active-version.sql';
import { STATUS } from '../../calls/model/call-states';
import { statement, unpreparedStatement } from '../../../platform/database/statement';
import { isListed } from '../../do-not-call/is-listed.sql';
import type { CampaignRecipient } from './campaign-recipient.entity';
import { HAS_LIVE_CALL, liveProgress } from './campaign-progress.sql';
import {
  CAMPAIGN_STATUS,
  type ContactResult,
  type ProgressKey,
  RECIPIENT_STATUS,
} from '../plan/campaign-status';
import { IS_NUMBER } from './personal-data.sql';
import { getOutcome, getResult } from './recipient-moves.sql';
import type { WaitFacts } from './recipient-wait';

export interface ListedRecipient extends Pick<
  CampaignRecipient,
  'phoneNumber' | 'customerName' | 'attempts' | 'nextAttemptAt' | 'skipped'
> {
  progress: ProgressKey;
  lastCallId: string | null;
  outcome: string | null;
  result: ContactResult | null;
}

export interface RecipientFilter {
  campaignId: string;
  /** null: all */
  progress: ProgressKey | null;
  /** null: all */
  result: ContactResult | null;
  /** A LIKE pattern for the number or the name. null: all */
  search: string | null;
  /** The numbers that a search has found, as Postgres writes an array. null: all */
  numbers: string | null;
}

/** SQL: whether a stored status can be the shown one. `calling` and `lost` can each be shown as several. */
const COULD_BE = `
  (recipient.status = $progress OR ${HAS_LIVE_CALL})`;

/** SQL: the progress of a recipient as it is shown. */
const SHOWN = `
  JOIN campaigns ON campaigns.id = recipient.campaign_id
  LEFT JOIN conversations AS call ON call.id = recipient.conversation_id AND ${HAS_LIVE_CALL}
  CROSS JOIN LATERAL (
    SELECT CASE WHEN ${HAS_LIVE_CALL} THEN ${liveProgress} ELSE recipient.status END AS progress) AS shown`;

const MATCHES = `
  FROM campaign_recipients AS recipient ${SHOWN}
  WHERE recipient.campaign_id = $campaignId
    AND ($progress::text IS NULL OR ${COULD_BE} AND shown.progress = $progress)
    AND ($result::text IS NULL OR shown.progress = '${STATUS.disconnected}' AND $result = (
      SELECT ${getResult('last.disconnect_reason')} FROM conversations AS last WHERE last.id = recipient.conversation_id))
    AND ($numbers::text[] IS NULL OR recipient.phone_number = ANY ($numbers::text[]))
    AND ($search::text IS NULL OR (recipient.phone_number LIKE $search AND ${IS_NUMBER}) OR recipient.customer_name ILIKE $search)`;

/** SQL: whether the last call was no attempt, and the runner has not settled it yet. */
const IS_NO_ATTEMPT = `(page.status = '${RECIPIENT_STATUS.calling}' AND progress = '${RECIPIENT_STATUS.pending}')`;

/** SQL: the columns of recipients that are shown. */
const COLUMNS = `
  page.phone_number AS "phoneNumber", customer_name AS "customerName", progress,
         (attempts - ${IS_NO_ATTEMPT}::int)::smallint AS attempts, skipped, last.id AS "lastCallId", ${getOutcome('last')} AS outcome,
         CASE WHEN progress = '${STATUS.disconnected}' AND last.id IS NOT NULL
              THEN ${getResult('last.disconnect_reason')} END AS result,
         CASE WHEN page.status IN ('${RECIPIENT_STATUS.pending}', '${RECIPIENT_STATUS.retrying}')
              THEN NULLIF(GREATEST(next_attempt_at, CASE WHEN zone.opens_at > now() THEN zone.opens_at END), 'infinity')
         END AS "nextAttemptAt"`;

const FROM_PAGE = `
  FROM page
  LEFT JOIN conversations AS last ON last.id = page.conversation_id AND NOT ${IS_NO_ATTEMPT}
  LEFT JOIN campaign_zones AS zone ON zone.campaign_id = page.campaign_id AND zone.timezone = page.timezone`;

/** SQL: a page of recipients by their number, which is the order of the primary key. */
const page = (place: string) => `
  WITH page AS MATERIALIZED (SELECT recipient.*, shown.progress ${MATCHES} ${place})
  SELECT ${COLUMNS} ${FROM_PAGE} ORDER BY page.phone_number`;

/** Lists recipients. The statement is not prepared, so that Postgres plans it for the given values. */
export const LIST_RECIPIENTS = unpreparedStatement<
  RecipientFilter & { offset: number; limit: number },
  ListedRecipient
>('list-recipients', page('ORDER BY recipient.phone_number OFFSET $offset LIMIT $limit'));

export const COUNT_RECIPIENTS = unpreparedStatement<RecipientFilter, { total: number }>(
  'count-recipients',
  `SELECT count(*)::int AS total ${MATCHES}`,
);

/**
 * The number of recipients that a batch of an export reads, so that each statement is short however few of them
 * match.
 */
const MAX_READ = 1_000;

/**
 * Finds the last number of the batch after a number ('' is before all); null: there are no more. It goes from
 * number to number by the index: Postgres has no statistics of a new campaign, and would read and sort all of its
 * recipients for a LIMIT.
 */
export const FIND_END_OF_BATCH = unpreparedStatement<
  { campaignId: string; after: string },
  { end: string | null }
>(
  'find-end-of-recipient-batch',
  `
    WITH RECURSIVE batch AS (
      SELECT $after::text AS phone_number, 0 AS place
      UNION ALL
      SELECT next.phone_number, place + 1
      FROM batch CROSS JOIN LATERAL (
        SELECT recipient.phone_number FROM campaign_recipients AS recipient
        WHERE recipient.campaign_id = $campaignId AND recipient.phone_number > batch.phone_number
        ORDER BY recipient.phone_number LIMIT 1
      ) AS next
      WHERE place < ${MAX_READ}
    )
    SELECT max(phone_number) FILTER (WHERE place > 0) AS "end" FROM batch`,
);

/** Reads the recipients of a batch that match. */
export const READ_BATCH = unpreparedStatement<
  RecipientFilter & { after: string; end: string },
  ListedRecipient
>('read-recipient-batch', page('AND recipient.phone_number > $after AND recipient.phone_number <= $end'));

export interface FoundRecipient extends ListedRecipient, WaitFacts {
  campaignId: string;
  campaignName: string;
  /** IANA name */
  timezone: string;
}

const later = (time: string) => `CASE WHEN ${time} > now() THEN NULLIF(${time}, 'infinity') END`;

/**
 * Finds recipients with all that decides on when they are called, those of the newest campaign first. The window of
 * a campaign that does not run is not kept up to date: one that is over says nothing. Each number is
 * one of the campaign at the same place.
 */
export const FIND_RECIPIENTS = statement<
  { workspaceId: string; campaignIds: string[]; numbers: string[] },
  FoundRecipient
>(
  'find-recipients',
  `
    WITH page AS MATERIALIZED (
      SELECT recipient.*, shown.progress
      FROM unnest($campaignIds::uuid[], $numbers::text[]) AS wanted (campaign_id, phone_number)
      JOIN campaign_recipients AS recipient USING (campaign_id, phone_number) ${SHOWN}
      WHERE campaigns.workspace_id = $workspaceId
    )
    SELECT ${COLUMNS}, campaigns.id AS "campaignId", campaigns.name AS "campaignName", campaigns.timezone,
           campaigns.status AS "campaignStatus",
           page.status IN ('${RECIPIENT_STATUS.pending}', '${RECIPIENT_STATUS.retrying}') AS "isWaiting",
           ${isListed('campaigns.workspace_id', 'page.phone_number')} AS "isListed",
           COALESCE(campaigns.expires_at <= now(), false) AS "hasExpired",
           ${later('campaigns.schedule_time')} AS "scheduleTime",
           ${later('page.next_attempt_at')} AS "retryAt",
           COALESCE(zone.opens_at > now() OR zone.closes_at <= now() AND campaigns.status = '${CAMPAIGN_STATUS.running}', false)
             AS "isOutsideWindow",
           ${later('zone.opens_at')} AS "opensAt", NOT ${TAKES_CALLS} AS "isAgentOff"
    ${FROM_PAGE}
    JOIN campaigns ON campaigns.id = page.campaign_id
    JOIN agents ON agents.id = campaigns.agent_id
    ORDER BY campaigns.created_at DESC, campaigns.id DESC, page.phone_number`,
);

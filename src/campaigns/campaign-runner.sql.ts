import { mayStartCall } from '../calls/start-call.sql';
import type { Statement } from '../database/sql';

const UNDER_WAY = `('queued', 'accepted', 'connected')`;

/** How many calls of a campaign have not ended. */
const callsUnderWay = (campaign: string) =>
  `(SELECT count(*) FROM conversations WHERE campaign_id = ${campaign} AND status IN ${UNDER_WAY})`;

/**
 * Whether a campaign has recipients without a call. In order and limited, so that Postgres takes the index whatever its
 * statistics say: an EXISTS became a scan of all recipients of all workspaces.
 */
export const hasRecipientsToCall = (campaign: string) => `((
  SELECT true FROM campaign_recipients WHERE campaign_id = ${campaign} AND conversation_id IS NULL
  ORDER BY campaign_id, row_number LIMIT 1) IS NOT NULL)`;

export const RUN_DUE: Statement = {
  name: 'run-due-campaigns',
  text: `
    UPDATE campaigns SET status = 'running', updated_at = now()
    WHERE status = 'scheduled' AND schedule_time <= now()
    RETURNING id`,
};

/** Those who wait for recipients no longer, and for no call. */
export const COMPLETE_ENDED: Statement = {
  name: 'complete-ended-campaigns',
  text: `
    UPDATE campaigns SET status = 'completed', updated_at = now()
    WHERE status = 'running' AND NOT ${hasRecipientsToCall('campaigns.id')} AND ${callsUnderWay('campaigns.id')} = 0
    RETURNING id`,
};

/**
 * $1 how many calls of a campaign may be under way, $2 how many of a workspace by default. While its workspace may start
 * no call or its agent is off, a campaign waits. The first campaign of each workspace comes before the second of any.
 */
export const FIND_STARTABLE: Statement = {
  name: 'find-startable-campaigns',
  text: `
    SELECT campaigns.id
    FROM campaigns
    JOIN agents ON agents.id = campaigns.agent_id
    JOIN workspaces ON workspaces.id = campaigns.workspace_id
    WHERE campaigns.status = 'running' AND agents.status AND agents.deleted_at IS NULL
      AND ${mayStartCall('$2')}
      AND ${hasRecipientsToCall('campaigns.id')} AND ${callsUnderWay('campaigns.id')} < $1
    ORDER BY row_number() OVER (PARTITION BY campaigns.workspace_id ORDER BY schedule_time, campaigns.id),
             schedule_time, campaigns.id`,
};

/** $1 campaign. One runner at a time starts its calls, so that they can be counted; another one passes it over. */
export const LOCK_CAMPAIGN: Statement = {
  name: 'lock-campaign',
  text: `
    SELECT id, workspace_id AS "workspaceId", agent_id AS "agentId", user_id AS "userId"
    FROM campaigns WHERE id = $1 AND status = 'running' FOR UPDATE SKIP LOCKED`,
};

/** $1 campaign, $2 how many at most, $3 how many calls may be under way; under the campaign's lock. */
export const NEXT_RECIPIENTS: Statement = {
  name: 'next-campaign-recipients',
  text: `
    SELECT phone_number AS "phoneNumber", customer_name AS "customerName", dynamic_variables AS "dynamicVariables"
    FROM campaign_recipients WHERE campaign_id = $1 AND conversation_id IS NULL
    ORDER BY row_number
    LIMIT LEAST($2, GREATEST(0, $3 - ${callsUnderWay('$1')}))`,
};

/** $1 campaign, $2 numbers, $3 their conversations. */
export const MARK_CALLED: Statement = {
  name: 'mark-recipients-called',
  text: `
    UPDATE campaign_recipients SET conversation_id = called.conversation_id
    FROM unnest($2::text[], $3::uuid[]) AS called (phone_number, conversation_id)
    WHERE campaign_id = $1 AND campaign_recipients.phone_number = called.phone_number
      AND campaign_recipients.conversation_id IS NULL
    RETURNING campaign_recipients.phone_number`,
};

import type { Statement } from '../database/sql';

/** $1 workspace, $2 campaign. */
export const COUNT_CALLS: Statement = {
  name: 'count-campaign-calls',
  text: `
    SELECT conversations.status, count(*)::int AS count
    FROM campaigns JOIN conversations ON conversations.campaign_id = campaigns.id
    WHERE campaigns.workspace_id = $1 AND campaigns.id = $2
    GROUP BY conversations.status`,
};

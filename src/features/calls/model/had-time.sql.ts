/** The longest lease, and the pause in which servers listen for heartbeats after an outage, are shorter. */
export const LONG_ENOUGH = `interval '1 hour'`;

/**
 * SQL: whether servers have worked for an hour since they had to do something: a call that was claimed an hour after that
 * time, and an hour ago, was connected. Servers that were off, or without their broker, are not late.
 * @param due SQL: the time
 */
export const hadTimeSince = (due: string) => `
  ${due} < (
    SELECT max(latest.accepted_at) - ${LONG_ENOUGH}
    FROM workspaces CROSS JOIN LATERAL (
      SELECT accepted_at FROM conversations
      WHERE workspace_id = workspaces.id AND created_at > now() - interval '1 day'
        AND created_at < now() - ${LONG_ENOUGH} AND accepted_at < now() - ${LONG_ENOUGH} AND connected_at IS NOT NULL
      ORDER BY created_at DESC LIMIT 1) AS latest)`;

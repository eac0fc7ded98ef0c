import type { CallCredentialStatements } from '../../../accounts/auth/call-credentials.sql';
import { statement } from '../../../platform/database/statement';
import { CREDENTIAL_HOURS } from '../model/call-credential';

/** The columns of calls, or of what runtimes know as calls, that their credentials depend on. */
export const CREDENTIAL_COLUMNS =
  'id, token, workspace_id, agent_id, agent_version, user_id, status, accepted_at, ended_at';

/**
 * Finds the valid credentials of calls. A revocation of all tokens of the workspace ends them, too. An erased call
 * has no token.
 * @param others SQL: the {@link CREDENTIAL_COLUMNS} of what else runtimes know as calls, for `$ids`
 */
export const findCallCredentials = (others: string): CallCredentialStatements['find'] =>
  statement(
    'find-call-credentials',
    `
    SELECT call.id, call.token, call.workspace_id AS "workspaceId", call.agent_id AS "agentId",
           call.agent_version AS "agentVersion", call.user_id AS "userId",
           CASE WHEN call.ended_at IS NOT NULL THEN call.status END AS "endedAs",
           credential.expires_at AS "expiresAt", suspended_at IS NOT NULL AS "isSuspended",
           quotas_requests_per_minute AS "requestsPerMinute"
    FROM (
      SELECT ${CREDENTIAL_COLUMNS} FROM conversations WHERE id = ANY ($ids) UNION ALL ${others}
    ) AS call
    JOIN workspaces AS workspace ON workspace.id = call.workspace_id
    CROSS JOIN LATERAL (
      SELECT LEAST(call.accepted_at + interval '${CREDENTIAL_HOURS} hours', call.ended_at + interval '1 hour') AS expires_at
    ) AS credential
    WHERE call.token IS NOT NULL AND credential.expires_at > now()
      AND (tokens_not_before IS NULL OR call.accepted_at >= tokens_not_before)`,
  );

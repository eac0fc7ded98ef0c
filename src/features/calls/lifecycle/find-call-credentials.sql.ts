import type { CallCredentialStatements } from '../../../accounts/auth/call-credentials.sql';
import { statement } from '../../../platform/database/statement';
import { CREDENTIAL_HOURS } from '../model/call-credential';

/**
 * Finds the valid credentials of calls. A revocation of all tokens of the workspace ends them, too. An erased call
 * has no token.
 */
export const FIND_CALL_CREDENTIALS: CallCredentialStatements['find'] = statement(
  'find-call-credentials',
  `
    SELECT call.id, call.token, call.workspace_id AS "workspaceId", call.agent_id AS "agentId",
           call.agent_version AS "agentVersion", call.user_id AS "userId",
           CASE WHEN call.ended_at IS NOT NULL THEN call.status END AS "endedAs",
           credential.expires_at AS "expiresAt", suspended_at IS NOT NULL AS "isSuspended",
           quotas_requests_per_minute AS "requestsPerMinute"
    FROM conversations AS call
    JOIN workspaces AS workspace ON workspace.id = call.workspace_id
    CROSS JOIN LATERAL (
      SELECT LEAST(call.accepted_at + interval '${CREDENTIAL_HOURS} hours', call.ended_at + interval '1 hour') AS expires_at
    ) AS credential
    WHERE call.id = ANY ($ids) AND call.token IS NOT NULL AND credential.expires_at > now()
      AND (tokens_not_before IS NULL OR call.accepted_at >= tokens_not_before)`,
);

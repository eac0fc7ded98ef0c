import { statement } from '../../platform/database/statement';
import type { WebhookSecret } from './webhook-secret.entity';

/** The secrets that are valid now. */
export type ValidSecrets = Pick<WebhookSecret, 'secret' | 'previousSecret' | 'previousExpiresAt'>;

export const FIND_SECRETS = statement<{ workspaceId: string }, ValidSecrets>(
  'find-webhook-secrets',
  `
    SELECT secret, CASE WHEN previous_expires_at > now() THEN previous_secret END AS "previousSecret",
           CASE WHEN previous_expires_at > now() THEN previous_expires_at END AS "previousExpiresAt"
    FROM webhook_secrets WHERE workspace_id = $workspaceId`,
);

export const INSERT_FIRST_SECRET = statement<{ workspaceId: string; secret: string }>(
  'insert-first-webhook-secret',
  `INSERT INTO webhook_secrets (workspace_id, secret) VALUES ($workspaceId, $secret) ON CONFLICT DO NOTHING`,
);

export const ROTATE_SECRET = statement<{ workspaceId: string; secret: string; overlapHours: number }>(
  'rotate-webhook-secret',
  `
    UPDATE webhook_secrets SET secret = $secret,
           previous_secret = CASE WHEN $overlapHours::int > 0 THEN secret END,
           previous_expires_at = CASE WHEN $overlapHours::int > 0 THEN now() + $overlapHours::int * interval '1 hour' END
    WHERE workspace_id = $workspaceId`,
);

export const DELETE_EXPIRED_SECRETS = statement(
  'delete-expired-webhook-secrets',
  `
    UPDATE webhook_secrets SET previous_secret = NULL, previous_expires_at = NULL
    WHERE previous_expires_at <= now()`,
);

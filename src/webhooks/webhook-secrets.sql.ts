import type { Statement } from '../database/sql';

export interface Secrets {
  secret: string;
  previousSecret: string | null;
  previousExpiresAt: Date | null;
}

/** $1 workspace. A previous secret that has expired is none. */
export const FIND_SECRETS: Statement = {
  name: 'find-webhook-secrets',
  text: `
    SELECT secret, CASE WHEN previous_expires_at > now() THEN previous_secret END AS "previousSecret",
           CASE WHEN previous_expires_at > now() THEN previous_expires_at END AS "previousExpiresAt"
    FROM webhook_secrets WHERE workspace_id = $1`,
};

/** $1 workspace, $2 secret. Of two who add one at once, the first has added it. */
export const ADD_SECRET: Statement = {
  name: 'add-webhook-secret',
  text: `INSERT INTO webhook_secrets (workspace_id, secret) VALUES ($1, $2) ON CONFLICT DO NOTHING`,
};

/** $1 workspace, $2 secret, $3 hours for which the one so far stays valid. The one before that is forgotten. */
export const ROTATE_SECRET: Statement = {
  name: 'rotate-webhook-secret',
  text: `
    UPDATE webhook_secrets SET secret = $2,
           previous_secret = CASE WHEN $3::int > 0 THEN secret END,
           previous_expires_at = CASE WHEN $3::int > 0 THEN now() + $3::int * interval '1 hour' END
    WHERE workspace_id = $1`,
};

export const FORGET_EXPIRED_SECRETS: Statement = {
  name: 'forget-expired-webhook-secrets',
  text: `
    UPDATE webhook_secrets SET previous_secret = NULL, previous_expires_at = NULL
    WHERE previous_expires_at <= now()`,
};

import { statement } from '../../platform/database/statement';
import type { WebhookSecret } from './webhook-secret.entity';

/** The secrets that are valid now. */
export type ValidSecrets = Pick<WebhookSecret, 'secret' | 'previousSecret' | 'previousExpiresAt'>;

/** The endpoint is one of the workspace. */
interface Endpoint {
  workspaceId: string;
  endpointId: string;
}

interface Source {
  table: string;
  row: string;
}

const WORKSPACE: Source = { table: 'webhook_secrets', row: 'workspace_id = $workspaceId' };
const ENDPOINT: Source = {
  table: 'webhook_endpoints',
  row: 'workspace_id = $workspaceId AND id = $endpointId',
};

const findSecrets = ({ table, row }: Source) => `
    SELECT secret, CASE WHEN previous_expires_at > now() THEN previous_secret END AS "previousSecret",
           CASE WHEN previous_expires_at > now() THEN previous_expires_at END AS "previousExpiresAt"
    FROM ${table} WHERE ${row}`;

const rotateSecret = ({ table, row }: Source) => `
    UPDATE ${table} SET secret = $secret,
           previous_secret = CASE WHEN $overlapHours::int > 0 THEN secret END,
           previous_expires_at = CASE WHEN $overlapHours::int > 0 THEN now() + $overlapHours::int * interval '1 hour' END
    WHERE ${row}`;

const deleteExpired = ({ table }: Source) => `
    UPDATE ${table} SET previous_secret = NULL, previous_expires_at = NULL
    WHERE previous_expires_at <= now()`;

export const FIND_SECRETS = statement<{ workspaceId: string }, ValidSecrets>(
  'find-webhook-secrets',
  findSecrets(WORKSPACE),
);

export const FIND_ENDPOINT_SECRETS = statement<Endpoint, ValidSecrets>(
  'find-webhook-endpoint-secrets',
  findSecrets(ENDPOINT),
);

export const INSERT_FIRST_SECRET = statement<{ workspaceId: string; secret: string }>(
  'insert-first-webhook-secret',
  `INSERT INTO webhook_secrets (workspace_id, secret) VALUES ($workspaceId, $secret) ON CONFLICT DO NOTHING`,
);

interface NewSecret {
  secret: string;
  overlapHours: number;
}

export const ROTATE_SECRET = statement<NewSecret & { workspaceId: string }>(
  'rotate-webhook-secret',
  rotateSecret(WORKSPACE),
);

export const ROTATE_ENDPOINT_SECRET = statement<NewSecret & Endpoint>(
  'rotate-webhook-endpoint-secret',
  rotateSecret(ENDPOINT),
);

export const DELETE_EXPIRED_SECRETS = statement('delete-expired-webhook-secrets', deleteExpired(WORKSPACE));

export const DELETE_EXPIRED_ENDPOINT_SECRETS = statement(
  'delete-expired-webhook-endpoint-secrets',
  deleteExpired(ENDPOINT),
);

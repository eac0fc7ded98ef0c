import { ApiKeysService } from '../auth/api-keys.service';
import { MAX_TOKEN_SECONDS, SCOPE } from '../auth/auth.dto';
import { TokensService } from '../auth/tokens.service';
import { scopeOf } from '../http/access';
import { parseDateTime } from '../validation/date-time';
import { WorkspacesService } from '../workspaces/workspaces.service';
import { command, required, text, texts, UsageError, wholeNumber, workspaceFrom } from './command';

function scopesFrom(values: string[] | undefined): string[] | undefined {
  const wrong = values?.find((scope) => !SCOPE.matches.test(scope));
  if (wrong !== undefined) throw new UsageError(`--scope must be ${scopeOf('<agent_id>')}, not ${wrong}.`);
  return values;
}

function expiryFrom(value: string | undefined): Date | undefined {
  const expires = value === undefined ? undefined : parseDateTime(value);
  if (value !== undefined && !expires) throw new UsageError('--expires must be an ISO 8601 date-time.');
  return expires;
}

function lifetimeFrom(value: string): number {
  const seconds = wholeNumber(value, 'expires-in');
  if (seconds < 1 || seconds > MAX_TOKEN_SECONDS) {
    throw new UsageError(`--expires-in must be from 1 to ${MAX_TOKEN_SECONDS} seconds.`);
  }
  return seconds;
}

export const credentialCommands = {
  'key create': command({
    usage: '--workspace ID [--scope agent:ID ...] [--expires ISO-TIME]',
    summary: 'Creates an API key. A scope limits it to an agent.',
    options: { workspace: text, scope: texts, expires: text },
    run: async (values, services) => {
      const workspaceId = required(values.workspace, 'workspace');
      const limits = { scope: scopesFrom(values.scope), expires: expiryFrom(values.expires) };
      const userId = await services(WorkspacesService).ownerOf(workspaceId);
      return services(ApiKeysService).create(workspaceId, userId, limits);
    },
  }),

  'key list': command({
    usage: '--workspace ID',
    summary: 'Lists the API keys of a workspace.',
    options: { workspace: text },
    run: async (values, services) => {
      const workspaceId = await workspaceFrom(values, services);
      return { keys: await services(ApiKeysService).listAll(workspaceId) };
    },
  }),

  'key revoke': command({
    usage: '--key ID',
    summary: 'Revokes an API key, and all keys and tokens that were created with it.',
    options: { key: text },
    run: async (values, services) => {
      const keyId = required(values.key, 'key');
      await services(ApiKeysService).revokeAnywhere(keyId);
      return { keyId, revoked: true };
    },
  }),

  'token create': command({
    usage: '--workspace ID [--user ID] [--scope agent:ID ...] [--expires-in SECONDS]',
    summary: 'Issues a bearer token, which is valid for 3600 seconds unless set.',
    options: { workspace: text, user: text, scope: texts, 'expires-in': text },
    run: async (values, services) => {
      const workspaceId = required(values.workspace, 'workspace');
      const limits = {
        scope: scopesFrom(values.scope),
        expiresIn: lifetimeFrom(values['expires-in'] ?? '3600'),
      };
      const owner = await services(WorkspacesService).ownerOf(workspaceId);
      return services(TokensService).issue(workspaceId, values.user || owner, limits);
    },
  }),

  'token revoke-all': command({
    usage: '--workspace ID',
    summary: 'Revokes all tokens of a workspace.',
    options: { workspace: text },
    run: async (values, services) => {
      const workspaceId = await workspaceFrom(values, services);
      const { tokensNotBefore } = await services(TokensService).revokeAll(workspaceId);
      return { workspaceId, tokensNotBefore };
    },
  }),
};

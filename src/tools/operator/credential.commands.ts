import { ApiKeysService } from '../../accounts/auth/api-keys.service';
import { MAX_CALLS_PER_DAY, MAX_KEY_NAME, MAX_TOKEN_SECONDS, SCOPE } from '../../accounts/auth/auth.dto';
import { type IssuedToken, TokensService } from '../../accounts/auth/tokens.service';
import { MCP_ACT_SCOPE } from '../../config';
import { parseDateTime } from '../../platform/validation/date-time';
import { WorkspacesService } from '../../accounts/workspaces/workspaces.service';
import { audited } from './audited';
import { command, nameFrom, required, text, texts, UsageError, wholeNumber, workspaceFrom } from './command';
import { createKey } from './create-workspace';

function scopesFrom(values: string[] | undefined): string[] | undefined {
  const wrong = values?.find((scope) => !SCOPE.matches.test(scope));
  if (wrong !== undefined) throw new UsageError(`--scope ${SCOPE.message}, not ${wrong}.`);
  return values;
}

function expiryFrom(value: string | undefined): Date | undefined {
  const expires = value === undefined ? undefined : parseDateTime(value);
  if (value !== undefined && !expires) throw new UsageError('--expires must be an ISO 8601 date-time.');
  return expires;
}

function capFrom(value: string | undefined, scope: string[] | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (!scope?.includes(MCP_ACT_SCOPE))
    throw new UsageError(`--calls-per-day needs --scope ${MCP_ACT_SCOPE}.`);
  const calls = wholeNumber(value, 'calls-per-day');
  if (calls < 1 || calls > MAX_CALLS_PER_DAY) {
    throw new UsageError(`--calls-per-day must be from 1 to ${MAX_CALLS_PER_DAY}.`);
  }
  return calls;
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
    usage:
      '--workspace ID [--name NAME] [--scope agent:ID|read|operate|mcp:act ...] [--calls-per-day N] [--expires ISO-TIME]',
    summary: 'Creates an API key. A scope limits it to an agent or to reading, or lets an assistant act.',
    options: { workspace: text, name: text, scope: texts, 'calls-per-day': text, expires: text },
    run: async (values, services) => {
      const workspaceId = required(values.workspace, 'workspace');
      const scope = scopesFrom(values.scope);
      const key = {
        name: nameFrom(values.name, MAX_KEY_NAME),
        scope,
        callsPerDay: capFrom(values['calls-per-day'], scope),
        expires: expiryFrom(values.expires),
      };
      const userId = await services(WorkspacesService).getOwner(workspaceId);
      return createKey({ workspaceId, userId }, key, services);
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
      const workspaceId = await services(ApiKeysService).getHolder(keyId);
      await audited(
        'api_key.revoked',
        ({ name }: { name: string }) => ({ workspaceId, id: keyId, name }),
        () => services(ApiKeysService).revoke(workspaceId, keyId),
      );
      return { keyId, revoked: true };
    },
  }),

  'token create': command({
    usage: '--workspace ID [--user ID] [--scope agent:ID|read|operate|mcp:act ...] [--expires-in SECONDS]',
    summary: 'Issues a bearer token, which is valid for 3600 seconds unless set.',
    options: { workspace: text, user: text, scope: texts, 'expires-in': text },
    run: async (values, services) => {
      const workspaceId = required(values.workspace, 'workspace');
      const limits = {
        scope: scopesFrom(values.scope),
        expiresIn: lifetimeFrom(values['expires-in'] ?? '3600'),
      };
      const owner = await services(WorkspacesService).getOwner(workspaceId);
      return audited(
        'token.issued',
        ({ tokenId }: IssuedToken) => ({ workspaceId, id: tokenId }),
        () => services(TokensService).issue(workspaceId, values.user || owner, limits),
      );
    },
  }),

  'token revoke-all': command({
    usage: '--workspace ID',
    summary: 'Revokes all tokens of a workspace.',
    options: { workspace: text },
    run: async (values, services) => {
      const workspaceId = await workspaceFrom(values, services);
      const { tokensNotBefore } = await audited('token.all_revoked', { workspaceId, id: null }, () =>
        services(TokensService).revokeAll(workspaceId),
      );
      return { workspaceId, tokensNotBefore };
    },
  }),
};

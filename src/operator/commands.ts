import type { INestApplicationContext } from '@nestjs/common';
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { isUUID } from 'class-validator';
import { DataSource } from 'typeorm';
import { ApiKey } from '../auth/api-key.entity';
import { ApiKeysService } from '../auth/api-keys.service';
import { MAX_TOKEN_SECONDS, SCOPE } from '../auth/auth.dto';
import { presentApiKey } from '../auth/auth.presenter';
import { apiKeyNotFound } from '../auth/auth.errors';
import { TokensService } from '../auth/tokens.service';
import { parseDateTime } from '../validation/date-time';
import { isE164 } from '../validation/phone-number';
import { PhoneNumbersService } from '../phone-numbers/phone-numbers.service';
import { boundsOf, QUOTA_NAMES, type QuotaName } from '../workspaces/quotas';
import { QuotasService } from '../workspaces/quotas.service';
import { SUBSCRIPTION_STATUSES } from '../workspaces/workspace.entity';
import { WorkspacesService } from '../workspaces/workspaces.service';

export const USAGE = `Usage: npm run --silent operator -- COMMAND [--json]

  workspace create --name NAME [--credits 1000] [--no-subscription]
      Creates a workspace and its first API key.
  workspace suspend --workspace ID
      Stops a workspace: it starts no calls, and its queued calls are cancelled.
  workspace resume --workspace ID
      Ends the suspension.
  key create --workspace ID [--scope agent:ID ...] [--expires ISO-TIME]
      Creates an API key. A scope limits it to an agent.
  key list --workspace ID
      Lists the API keys of a workspace.
  key revoke --key ID
      Revokes an API key, and all keys and tokens that were created with it.
  token create --workspace ID [--user ID] [--scope agent:ID ...] [--expires-in SECONDS]
      Issues a bearer token, which is valid for 3600 seconds unless set.
  token revoke-all --workspace ID
      Ends all tokens of a workspace.
  credits add --workspace ID --amount N
      Adds credits to the balance.
  subscription set --workspace ID --status active|inactive
      Sets the status of the subscription.
  quota set --workspace ID --quota NAME --value N|default
      Sets a quota, or restores the default.
  quota list --workspace ID
      Lists all quotas of a workspace and their use.
  number grant --workspace ID --number +15551234567
      Gives a phone number to a workspace.
  number release --number +15551234567
      Takes a phone number from its workspace.

Quotas: ${QUOTA_NAMES.join(', ')}.

--json prints exactly one JSON object.
`;

export class UsageError extends Error {}

type Options = NonNullable<ParseArgsConfig['options']>;

interface Run {
  asJson: boolean;
  run: (app: INestApplicationContext) => Promise<object>;
}

const text = { type: 'string' } as const;
const texts = { type: 'string', multiple: true } as const;

/** A command: its options, and what it does with their values. */
const command =
  <Shape extends Options>(
    shape: Shape,
    run: (values: Values<Shape>, app: INestApplicationContext) => Promise<object>,
  ): ((args: string[]) => Run) =>
  (args) => {
    const options = { ...shape, json: { type: 'boolean' } as const };
    let values: Values<Shape> & { json?: boolean };
    try {
      values = parseArgs({ args, options, allowNegative: true }).values;
    } catch (error) {
      throw new UsageError((error as Error).message);
    }
    return { asJson: values.json ?? false, run: (app) => run(values, app) };
  };

type Values<Shape extends Options> = {
  [Name in keyof Shape]?: Shape[Name]['type'] extends 'boolean'
    ? boolean
    : Shape[Name] extends { multiple: true }
      ? string[]
      : string;
};

const required = (value: string | undefined, name: string) => {
  if (!value) throw new UsageError(`--${name} is missing.`);
  return value;
};

const wholeNumber = (value: string, name: string) => {
  if (!/^\d{1,15}$/.test(value)) throw new UsageError(`--${name} must be a whole number.`);
  return Number(value);
};

const lifetime = (value: string) => {
  const seconds = wholeNumber(value, 'expires-in');
  if (seconds < 1 || seconds > MAX_TOKEN_SECONDS) {
    throw new UsageError(`--expires-in must be from 1 to ${MAX_TOKEN_SECONDS} seconds.`);
  }
  return seconds;
};

const scopesFrom = (values: string[] | undefined) => {
  const wrong = values?.find((scope) => !SCOPE.matches.test(scope));
  if (wrong !== undefined) throw new UsageError(`--scope must be agent:<agent_id>, not ${wrong}.`);
  return values;
};

const expiryFrom = (value: string | undefined) => {
  const expires = value === undefined ? undefined : parseDateTime(value);
  if (value !== undefined && !expires) throw new UsageError('--expires must be an ISO 8601 date-time.');
  return expires;
};

const quotaNamed = (value: string): QuotaName => {
  const name = QUOTA_NAMES.find((known) => known === value);
  if (!name) throw new UsageError(`--quota must be one of ${QUOTA_NAMES.join(', ')}.`);
  return name;
};

const limitFrom = (value: string, name: QuotaName): number | null => {
  if (value === 'default') return null;
  const { min, max } = boundsOf(name);
  const limit = /^\d{1,15}$/.test(value) ? Number(value) : NaN;
  if (!(limit >= min && limit <= max)) {
    throw new UsageError(`--value must be default, or a whole number from ${min} to ${max}.`);
  }
  return limit;
};

const numberFrom = (value: string | undefined) => {
  const number = required(value, 'number');
  if (!isE164(number)) {
    throw new UsageError('--number must be a possible number in E.164 form, such as +15551234567.');
  }
  return number;
};

async function setSuspended(id: string | undefined, suspended: boolean, app: INestApplicationContext) {
  const workspaceId = required(id, 'workspace');
  await app.get(WorkspacesService, { strict: false }).setSuspended(workspaceId, suspended);
  return { workspaceId, suspended };
}

/** By noun and verb. */
export const commands: Record<string, ((args: string[]) => Run) | undefined> = {
  'workspace create': command(
    { name: text, credits: text, subscription: { type: 'boolean' } },
    async ({ name, credits = '1000', subscription = true }, app) => {
      const workspace = await app.get(WorkspacesService, { strict: false }).create({
        name: required(name, 'name'),
        credits: wholeNumber(credits, 'credits'),
        subscribed: subscription,
      });
      const { workspaceId, userId } = workspace;
      const { apiKey } = await app.get(ApiKeysService, { strict: false }).create(workspaceId, userId);
      return { workspaceId, userId, apiKey };
    },
  ),

  'key create': command({ workspace: text, scope: texts, expires: text }, async (values, app) => {
    const workspaceId = required(values.workspace, 'workspace');
    const limits = { scope: scopesFrom(values.scope), expires: expiryFrom(values.expires) };
    const userId = await app.get(WorkspacesService, { strict: false }).ownerOf(workspaceId);
    return app.get(ApiKeysService, { strict: false }).create(workspaceId, userId, limits);
  }),

  'key list': command({ workspace: text }, async (values, app) => {
    const { id } = await app
      .get(WorkspacesService, { strict: false })
      .get(required(values.workspace, 'workspace'));
    const keys = await app.get(DataSource).manager.find(ApiKey, {
      where: { workspaceId: id },
      order: { createdAt: 'DESC', id: 'DESC' },
    });
    return { keys: keys.map(presentApiKey) };
  }),

  'key revoke': command({ key: text }, async (values, app) => {
    const keyId = required(values.key, 'key');
    const key = isUUID(keyId) ? await app.get(DataSource).manager.findOneBy(ApiKey, { id: keyId }) : null;
    if (!key) throw apiKeyNotFound();
    await app.get(ApiKeysService, { strict: false }).revoke(key.workspaceId, key.id);
    return { keyId: key.id, revoked: true };
  }),

  'token create': command(
    { workspace: text, user: text, scope: texts, 'expires-in': text },
    async (values, app) => {
      const workspaceId = required(values.workspace, 'workspace');
      const limits = {
        scope: scopesFrom(values.scope),
        expiresIn: lifetime(values['expires-in'] ?? '3600'),
      };
      const owner = await app.get(WorkspacesService, { strict: false }).ownerOf(workspaceId);
      return app.get(TokensService, { strict: false }).issue(workspaceId, values.user || owner, limits);
    },
  ),

  'token revoke-all': command({ workspace: text }, async (values, app) => {
    const { id } = await app
      .get(WorkspacesService, { strict: false })
      .get(required(values.workspace, 'workspace'));
    const { tokensNotBefore } = await app.get(TokensService, { strict: false }).revokeAll(id);
    return { workspaceId: id, tokensNotBefore };
  }),

  'credits add': command({ workspace: text, amount: text }, async (values, app) => {
    const amount = wholeNumber(required(values.amount, 'amount'), 'amount');
    return app
      .get(WorkspacesService, { strict: false })
      .addCredits(required(values.workspace, 'workspace'), amount);
  }),

  'subscription set': command({ workspace: text, status: text }, async (values, app) => {
    const workspaceId = required(values.workspace, 'workspace');
    const status = SUBSCRIPTION_STATUSES.find((known) => known === values.status);
    if (!status) throw new UsageError('--status must be active or inactive.');
    await app.get(WorkspacesService, { strict: false }).setSubscription(workspaceId, status);
    return { workspaceId, subscription: status };
  }),

  'workspace suspend': command({ workspace: text }, (values, app) =>
    setSuspended(values.workspace, true, app),
  ),

  'workspace resume': command({ workspace: text }, (values, app) =>
    setSuspended(values.workspace, false, app),
  ),

  'quota set': command({ workspace: text, quota: text, value: text }, async (values, app) => {
    const workspaceId = required(values.workspace, 'workspace');
    const quota = quotaNamed(required(values.quota, 'quota'));
    const limit = limitFrom(required(values.value, 'value'), quota);
    const quotas = app.get(QuotasService, { strict: false });
    await quotas.set(workspaceId, quota, limit);
    return { workspaceId, quota, ...(await quotas.show(workspaceId, quota)) };
  }),

  'quota list': command({ workspace: text }, (values, app) =>
    app.get(QuotasService, { strict: false }).list(required(values.workspace, 'workspace')),
  ),

  'number grant': command({ workspace: text, number: text }, async (values, app) => {
    const number = numberFrom(values.number);
    const { id } = await app
      .get(WorkspacesService, { strict: false })
      .get(required(values.workspace, 'workspace'));
    await app.get(PhoneNumbersService, { strict: false }).grant(id, number);
    return { workspaceId: id, number };
  }),

  'number release': command({ number: text }, async (values, app) => {
    const number = numberFrom(values.number);
    const workspaceId = await app.get(PhoneNumbersService, { strict: false }).revoke(number);
    return { workspaceId, number, released: true };
  }),
};

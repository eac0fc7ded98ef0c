import { ActorDto } from '../../platform/http/actor.dto';
import { AGENT_SCOPE, MCP_ACT_SCOPE, OPERATE_SCOPE, READ_SCOPE, SCOPE_WORDS } from '../../config';
import { type Credential, CREDENTIAL_KINDS, toScope } from '../../platform/http/access';
import { Example, EXAMPLE_IDS, EXAMPLE_TIME } from '../../platform/validation/example';
import {
  BooleanField,
  DateTimeField,
  IntegerField,
  NestedField,
  ObjectField,
} from '../../platform/validation/fields';
import { TextsField } from '../../platform/validation/item-fields';
import { NameField, TextField } from '../../platform/validation/text-fields';
import { type PersonRole, ROLES } from './roles';

/** The forms of a scope. */
export const SCOPE = {
  matches: new RegExp(`^(${AGENT_SCOPE}[0-9a-f-]{36}|${SCOPE_WORDS.join('|')})$`),
  message: `must be ${toScope('<agent_id>')}, ${READ_SCOPE}, ${OPERATE_SCOPE} or ${MCP_ACT_SCOPE}`,
};

export const MAX_KEY_NAME = 100;

export const MAX_CALLS_PER_DAY = 100_000;

/** A year. */
export const MAX_TOKEN_SECONDS = 31_536_000;

const ScopeField = () =>
  TextsField({
    optional: true,
    minItems: 1,
    maxItems: 100,
    pattern: SCOPE,
    description:
      `${toScope('<agent_id>')} limits the credential to agents, ${READ_SCOPE} to reading, ${OPERATE_SCOPE} to calls, ` +
      `campaigns and the do-not-call list; ${MCP_ACT_SCOPE} offers it ` +
      'the tools of `/mcp` that change something. Without any: the scope of the credential that creates it.',
  });

@Example({
  name: 'Deployment',
  scope: [toScope(EXAMPLE_IDS.agent)],
  expires: '2030-01-01T00:00:00.000Z',
})
export class CreateApiKeyDto {
  @NameField({ optional: true, max: MAX_KEY_NAME, description: 'The audit calls the key by it.' })
  name?: string;

  @ScopeField() scope?: string[];

  @IntegerField({
    optional: true,
    min: 1,
    max: MAX_CALLS_PER_DAY,
    description:
      'How many calls the key, and what is created with it, may start in one UTC day, over `/mcp` and over REST. Only ' +
      `with ${MCP_ACT_SCOPE}. Without it: as many as the workspace may start.`,
  })
  callsPerDay?: number;

  @DateTimeField({ optional: true, description: 'Without it: never.' })
  expires?: Date;
}

@Example({ scope: [toScope(EXAMPLE_IDS.agent)], expiresIn: 900 })
export class CreateTokenDto {
  @ScopeField() scope?: string[];

  @IntegerField({
    optional: true,
    min: 1,
    max: MAX_TOKEN_SECONDS,
    default: 3_600,
    description: 'In seconds.',
  })
  expiresIn: number = 3_600;
}

@Example({
  keyId: EXAMPLE_IDS.apiKey,
  apiKey: `parley_${'x'.repeat(43)}`,
  name: 'Deployment',
  expiresAt: null,
})
export class CreatedApiKeyDto {
  @TextField() keyId: string;
  @TextField({ description: 'Shown only in this answer.' }) apiKey: string;
  @TextField({ nullable: true }) name: string | null;

  @DateTimeField({
    nullable: true,
    description: 'No later than the expiry of the key that created it. null: never.',
  })
  expiresAt: Date | null;
}

@Example({
  keyId: EXAMPLE_IDS.apiKey,
  parentKeyId: null,
  name: 'Deployment',
  hint: 'kX3w',
  userId: EXAMPLE_IDS.user,
  scope: null,
  callsPerDay: null,
  callsToday: null,
  expiresAt: null,
  revokedAt: null,
  lastUsedAt: EXAMPLE_TIME,
  createdAt: EXAMPLE_TIME,
  createdBy: { kind: 'session', id: EXAMPLE_IDS.session, name: 'Ada Lovelace' },
})
export class ApiKeyDto {
  @TextField() keyId: string;

  @TextField({
    nullable: true,
    description: 'The key that created this one. Revoking that key also revokes this one.',
  })
  parentKeyId: string | null;

  @TextField({ nullable: true }) name: string | null;
  @TextField({ description: 'The last four characters of the key.' }) hint: string;
  @TextField() userId: string;
  @TextsField({ nullable: true, description: 'null: the whole workspace.' }) scope: string[] | null;
  @IntegerField({
    nullable: true,
    description:
      'How many calls it may start in one UTC day, with the keys that share this cap. null: no cap.',
  })
  callsPerDay: number | null;

  @IntegerField({ nullable: true, description: 'How many of these were started today. null: no cap.' })
  callsToday: number | null;

  @DateTimeField({ nullable: true }) expiresAt: Date | null;
  @DateTimeField({ nullable: true }) revokedAt: Date | null;

  @DateTimeField({
    nullable: true,
    description:
      'When the key, or a token or session that was made with it, was last used; noted about once a minute. null: never.',
  })
  lastUsedAt: Date | null;

  @DateTimeField() createdAt: Date;

  @NestedField(() => ActorDto, { nullable: true, description: 'null: not known.' })
  createdBy: ActorDto | null;
}

@Example({
  token: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIwMTk4MGY2YyJ9.c2lnbmF0dXJl',
  expiresAt: '2026-03-02T09:45:00.000Z',
})
export class TokenDto {
  @TextField() token: string;

  @DateTimeField({ description: 'No later than the expiry of the credential that asked for it.' })
  expiresAt: Date;
}

@Example({ token: `parley_link_${'x'.repeat(43)}` })
export class BeginSessionDto {
  @TextField({
    optional: true,
    max: 100,
    description:
      'The part of a one-time link after `#token=`. Without it, a header must have the credential.',
  })
  token?: string;
}

export class SessionWorkspaceDto {
  @TextField() id: string;
  @TextField() name: string;
}

export class SessionUserDto {
  @TextField() id: string;
  @TextField({ description: 'Of the credential, as the audit calls it.' }) name: string;
}

@Example({
  workspace: { id: EXAMPLE_IDS.workspace, name: 'Acme' },
  user: { id: EXAMPLE_IDS.user, name: 'Deployment' },
  scopes: null,
  expires_at: EXAMPLE_TIME,
})
export class SessionDto {
  @NestedField(() => SessionWorkspaceDto) workspace: SessionWorkspaceDto;
  @NestedField(() => SessionUserDto) user: SessionUserDto;
  @TextsField({ nullable: true, description: 'null: the whole workspace.' }) scopes: string[] | null;
  @DateTimeField({ nullable: true, description: 'Without another request. null: never, for an API key.' })
  expires_at: Date | null;
}

@Example({
  workspace: { id: EXAMPLE_IDS.workspace, name: 'Acme' },
  user: { id: EXAMPLE_IDS.user, name: 'console link' },
  scopes: null,
  expires_at: EXAMPLE_TIME,
  role: null,
  replaces: null,
})
export class SessionPreviewDto extends SessionDto {
  @TextField({
    nullable: true,
    choices: ROLES,
    description: 'The role of the person whom the link signs in. null: the link is one of the operator.',
  })
  role: PersonRole | null;

  @ObjectField({
    nullable: true,
    description:
      'The `id` and `name` of the workspace of the session whose cookie came with the request, which would end. ' +
      'null: there is none.',
  })
  replaces: SessionWorkspaceDto | null;
}

@Example({
  id: EXAMPLE_IDS.session,
  user: { id: EXAMPLE_IDS.user, name: 'Deployment' },
  credential: 'api-key',
  scopes: null,
  created_at: EXAMPLE_TIME,
  last_used_at: EXAMPLE_TIME,
  expires_at: '2026-03-02T21:30:00.000Z',
  ip: '203.0.113.7',
  current: false,
})
export class ListedSessionDto {
  @TextField({ description: 'By which the audit calls the session as an actor.' }) id: string;
  @NestedField(() => SessionUserDto) user: SessionUserDto;
  @TextField({
    choices: CREDENTIAL_KINDS,
    description: 'What began it. link: a one-time link of the operator.',
  })
  credential: Credential['kind'];
  @TextsField({ nullable: true, description: 'null: the whole workspace.' }) scopes: string[] | null;
  @DateTimeField() created_at: Date;
  @DateTimeField({ description: 'Noted about once a minute.' }) last_used_at: Date;
  @DateTimeField({ description: 'Without another request.' }) expires_at: Date;
  @TextField({ nullable: true, description: 'The address of the client that began it. null: not known.' })
  ip: string | null;
  @BooleanField({ description: 'Whether the request came with it.' }) current: boolean;
}

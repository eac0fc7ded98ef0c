import { DateTimeField, IntegerField } from '../common/fields';
import { TextField, TextsField } from '../common/text-fields';
import type { ApiKey } from './api-key.entity';

/** The only form of a scope. */
export const SCOPE = {
  matches: /^agent:[0-9a-f-]{36}$/,
  message: 'must be of the form agent:<agent_id>',
};

/** A year. */
export const MAX_TOKEN_SECONDS = 31_536_000;

const ScopeField = () =>
  TextsField({
    optional: true,
    minItems: 1,
    maxItems: 100,
    pattern: SCOPE,
    description: 'Absent: the whole workspace.',
  });

export class CreateApiKeyDto {
  @ScopeField() scope?: string[];

  @DateTimeField({ optional: true, description: 'Absent: never.' })
  expires?: Date;
}

export class CreateTokenDto {
  @ScopeField() scope?: string[];

  @IntegerField({ optional: true, min: 1, max: MAX_TOKEN_SECONDS, default: 3_600, description: 'Seconds.' })
  expiresIn: number = 3_600;
}

export class CreatedApiKeyDto {
  @TextField() keyId: string;
  @TextField({ description: 'Shown this once.' }) apiKey: string;
}

export class ApiKeyDto {
  @TextField() keyId: string;
  @TextField({ description: 'The last four characters of the key.' }) hint: string;
  @TextField() userId: string;
  @TextsField({ nullable: true }) scope: string[] | null;
  @DateTimeField({ nullable: true }) expiresAt: Date | null;
  @DateTimeField({ nullable: true }) revokedAt: Date | null;
  @DateTimeField() createdAt: Date;
}

export class TokenDto {
  @TextField() token: string;
}

export const presentApiKey = (key: ApiKey): ApiKeyDto => ({
  keyId: key.id,
  hint: key.hint,
  userId: key.userId,
  scope: key.scopes,
  expiresAt: key.expiresAt,
  revokedAt: key.revokedAt,
  createdAt: key.createdAt,
});

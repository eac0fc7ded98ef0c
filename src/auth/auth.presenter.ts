import type { ApiKey } from './api-key.entity';
import type { ApiKeyDto } from './auth.dto';

export const presentApiKey = (key: ApiKey): ApiKeyDto => ({
  keyId: key.id,
  parentKeyId: key.parentId,
  hint: key.hint,
  userId: key.userId,
  scope: key.scopes,
  expiresAt: key.expiresAt,
  revokedAt: key.revokedAt,
  createdAt: key.createdAt,
});

import type { ApiKey } from './api-key.entity';
import type { CallCap } from './call-cap.entity';
import type { Workspace } from '../workspaces/workspace.entity';
import type { ApiKeyDto, ListedSessionDto, SessionDto } from './auth.dto';
import { getScopes } from './roles';
import type { ListedSession } from './sessions.repository';

const getCallsToday = ({ startedOn, startedCalls }: CallCap): number =>
  startedOn !== null && startedOn >= new Date().toISOString().slice(0, 10) ? startedCalls : 0;

export const presentApiKey = (key: ApiKey): ApiKeyDto => ({
  keyId: key.id,
  parentKeyId: key.parentId,
  name: key.name,
  hint: key.hint,
  userId: key.userId,
  scope: key.scopes,
  callsPerDay: key.cap && key.cap.callsPerDay,
  callsToday: key.cap && getCallsToday(key.cap),
  expiresAt: key.expiresAt,
  revokedAt: key.revokedAt,
  lastUsedAt: key.lastUsedAt,
  createdAt: key.createdAt,
  createdBy: key.createdBy,
});

export const presentSession = (
  { id, name }: Workspace,
  user: SessionDto['user'],
  { scopes, expiresAt }: { scopes: string[] | undefined; expiresAt: Date | null },
): SessionDto => ({ workspace: { id, name }, user, scopes: scopes ?? null, expires_at: expiresAt });

export const presentListedSession = (
  session: ListedSession,
  { name, isCurrent }: { name: string; isCurrent: boolean },
): ListedSessionDto => ({
  id: session.id,
  user: { id: session.userId, name },
  credential: session.kind,
  scopes: session.role === null ? session.scopes : (getScopes(session.role) ?? null),
  created_at: session.createdAt,
  last_used_at: session.lastUsedAt,
  expires_at: session.expiresAt,
  ip: session.ip,
  current: isCurrent,
});

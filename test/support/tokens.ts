import { sign, type SignOptions } from 'jsonwebtoken';
import { createHmac } from 'node:crypto';
import type { ApiClient } from './client';
import { JWT_SECRET, type TestParley, type TestWorkspace } from './parley';

export const inSeconds = (seconds: number): number => Math.floor(Date.now() / 1_000) + seconds;

/** Valid claims; a change to undefined removes a claim. */
export const createClaims = ({ workspaceId, userId }: TestWorkspace, changes: object = {}): object =>
  JSON.parse(
    JSON.stringify({
      sub: userId,
      workspace_id: workspaceId,
      exp: inSeconds(60),
      ...changes,
    }),
  ) as object;

/** A token with any claims, as an identity provider could sign it. */
export const createToken = (
  workspace: TestWorkspace,
  changes: object = {},
  key = JWT_SECRET,
  options: SignOptions = { algorithm: 'HS256' },
): string => sign(createClaims(workspace, changes), key, options);

/** Signs any header and payload, also those that a library refuses. */
export function signedBy(header: unknown, payload: unknown): string {
  const parts = [header, payload];
  const text = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  return `${text}.${createHmac('sha256', JWT_SECRET).update(text).digest('base64url')}`;
}

/** A token with claims that a library refuses to sign. */
export const createUnlikelyToken = (workspace: TestWorkspace, changes: object): string =>
  signedBy({ alg: 'HS256', typ: 'JWT' }, createClaims(workspace, changes));

export const bearer = (parley: TestParley, token: string): ApiClient =>
  parley.api.with({ authorization: `Bearer ${token}` });

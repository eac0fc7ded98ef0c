import { Inject, Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { uuidv7 } from 'uuidv7';
import { CONFIG, type Config } from '../config';
import { Database } from '../database/database';
import type { Caller } from '../http/access';
import { QuotasService } from '../workspaces/quotas.service';
import { workspaceSuspended } from '../workspaces/workspaces.errors';
import { WorkspacesService } from '../workspaces/workspaces.service';
import { hashOf } from './api-keys.service';
import { type PageQuery, paginate } from '../http/pagination';
import { invalidCredential, noSession, sessionNotFound, twoCredentials } from './auth.errors';
import { presentListedSession, presentSession } from './auth.presenter';
import { IDLE_HOURS, SessionsRepository, type ValidSession } from './sessions.repository';

const HOUR_MS = 3_600_000;
const MAX_AGE_MS = 7 * 24 * HOUR_MS;
const LINK_MS = HOUR_MS / 4;

/** Of one credential. One more ends the oldest, so that nobody is locked out. */
const MAX_OF_CREDENTIAL = 100;

/** By which the audit calls who used a link. */
const LINK_NAME = 'console link';

const SESSION = /^parley_session_[\w-]{43}$/;
const LINK = /^parley_link_[\w-]{43}$/;

const newToken = (prefix: string) => prefix + randomBytes(32).toString('base64url');

const nameOf = ({ keyName, kind, userId }: Pick<ValidSession, 'keyName' | 'kind' | 'userId'>) =>
  keyName ?? (kind === 'link' ? LINK_NAME : userId);

const dateOf = (seconds: number | undefined) => (seconds === undefined ? null : new Date(seconds * 1_000));

/** Sessions stand for a credential in a browser, which must not store one. */
@Injectable()
export class SessionsService {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly sessions: SessionsRepository,
    private readonly workspaces: WorkspacesService,
    private readonly quotas: QuotasService,
    private readonly database: Database,
  ) {}

  /**
   * For the operator: a token that begins one session of the workspace's owner, within 15 minutes.
   * @throws 404
   */
  async createLink(workspaceId: string): Promise<{ token: string; expiresAt: Date }> {
    const userId = await this.workspaces.ownerOf(workspaceId);
    const token = newToken('parley_link_');
    const expiresAt = new Date(Date.now() + LINK_MS);
    await this.database.transaction((transaction) =>
      this.sessions.insertLink(workspaceId, { userId, hash: hashOf(token), expiresAt }, transaction),
    );
    return { token, expiresAt };
  }

  /**
   * Begins a session that can do what its credential can, and ends with it.
   * @param ip of the client
   * @throws 400 for a link beside another credential, 401 if the link has been used, 403 if the workspace has too many sessions
   */
  async begin(
    { workspaceId, userId, scopes, credential }: Caller,
    { token: link, ip }: { token?: string; ip: string | null },
  ) {
    if (link !== undefined && credential.kind !== 'link') throw twoCredentials();
    const { kind, keyId, name, iat, exp = Infinity } = credential;
    const token = newToken('parley_session_');
    const expiresAt = new Date(Math.min(Date.now() + MAX_AGE_MS, exp * 1_000));
    const id = await this.quotas.createWithinQuota(workspaceId, 'sessions', async (transaction) => {
      const id = credential.sessionId ?? uuidv7();
      if (kind === 'link' && !(await this.sessions.useLink(workspaceId, id, transaction))) {
        throw invalidCredential();
      }
      const session = {
        id,
        hash: hashOf(token),
        credentialKind: kind,
        keyId: keyId ?? null,
        userId,
        scopes: scopes ?? null,
        issuedAt: dateOf(iat),
        expiresAt,
        ip,
      };
      await this.sessions.insert(workspaceId, session, { max: MAX_OF_CREDENTIAL }, transaction);
      transaction.change = { credential: kind, key: keyId ?? null };
      return id;
    });
    const own = { kind, keyId, name, iat, sessionId: id, exp: expiresAt.getTime() / 1_000 };
    return { token, expiresAt, caller: { workspaceId, userId, scopes, credential: own } };
  }

  /** Who sends the request, and until when its credential is valid without another request. */
  async show({ workspaceId, userId, scopes, credential }: Omit<Caller, 'requestsPerMinute'>) {
    const idleEnd = credential.sessionId === undefined ? Infinity : Date.now() + IDLE_HOURS * HOUR_MS;
    const end = Math.min(idleEnd, (credential.exp ?? Infinity) * 1_000);
    const workspace = await this.workspaces.get(workspaceId);
    const expiresAt = end === Infinity ? null : new Date(end);
    return presentSession(workspace, { id: userId, name: credential.name }, { scopes, expiresAt });
  }

  /** Those of the workspace that are valid, newest first. */
  async list({ workspaceId, credential: { sessionId } }: Caller, query: PageQuery) {
    const { rows, total } = await this.sessions.list(workspaceId, query);
    const listed = rows.map((session) =>
      presentListedSession(session, { name: nameOf(session), isCurrent: session.id === sessionId }),
    );
    return paginate(listed, query, total);
  }

  /** @throws 404 for a request without a session */
  async end({ workspaceId, credential: { sessionId } }: Caller): Promise<void> {
    if (sessionId === undefined) throw noSession();
    await this.database.transaction(async (transaction) => {
      if (!(await this.sessions.end(workspaceId, sessionId, transaction))) transaction.change = null;
    });
  }

  /**
   * Ends the caller's own session or another one of the workspace.
   * @returns whether it was the caller's own
   * @throws 404
   */
  async endOne({ workspaceId, credential }: Caller, id: string): Promise<{ isCurrent: boolean }> {
    const ended = await this.database.transaction(async (transaction) => {
      const session = await this.sessions.end(workspaceId, id, transaction);
      if (!session) throw sessionNotFound();
      transaction.change = { credential: session.credentialKind, key: session.keyId };
      return session;
    });
    return { isCurrent: ended.id === credential.sessionId };
  }

  /**
   * @returns null if the session has ended
   * @throws 403 if the workspace is suspended
   */
  async authenticate(token: string): Promise<Caller | null> {
    if (!SESSION.test(token)) return null;
    const session = await this.sessions.findValid(hashOf(token));
    if (!session) return null;
    if (session.isSuspended) throw workspaceSuspended();
    const { kind, userId, iat, expiresAt } = session;
    return {
      workspaceId: session.workspaceId,
      userId,
      scopes: session.scopes ?? undefined,
      credential: {
        kind,
        keyId: session.keyId ?? undefined,
        name: nameOf(session),
        sessionId: session.id,
        iat: iat ?? undefined,
        exp: expiresAt.getTime() / 1_000,
      },
      requestsPerMinute: session.requestsPerMinute ?? this.config.RATE_LIMIT_PER_MINUTE,
    };
  }

  /**
   * @returns null if the link is unknown, used or expired
   * @throws 403 if the workspace is suspended
   */
  async authenticateLink(token: string): Promise<Caller | null> {
    if (!LINK.test(token)) return null;
    const link = await this.sessions.findValidLink(hashOf(token));
    if (!link) return null;
    if (link.isSuspended) throw workspaceSuspended();
    const { workspaceId, userId, id, createdAt } = link;
    const iat = createdAt.getTime() / 1_000;
    return {
      workspaceId,
      userId,
      scopes: undefined,
      credential: { kind: 'link', keyId: undefined, name: LINK_NAME, sessionId: id, iat, exp: undefined },
      requestsPerMinute: link.requestsPerMinute ?? this.config.RATE_LIMIT_PER_MINUTE,
    };
  }
}

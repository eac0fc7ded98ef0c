import { Inject, Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { randomBytes } from 'node:crypto';
import { uuidv7 } from 'uuidv7';
import { CONFIG, type Config } from '../../config';
import { Database, type Transaction } from '../../platform/database/database';
import type { Caller } from '../../platform/http/access';
import type { Actor } from '../../platform/http/actor';
import type { AuditEntry } from '../audit/audit-entry';
import { writeAuditEntry } from '../audit/audit-trail.repository';
import { QuotasService } from '../workspaces/quotas.service';
import { workspaceSuspended } from '../workspaces/workspaces.errors';
import { WorkspacesService } from '../workspaces/workspaces.service';
import { ApiKeysRepository } from './api-keys.repository';
import { hashKey } from './api-keys.service';
import { type PageQuery, paginate } from '../../platform/http/pagination';
import { invalidCredential, noSession, sessionNotFound, twoCredentials } from './auth.errors';
import { presentListedSession, presentSession } from './auth.presenter';
import { getRole, getScopes } from './roles';
import { IDLE_HOURS, SessionsRepository, type ValidSession } from './sessions.repository';

const HOUR_MS = 3_600_000;
const MAX_AGE_MS = 7 * 24 * HOUR_MS;
const LINK_MS = HOUR_MS / 4;

/** The number of sessions of one credential. One more ends the oldest, so that nobody is locked out. */
const MAX_OF_CREDENTIAL = 100;

/** The name by which the audit calls the user of a link that the operator gave no name. */
const UNNAMED_LINK = 'Unnamed console link';

/** The length of the name of a link, in characters. */
export const MAX_LINK_NAME = 100;

const SESSION = /^parley_session_[\w-]{43}$/;

/** Servers of release 1.1.0 know nothing of roles, and accept the links of the operator only. */
const LINK = /^parley_(link|person)_[\w-]{43}$/;

const newToken = (prefix: string) => prefix + randomBytes(32).toString('base64url');

const getName = ({
  keyName,
  kind,
  userId,
  name,
}: Pick<ValidSession, 'keyName' | 'kind' | 'userId' | 'name'>) =>
  keyName ?? (kind === 'link' ? (name ?? UNNAMED_LINK) : userId);

/** The actor of changes with the session, as {@link toActor} names it for a request. */
const toActorOfSession = ({ id, personId, ...session }: Omit<ValidSession, 'workspaceId'>): Actor =>
  personId === null
    ? { kind: 'session', id, name: getName(session) }
    : { kind: 'person', id: personId, name: getName(session) };

const toDate = (seconds: number | undefined) => (seconds === undefined ? null : new Date(seconds * 1_000));

/** A person whom a link signs in. */
interface LinkedPerson {
  id: string;
  /** The time for which the link is valid. */
  validMs: number;
}

interface NewSessionRequest {
  /** The token of a one-time link. */
  token?: string;
  /** The address of the client. */
  ip: string | null;
  requestId: string;
  replaced: string | undefined;
}

/** Sessions stand for a credential in a browser, which must not store one. */
@Injectable()
export class SessionsService {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly sessions: SessionsRepository,
    private readonly keys: ApiKeysRepository,
    private readonly workspaces: WorkspacesService,
    private readonly quotas: QuotasService,
    private readonly database: Database,
  ) {}

  /**
   * Creates a token for the operator, which begins one session of the workspace's owner, within 15 minutes.
   * @param name the name of the person who gets the link, by which the audit calls the session
   * @throws 404
   */
  async createLink(
    workspaceId: string,
    name: string | null = null,
  ): Promise<{ token: string; expiresAt: Date }> {
    const userId = await this.workspaces.getOwner(workspaceId);
    const token = newToken('parley_link_');
    const expiresAt = new Date(Date.now() + LINK_MS);
    const link = { userId, personId: null, name, hash: hashKey(token), expiresAt };
    await this.database.transaction((transaction) =>
      this.sessions.insertLink(workspaceId, link, transaction),
    );
    return { token, expiresAt };
  }

  /** Creates a token that begins one session of a person. The session can do what the role of the person says. */
  async createLinkOfPerson(
    workspaceId: string,
    { id, validMs }: LinkedPerson,
    transaction: Transaction,
  ): Promise<{ token: string; expiresAt: Date }> {
    const token = newToken('parley_person_');
    const expiresAt = new Date(Date.now() + validMs);
    const link = { userId: id, personId: id, name: null, hash: hashKey(token), expiresAt };
    await this.sessions.insertLink(workspaceId, link, transaction);
    return { token, expiresAt };
  }

  /**
   * Ends the link for the operator, the session that it began, and the keys and tokens that this session has created,
   * with all their descendants.
   * @throws 404
   */
  async revokeLink(
    workspaceId: string,
    id: string,
  ): Promise<{ wasUnused: boolean; sessions: number; keys: number }> {
    if (!isUUID(id)) throw sessionNotFound();
    return this.database.transaction(async (transaction) => {
      // A key that is created at the same time waits, and then finds no session.
      await this.keys.lockAll(workspaceId, transaction);
      const link = await this.sessions.revokeLink(workspaceId, id, transaction);
      const sessions = await this.sessions.endOfLink(workspaceId, id, transaction);
      const keys = await this.keys.revokeOfLink(workspaceId, id, transaction);
      if (!link && sessions + keys === 0) throw sessionNotFound();
      transaction.change = { revoked_keys: keys, ended_sessions: sessions };
      return { wasUnused: link?.wasUnused ?? false, sessions, keys };
    });
  }

  /**
   * Returns the session that {@link begin} would begin, and the workspace of the session that it would replace. A
   * link stays unused.
   * @throws 400 for a link beside another credential
   */
  async preview(caller: Caller, { token: link, replaced }: { token?: string; replaced: string | undefined }) {
    if (link !== undefined && caller.credential.kind !== 'link') throw twoCredentials();
    const other = await this.findReplaced(replaced);
    const { id, name } = (other && (await this.workspaces.get(other.workspaceId))) ?? {};
    const role = caller.credential.personId === undefined ? null : getRole(caller);
    return { ...(await this.show(caller)), role, replaces: id && name ? { id, name } : null };
  }

  /**
   * Begins a session that can do what its credential can, and ends with it.
   * @param replaced the token of the browser's session until now, which ends
   * @throws 400 for a link beside another credential, 401 if the link has been used, 403 if the workspace has too many sessions
   */
  async begin(
    { workspaceId, userId, scopes, credential }: Caller,
    { token: link, ip, requestId, replaced }: NewSessionRequest,
  ) {
    if (link !== undefined && credential.kind !== 'link') throw twoCredentials();
    const { kind, keyId, linkId, personId, name, iat, exp = Infinity } = credential;
    const token = newToken('parley_session_');
    const expiresAt = new Date(Math.min(Date.now() + MAX_AGE_MS, exp * 1_000));
    const other = await this.findReplaced(replaced);
    const id = await this.quotas.createWithinQuota(workspaceId, 'sessions', async (transaction) => {
      const id = credential.sessionId ?? uuidv7();
      if (kind === 'link' && !(await this.sessions.useLink(workspaceId, id, transaction))) {
        throw invalidCredential();
      }
      const session = {
        id,
        hash: hashKey(token),
        credentialKind: kind,
        keyId: keyId ?? null,
        linkId: linkId ?? null,
        personId: personId ?? null,
        userId,
        name: kind === 'link' ? name : null,
        // Servers of release 1.1.0 read no roles, but these scopes, so the session of a person can do nothing there.
        scopes: personId === undefined ? (scopes ?? null) : [],
        issuedAt: toDate(iat),
        expiresAt,
        ip,
      };
      await this.sessions.insert(workspaceId, session, { max: MAX_OF_CREDENTIAL }, transaction);
      if (personId !== undefined)
        await this.noteJoined(workspaceId, personId, { requestId, ip }, transaction);
      if (other) await this.endReplaced(other, { requestId, ip }, transaction);
      transaction.change = { credential: kind, key: keyId ?? null };
      return id;
    });
    const own = { kind, keyId, linkId, personId, name, iat, sessionId: id, exp: expiresAt.getTime() / 1_000 };
    return { token, expiresAt, caller: { workspaceId, userId, scopes, credential: own } };
  }

  private async noteJoined(
    workspaceId: string,
    personId: string,
    request: Pick<NewSessionRequest, 'requestId' | 'ip'>,
    transaction: Transaction,
  ): Promise<void> {
    const joined = await this.sessions.noteJoined(workspaceId, personId, transaction);
    if (!joined) return;
    // The person may have come by the identity provider, and not by the link of the invitation.
    await this.sessions.revokeUnusedLinks(workspaceId, personId, transaction);
    const { name, role } = joined;
    const entry: AuditEntry = {
      workspaceId,
      actor: { kind: 'person', id: personId, name },
      action: 'person.joined',
      id: personId,
      name,
      details: { role },
      ...request,
    };
    await writeAuditEntry(entry, transaction);
  }

  /**
   * Finds the session that a new one replaces. Its token comes from a cookie, so it may be of another workspace.
   */
  private async findReplaced(token: string | undefined): Promise<ValidSession | null> {
    return token !== undefined && SESSION.test(token) ? this.sessions.findValid(hashKey(token)) : null;
  }

  /** Ends the replaced session. The audit of its workspace names the session itself as the actor. */
  private async endReplaced(
    { workspaceId, id, ...session }: ValidSession,
    request: Pick<NewSessionRequest, 'requestId' | 'ip'>,
    transaction: Transaction,
  ): Promise<void> {
    const ended = await this.sessions.end(workspaceId, id, transaction);
    if (!ended) return;
    const entry: AuditEntry = {
      workspaceId,
      actor: toActorOfSession({ id, ...session }),
      action: 'session.ended',
      id,
      details: { credential: ended.credentialKind, key: ended.keyId, replaced: true },
      ...request,
    };
    await writeAuditEntry(entry, transaction);
  }

  /** Returns the sender of the request, and the time until which its credential is valid without another request. */
  async show({ workspaceId, userId, scopes, credential }: Omit<Caller, 'requestsPerMinute'>) {
    const idleEnd = credential.sessionId === undefined ? Infinity : Date.now() + IDLE_HOURS * HOUR_MS;
    const end = Math.min(idleEnd, (credential.exp ?? Infinity) * 1_000);
    const workspace = await this.workspaces.get(workspaceId);
    const expiresAt = end === Infinity ? null : new Date(end);
    return presentSession(workspace, { id: userId, name: credential.name }, { scopes, expiresAt });
  }

  /** Lists the valid sessions of the workspace, newest first. */
  async list({ workspaceId, credential: { sessionId } }: Caller, query: PageQuery) {
    const { rows, total } = await this.sessions.list(workspaceId, query);
    const listed = rows.map((session) =>
      presentListedSession(session, { name: getName(session), isCurrent: session.id === sessionId }),
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
    const session = await this.sessions.findValid(hashKey(token));
    if (!session) return null;
    if (session.isSuspended) throw workspaceSuspended();
    const { kind, userId, iat, expiresAt } = session;
    return {
      workspaceId: session.workspaceId,
      userId,
      scopes: session.role === null ? (session.scopes ?? undefined) : getScopes(session.role),
      credential: {
        kind,
        keyId: session.keyId ?? undefined,
        capId: session.capId ?? undefined,
        linkId: session.linkId ?? undefined,
        personId: session.personId ?? undefined,
        name: getName(session),
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
    const link = await this.sessions.findValidLink(hashKey(token));
    if (!link) return null;
    if (link.isSuspended) throw workspaceSuspended();
    const { workspaceId, userId, id, name, personId, role, createdAt } = link;
    const iat = createdAt.getTime() / 1_000;
    return {
      workspaceId,
      userId,
      scopes: role === null ? undefined : getScopes(role),
      credential: {
        kind: 'link',
        keyId: undefined,
        linkId: id,
        personId: personId ?? undefined,
        name: name ?? UNNAMED_LINK,
        sessionId: id,
        iat,
        exp: undefined,
      },
      requestsPerMinute: link.requestsPerMinute ?? this.config.RATE_LIMIT_PER_MINUTE,
    };
  }
}

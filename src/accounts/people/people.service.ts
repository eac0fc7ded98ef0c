import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../platform/database/database';
import { type PageQuery, paginate } from '../../platform/http/pagination';
import { ApiKeysRepository } from '../auth/api-keys.repository';
import type { PersonRole } from '../auth/roles';
import { SessionsRepository } from '../auth/sessions.repository';
import { SessionsService } from '../auth/sessions.service';
import { MAXIMUMS } from '../workspaces/quotas';
import { QuotasService } from '../workspaces/quotas.service';
import { emailTaken, lastAdmin, personNotFound } from './people.errors';
import { presentPerson } from './people.presenter';
import { type ListedPerson, PeopleRepository } from './people.repository';

const HOUR_MS = 3_600_000;
const INVITATION_MS = 7 * 24 * HOUR_MS;

export interface PersonFields {
  name: string;
  role: PersonRole;
  /** null: none */
  email: string | null;
}

export interface LinkOfPerson {
  personId: string;
  name: string;
  token: string;
  expiresAt: Date;
}

const toAddress = (email: string | null) => email?.toLowerCase() ?? null;

/** The people of a workspace: who may sign in, and what they may do. */
@Injectable()
export class PeopleService {
  constructor(
    private readonly people: PeopleRepository,
    private readonly sessions: SessionsService,
    private readonly links: SessionsRepository,
    private readonly keys: ApiKeysRepository,
    private readonly quotas: QuotasService,
    private readonly database: Database,
  ) {}

  async list(workspaceId: string, query: PageQuery) {
    const { rows, total } = await this.people.list(workspaceId, query);
    return paginate(rows.map(presentPerson), query, total);
  }

  /** Lists all people for the operator. */
  async listAll(workspaceId: string) {
    const { rows } = await this.people.list(workspaceId, { page: 1, limit: MAXIMUMS.people });
    return rows.map(presentPerson);
  }

  /** @throws 404 */
  async get(workspaceId: string, id: string) {
    return presentPerson(await this.find(workspaceId, id));
  }

  /**
   * Adds a person, with a link that signs in once.
   * @throws 403 if the workspace has too many people, 409 if one has the e-mail address
   */
  invite(workspaceId: string, { name, role, email }: PersonFields): Promise<LinkOfPerson> {
    return this.quotas.createWithinQuota(workspaceId, 'people', async (transaction) => {
      const person = { name, role, email: toAddress(email), invitedBy: transaction.actor };
      const personId = await this.people.insert(workspaceId, person, transaction);
      if (personId === undefined) throw emailTaken();
      transaction.change = { role };
      const invited = { id: personId, validMs: INVITATION_MS };
      return {
        personId,
        name,
        ...(await this.sessions.createLinkOfPerson(workspaceId, invited, transaction)),
      };
    });
  }

  /**
   * Creates another link, which replaces the unused ones. That of a person who has joined is valid for an hour.
   * @throws 404
   */
  createLink(workspaceId: string, id: string): Promise<LinkOfPerson> {
    return this.database.transaction(async (transaction) => {
      const { name, joinedAt, ...person } = await this.find(workspaceId, id, transaction);
      await this.links.revokeUnusedLinks(workspaceId, person.id, transaction);
      const linked = { id: person.id, validMs: joinedAt === null ? INVITATION_MS : HOUR_MS };
      const link = await this.sessions.createLinkOfPerson(workspaceId, linked, transaction);
      return { personId: person.id, name, ...link };
    });
  }

  /**
   * Changes a person. A new role counts for running sessions at once. If the person is an admin no longer, the API
   * keys that their sessions created are revoked.
   * @throws 404, 409 for the last admin, or if another person has the e-mail address
   */
  async update(workspaceId: string, id: string, changes: Partial<PersonFields>) {
    await this.database.transaction(async (transaction) => {
      await this.keys.lockAll(workspaceId, transaction);
      const before = await this.find(workspaceId, id, transaction);
      const { name = before.name, role = before.role, email = before.email } = changes;
      const after = { name, role, email: toAddress(email) };
      const changed = (['name', 'role', 'email'] as const).filter((field) => before[field] !== after[field]);
      transaction.targetName = name;
      if (changed.length === 0) return void (transaction.change = null);
      const owner = { id: before.id, email: after.email ?? '' };
      if (changed.includes('email') && (await this.people.isEmailTaken(workspaceId, owner, transaction)))
        throw emailTaken();
      if (!(await this.people.update(workspaceId, before.id, after, transaction))) throw lastAdmin();
      const keys = role === 'admin' ? 0 : await this.keys.revokeOfPerson(workspaceId, before.id, transaction);
      transaction.change = {
        changed,
        ...(changed.includes('role') && {
          before: { role: before.role },
          after: { role },
          revoked_keys: keys,
        }),
      };
    });
    return this.get(workspaceId, id);
  }

  /**
   * Removes a person, their sessions and links, and the API keys and tokens that their sessions created.
   * @throws 404, 409 for the last admin
   */
  remove(workspaceId: string, id: string): Promise<{ name: string; sessions: number; keys: number }> {
    return this.database.transaction(async (transaction) => {
      // A key that is created at the same time waits, and then finds no session.
      await this.keys.lockAll(workspaceId, transaction);
      const person = await this.find(workspaceId, id, transaction);
      const keys = await this.keys.revokeOfPerson(workspaceId, person.id, transaction);
      const sessions = await this.people.endSessions(workspaceId, person.id, transaction);
      const removed = await this.people.delete(workspaceId, person.id, transaction);
      if (!removed) throw lastAdmin();
      transaction.change = { role: person.role, ended_sessions: sessions, revoked_keys: keys };
      return { name: removed.name, sessions, keys };
    });
  }

  /** @throws 404 */
  private async find(workspaceId: string, id: string, transaction?: Transaction): Promise<ListedPerson> {
    const person = await this.people.find(workspaceId, id, transaction);
    if (!person) throw personNotFound();
    return person;
  }
}

import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../config';
import { Database, type Transaction } from '../../platform/database/database';
import { ApiError } from '../../platform/http/errors';
import type { AuditEntry } from '../audit/audit-entry';
import { writeAuditEntry } from '../audit/audit-trail.repository';
import { SessionsService } from '../auth/sessions.service';
import { QuotasService } from '../workspaces/quotas.service';
import type { Identity } from './identity';
import { PeopleOfIdentityRepository, type PersonOfIdentity } from './people-of-identity.repository';
import { SignInProblem } from './sign-in-problem';

/** The time for the click on the page that asks. */
const LINK_MS = 300_000;

/** The workspaces among which a person can choose. */
const MAX_WORKSPACES = 20;

/** The request that ended the sign-in, for the audit. */
type SignInRequest = Pick<AuditEntry, 'requestId' | 'ip'>;

/** Finds the people whom an identity of the provider signs in. */
@Injectable()
export class OidcService {
  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'oidc'>,
    private readonly people: PeopleOfIdentityRepository,
    private readonly sessions: SessionsService,
    private readonly quotas: QuotasService,
    private readonly database: Database,
  ) {}

  /**
   * Creates a one-time link for each person of the identity. The page of a link asks before it begins a session.
   * @returns the tokens of the links
   * @throws SignInProblem if the identity has no person
   */
  async createLinks(identity: Identity, request: SignInRequest): Promise<string[]> {
    return this.database.transaction(async (transaction) => {
      for (const person of await this.people.link(identity, transaction)) {
        await this.audit(person, request, transaction);
      }
      await this.addUninvited(identity, request, transaction);
      const found = await this.people.find(identity, MAX_WORKSPACES, transaction);
      if (found.length === 0) throw new SignInProblem('not_invited');
      const tokens: string[] = [];
      for (const { workspaceId, id } of found) {
        const link = await this.sessions.createLinkOfPerson(
          workspaceId,
          { id, validMs: LINK_MS },
          transaction,
        );
        tokens.push(link.token);
      }
      return tokens;
    });
  }

  /** Adds a person without an invitation, if the settings allow it. */
  private async addUninvited(
    identity: Identity,
    request: SignInRequest,
    transaction: Transaction,
  ): Promise<void> {
    const { workspaceId, role } = this.config.oidc?.uninvited ?? {};
    if (workspaceId === undefined || role === undefined) return;
    if (!(await this.people.mayCome(workspaceId, identity, transaction))) return;
    await this.assertRoom(workspaceId, transaction);
    const added = await this.people.insert(workspaceId, identity, role, transaction);
    if (added) await this.audit(added, request, transaction);
  }

  /** @throws SignInProblem */
  private async assertRoom(workspaceId: string, transaction: Transaction): Promise<void> {
    try {
      await this.quotas.assertWithinQuota(workspaceId, 'people', transaction);
    } catch (error) {
      throw error instanceof ApiError ? new SignInProblem('full', { cause: error }) : error;
    }
  }

  private async audit(
    { id, workspaceId, name, role }: PersonOfIdentity,
    request: SignInRequest,
    transaction: Transaction,
  ): Promise<void> {
    const entry: AuditEntry = {
      workspaceId,
      actor: { kind: 'person', id, name },
      action: 'person.identity_linked',
      id,
      name,
      details: { role },
      ...request,
    };
    await writeAuditEntry(entry, transaction);
  }
}

import { Injectable } from '@nestjs/common';
import { uuidv7 } from 'uuidv7';
import type { Transaction } from '../../platform/database/database';
import type { PersonRole } from '../auth/roles';
import type { Identity } from './identity';
import {
  FIND_OPEN_WORKSPACE,
  FIND_PEOPLE_OF_IDENTITY,
  INSERT_PERSON_OF_IDENTITY,
  LINK_IDENTITY,
  type PersonOfIdentity,
} from './people-of-identity.sql';

export type { PersonOfIdentity } from './people-of-identity.sql';

/** The people, in all workspaces, whom an identity of the provider signs in. */
@Injectable()
export class PeopleOfIdentityRepository {
  /** Links the identity to the people who were invited with its e-mail address. @returns these people */
  async link({ email, issuer, subject }: Identity, transaction: Transaction): Promise<PersonOfIdentity[]> {
    return email === null ? [] : transaction.query(LINK_IDENTITY, { issuer, subject, email });
  }

  /** @param limit of these people */
  find({ issuer, subject }: Identity, limit: number, transaction: Transaction): Promise<PersonOfIdentity[]> {
    return transaction.query(FIND_PEOPLE_OF_IDENTITY, { issuer, subject, limit });
  }

  /** Whether the identity may come to the workspace without an invitation, and has not done so. */
  async mayCome(
    workspaceId: string,
    { issuer, subject }: Identity,
    transaction: Transaction,
  ): Promise<boolean> {
    return (await transaction.query(FIND_OPEN_WORKSPACE, { workspaceId, issuer, subject })).length > 0;
  }

  /** @returns undefined if the workspace has such a person, or another one with the e-mail address */
  async insert(
    workspaceId: string,
    identity: Identity,
    role: PersonRole,
    transaction: Transaction,
  ): Promise<PersonOfIdentity | undefined> {
    const person = { id: uuidv7(), workspaceId, role, ...identity };
    return (await transaction.query(INSERT_PERSON_OF_IDENTITY, person))[0];
  }
}

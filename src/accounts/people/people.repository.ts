import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { uuidv7 } from 'uuidv7';
import { Database, type Queryable, type Transaction } from '../../platform/database/database';
import type { Page } from '../../platform/database/workspace.repository';
import { getOffset, type PageQuery } from '../../platform/http/pagination';
import {
  DELETE_PERSON,
  END_SESSIONS_OF_PERSON,
  FIND_EMAIL,
  FIND_PERSON,
  INSERT_PERSON,
  LIST_PEOPLE,
  type ListedPerson,
  type NewPerson,
  type PersonChanges,
  UPDATE_PERSON,
} from './people.sql';

export type { ListedPerson } from './people.sql';

/** The people who may sign in to a workspace. */
@Injectable()
export class PeopleRepository {
  constructor(private readonly database: Database) {}

  /** Lists the people by name. */
  async list(workspaceId: string, query: PageQuery): Promise<Page<ListedPerson>> {
    const page = { offset: getOffset(query), limit: query.limit };
    const rows = await this.database.query(LIST_PEOPLE, { workspaceId, ...page });
    const people = rows.filter((row): row is { total: number } & ListedPerson => row.id !== null);
    return { rows: people, total: rows[0]?.total ?? 0 };
  }

  /** @returns undefined if the workspace has no such person */
  async find(
    workspaceId: string,
    id: string,
    queryable: Queryable = this.database,
  ): Promise<ListedPerson | undefined> {
    if (!isUUID(id)) return undefined;
    return (await queryable.query(FIND_PERSON, { workspaceId, id }))[0];
  }

  /** @returns the id; undefined: the workspace has a person with this e-mail address */
  async insert(
    workspaceId: string,
    person: Omit<NewPerson, 'id'>,
    transaction: Transaction,
  ): Promise<string | undefined> {
    const values = { workspaceId, id: uuidv7(), ...person };
    return (await transaction.query(INSERT_PERSON, values))[0]?.id;
  }

  /** @returns false if the workspace would lose its last admin, or has no such person */
  async update(
    workspaceId: string,
    id: string,
    changes: PersonChanges,
    transaction: Transaction,
  ): Promise<boolean> {
    return (await transaction.query(UPDATE_PERSON, { workspaceId, id, ...changes })).length > 0;
  }

  /** Whether another person of the workspace has this e-mail address. */
  async isEmailTaken(
    workspaceId: string,
    person: { id: string; email: string },
    transaction: Transaction,
  ): Promise<boolean> {
    return (await transaction.query(FIND_EMAIL, { workspaceId, ...person })).length > 0;
  }

  /** @returns how many sessions ended */
  async endSessions(workspaceId: string, id: string, transaction: Transaction): Promise<number> {
    return (await transaction.query(END_SESSIONS_OF_PERSON, { workspaceId, id })).length;
  }

  /** @returns undefined if the workspace would lose its last admin, or has no such person */
  async delete(
    workspaceId: string,
    id: string,
    transaction: Transaction,
  ): Promise<{ name: string } | undefined> {
    return (await transaction.query(DELETE_PERSON, { workspaceId, id }))[0];
  }
}

import { Injectable } from '@nestjs/common';
import { Database, type Queryable, type Transaction } from '../../platform/database/database';
import type { Actor } from '../../platform/http/actor';
import { ADD_NOTE, ERASE_NOTE, FIND_NOTE, REMOVE_NOTE, REPLACE_NOTE, type WrittenNote } from './notes.sql';

export type { WrittenNote } from './notes.sql';

@Injectable()
export class NotesRepository {
  constructor(private readonly database: Database) {}

  /** @returns undefined if nothing is written about the number */
  async find(
    workspaceId: string,
    phoneNumber: string,
    queryable: Queryable = this.database,
  ): Promise<WrittenNote | undefined> {
    return (await queryable.query(FIND_NOTE, { workspaceId, phoneNumber }))[0];
  }

  /** @returns undefined if there is a note */
  async add(
    workspaceId: string,
    phoneNumber: string,
    text: string,
    transaction: Transaction,
  ): Promise<WrittenNote | undefined> {
    const note = { workspaceId, phoneNumber, text, updatedBy: transaction.actor as Actor };
    return (await transaction.query(ADD_NOTE, note))[0];
  }

  /**
   * @param replaced the time of the change that the text replaces
   * @returns undefined if another change came first
   */
  async replace(
    workspaceId: string,
    phoneNumber: string,
    { text, replaced }: { text: string; replaced: Date },
    transaction: Transaction,
  ): Promise<WrittenNote | undefined> {
    const note = { workspaceId, phoneNumber, text, updatedBy: transaction.actor as Actor, replaced };
    return (await transaction.query(REPLACE_NOTE, note))[0];
  }

  /** @returns false if another change came first */
  async remove(
    workspaceId: string,
    phoneNumber: string,
    replaced: Date,
    transaction: Transaction,
  ): Promise<boolean> {
    return (await transaction.query(REMOVE_NOTE, { workspaceId, phoneNumber, replaced })).length > 0;
  }

  /** Removes the note of a person who is being erased, if there is one. */
  async erase(workspaceId: string, phoneNumber: string): Promise<void> {
    await this.database.query(ERASE_NOTE, { workspaceId, phoneNumber });
  }
}

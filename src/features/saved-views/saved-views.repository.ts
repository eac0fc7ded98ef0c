import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { uuidv7 } from 'uuidv7';
import { Database, type Transaction } from '../../platform/database/database';
import type { Actor } from '../../platform/http/actor';
import type { SavedView } from './saved-view.entity';
import {
  ADD_SAVED_VIEW,
  DELETE_SAVED_VIEW,
  LIST_SAVED_VIEWS,
  REPLACE_SAVED_VIEW,
  type StoredView,
} from './saved-views.sql';

export type { StoredView } from './saved-views.sql';

type SavedValues = Pick<SavedView, 'page' | 'name' | 'query' | 'period'>;

@Injectable()
export class SavedViewsRepository {
  constructor(private readonly database: Database) {}

  list(workspaceId: string, page?: SavedView['page']): Promise<StoredView[]> {
    return this.database.query(LIST_SAVED_VIEWS, { workspaceId, page: page ?? null });
  }

  /** @returns undefined if the page has no view with the name */
  async replace(
    workspaceId: string,
    values: SavedValues,
    transaction: Transaction,
  ): Promise<StoredView | undefined> {
    const view = { workspaceId, ...values, updatedBy: transaction.actor as Actor };
    return (await transaction.query(REPLACE_SAVED_VIEW, view))[0];
  }

  async add(workspaceId: string, values: SavedValues, transaction: Transaction): Promise<StoredView> {
    const view = { id: uuidv7(), workspaceId, ...values, updatedBy: transaction.actor as Actor };
    return (await transaction.query(ADD_SAVED_VIEW, view))[0] as StoredView;
  }

  /** @returns undefined if the workspace has no such view */
  async delete(
    workspaceId: string,
    id: string,
    transaction: Transaction,
  ): Promise<{ name: string } | undefined> {
    if (!isUUID(id)) return undefined;
    return (await transaction.query(DELETE_SAVED_VIEW, { workspaceId, id }))[0];
  }
}

import { Injectable } from '@nestjs/common';
import { Database } from '../database/database';
import { likePattern } from '../database/like-pattern';
import type { ProgressKey } from './campaign-status';
import {
  COUNT_RECIPIENTS,
  FIND_END_OF_BATCH,
  LIST_RECIPIENTS,
  type ListedRecipient,
  READ_BATCH,
} from './recipient-list.sql';

export type { ListedRecipient };

export interface RecipientQuery {
  status?: ProgressKey;
  search?: string;
}

const filterOf = (campaignId: string, { status, search }: RecipientQuery) => ({
  campaignId,
  progress: status ?? null,
  search: search === undefined ? null : likePattern(search),
});

/** Recipients as the API shows them. The caller has found the campaign in its workspace. */
@Injectable()
export class RecipientListRepository {
  constructor(private readonly database: Database) {}

  /** By their numbers. */
  async list(
    campaignId: string,
    query: RecipientQuery,
    place: { offset: number; limit: number },
  ): Promise<{ rows: ListedRecipient[]; total: number }> {
    const filter = filterOf(campaignId, query);
    const rows = await this.database.query(LIST_RECIPIENTS, { ...filter, ...place });
    const [counted] = await this.database.query(COUNT_RECIPIENTS, filter);
    return { rows, total: counted?.total ?? 0 };
  }

  /** Reads all in batches, by their numbers, each by short statements. */
  async *batches(campaignId: string, query: RecipientQuery): AsyncGenerator<ListedRecipient[], void> {
    const filter = filterOf(campaignId, query);
    for (let after = ''; ;) {
      const [batch] = await this.database.query(FIND_END_OF_BATCH, { campaignId, after });
      const end = batch?.end;
      if (!end) return;
      yield await this.database.query(READ_BATCH, { ...filter, after, end });
      after = end;
    }
  }
}

import { Injectable } from '@nestjs/common';
import { Database, type Reader } from '../../../platform/database/database';
import { likePattern } from '../../../platform/database/like-pattern';
import { E164 } from '../../../platform/validation/phone-number';
import type { ContactResult, ProgressKey } from '../plan/campaign-status';
import {
  COUNT_RECIPIENTS,
  FIND_END_OF_BATCH,
  LIST_RECIPIENTS,
  type ListedRecipient,
  READ_BATCH,
  type RecipientFilter,
} from './recipient-list.sql';
import type { WaitFacts } from './recipient-wait';
import { FIND_WAIT_FACTS } from './recipient-wait.sql';
import { canBeInBlocks, type FoundRecipients, SEARCH_RECIPIENTS } from './recipient-search.sql';

export type { ListedRecipient };

export interface RecipientQuery {
  status?: ProgressKey;
  result?: ContactResult;
  search?: string;
}

interface Place {
  offset: number;
  limit: number;
}

/**
 * A search with a status or a result looks up at most this many recipients one by one. If it finds more, all are
 * read.
 */
const MAX_LOOKED_UP = 20_000;

const ALL: Place = { offset: 0, limit: MAX_LOOKED_UP };

const toFilter = (campaignId: string, { status, result, search }: RecipientQuery): RecipientFilter => ({
  campaignId,
  progress: status ?? null,
  result: result ?? null,
  search: search === undefined ? null : likePattern(search),
  numbers: null,
});

/** Lists recipients as the API shows them. The caller has found the campaign in its workspace. */
@Injectable()
export class RecipientListRepository {
  constructor(private readonly database: Database) {}

  /** Lists recipients by their numbers. */
  async list(
    campaignId: string,
    query: RecipientQuery,
    place: Place,
  ): Promise<{ rows: ListedRecipient[]; total: number }> {
    const filter = toFilter(campaignId, query);
    const isFiltered = query.status !== undefined || query.result !== undefined;
    const found = await this.search(campaignId, query.search, isFiltered ? ALL : place);
    if (!found || (isFiltered && found.total > MAX_LOOKED_UP)) return this.read(filter, place);
    const ofFound = { ...filter, search: null, numbers: found.numbers };
    if (isFiltered) return this.read(ofFound, place);
    const rows = await this.database.query(LIST_RECIPIENTS, { ...ofFound, offset: 0, limit: place.limit });
    return { rows, total: found.total };
  }

  async find(campaignId: string, phoneNumber: string): Promise<(ListedRecipient & WaitFacts) | undefined> {
    if (!E164.test(phoneNumber)) return undefined;
    const filter = { ...toFilter(campaignId, {}), numbers: `{${phoneNumber}}` };
    const [listed] = await this.database.query(LIST_RECIPIENTS, { ...filter, offset: 0, limit: 1 });
    const [facts] = await this.database.query(FIND_WAIT_FACTS, { campaignId, phoneNumber });
    return listed && facts && { ...listed, ...facts };
  }

  /** Whether the campaign has recipients. */
  async hasAny(reader: Reader, campaignId: string): Promise<boolean> {
    return (await this.findEnd(reader, campaignId, '')) !== null;
  }

  /** Reads all recipients in batches, by their numbers, each by short statements. */
  async *batches(
    reader: Reader,
    campaignId: string,
    query: RecipientQuery,
  ): AsyncGenerator<ListedRecipient[], void> {
    const filter = toFilter(campaignId, query);
    for (let after = ''; ;) {
      const end = await this.findEnd(reader, campaignId, after);
      if (end === null) return;
      yield await reader.query(READ_BATCH, { ...filter, after, end });
      after = end;
    }
  }

  private async findEnd(reader: Reader, campaignId: string, after: string): Promise<string | null> {
    const [batch] = await reader.query(FIND_END_OF_BATCH, { campaignId, after });
    return batch?.end ?? null;
  }

  /** @returns undefined without a search, or if the recipients themselves must be read */
  private async search(
    campaignId: string,
    search: string | undefined,
    place: Place,
  ): Promise<FoundRecipients | undefined> {
    if (search === undefined || !canBeInBlocks(search)) return undefined;
    const [found] = await this.database.query(SEARCH_RECIPIENTS, { campaignId, search, ...place });
    return found?.isSearchable ? found : undefined;
  }

  private async read(
    filter: RecipientFilter,
    place: Place,
  ): Promise<{ rows: ListedRecipient[]; total: number }> {
    const rows = await this.database.query(LIST_RECIPIENTS, { ...filter, ...place });
    const [counted] = await this.database.query(COUNT_RECIPIENTS, filter);
    return { rows, total: counted?.total ?? 0 };
  }
}

import { Injectable } from '@nestjs/common';
import { Database, type Reader } from '../../../platform/database/database';
import { likePattern } from '../../../platform/database/like-pattern';
import { canonicalNumber, E164 } from '../../../platform/validation/phone-number';
import type { ContactResult, ProgressKey } from '../plan/campaign-status';
import {
  COUNT_RECIPIENTS,
  FIND_END_OF_BATCH,
  FIND_RECIPIENTS,
  type FoundRecipient,
  LIST_RECIPIENTS,
  type ListedRecipient,
  READ_BATCH,
  type RecipientFilter,
} from './recipient-list.sql';
import {
  canBeCounted,
  canBeInBlocks,
  FIND_FIRST_RECIPIENTS,
  FIND_NUMBER_IN_CAMPAIGNS,
  type RecipientSearch,
  SEARCH_CAMPAIGNS,
  SEARCH_RECIPIENTS,
} from './recipient-search.sql';

export type { FoundRecipient, ListedRecipient };

export interface RecipientQuery {
  status?: ProgressKey;
  result?: ContactResult;
  search?: string;
}

interface Place {
  offset: number;
  limit: number;
}

export interface RecipientList {
  rows: ListedRecipient[];
  total: number;
  /** Whether there may be more than are counted and listed. */
  isLowerBound: boolean;
}

const toFilter = (campaignId: string, { status, result, search }: RecipientQuery): RecipientFilter => ({
  campaignId,
  progress: status ?? null,
  result: result ?? null,
  search: search === undefined ? null : likePattern(search),
  numbers: null,
});

/** @returns the spellings in which a number can be stored: an earlier release stored it as it was given. [] for another text */
const listSpellings = (text: string): string[] =>
  E164.test(text) ? [...new Set([canonicalNumber(text) ?? text, text])] : [];

/** Lists recipients as the API shows them. The caller has found the campaign in its workspace. */
@Injectable()
export class RecipientListRepository {
  constructor(private readonly database: Database) {}

  /** Lists recipients by their numbers. */
  async list(campaignId: string, query: RecipientQuery, place: Place): Promise<RecipientList> {
    const filter = toFilter(campaignId, query);
    if (!query.search || filter.search === null) return this.read(filter, place);
    if (!canBeInBlocks(query.search)) return { rows: [], total: 0, isLowerBound: false };
    const search = { campaignId, search: query.search, pattern: filter.search };
    const isFiltered = query.status !== undefined || query.result !== undefined;
    const listed =
      isFiltered || !canBeCounted(query.search)
        ? await this.listFirst(search, filter, place)
        : await this.listCounted(search, filter, place);
    return listed ?? this.read(filter, place);
  }

  async find(
    workspaceId: string,
    campaignId: string,
    phoneNumber: string,
  ): Promise<FoundRecipient | undefined> {
    const numbers = listSpellings(phoneNumber);
    const campaignIds = numbers.map(() => campaignId);
    return (await this.database.query(FIND_RECIPIENTS, { workspaceId, campaignIds, numbers }))[0];
  }

  /**
   * Finds recipients in the campaigns of a workspace, the newest first.
   * @param search a number, or else a part of a number or of a name
   */
  async search(workspaceId: string, search: string, limit: number): Promise<FoundRecipient[]> {
    const numbers = listSpellings(search);
    const exact =
      numbers.length > 0
        ? await this.database.query(FIND_NUMBER_IN_CAMPAIGNS, { workspaceId, numbers, limit })
        : [];
    // The beginning of a number can be a number, too.
    const found = exact.length > 0 ? exact : await this.searchBlocks(workspaceId, search, limit);
    return this.database.query(FIND_RECIPIENTS, {
      workspaceId,
      campaignIds: found.map(({ campaignId }) => campaignId),
      numbers: found.map(({ number }) => number),
    });
  }

  private searchBlocks(workspaceId: string, search: string, limit: number) {
    const pattern = likePattern(search);
    if (pattern === null || !canBeInBlocks(search)) return [];
    return this.database.query(SEARCH_CAMPAIGNS, { workspaceId, search, pattern, limit });
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

  /** @returns undefined if the campaign has no blocks */
  private async listCounted(
    search: RecipientSearch,
    filter: RecipientFilter,
    place: Place,
  ): Promise<RecipientList | undefined> {
    const [found] = await this.database.query(SEARCH_RECIPIENTS, { ...search, ...place });
    if (!found?.isSearchable) return undefined;
    const shown = { ...filter, search: null, numbers: found.numbers, offset: 0, limit: place.limit };
    const rows = await this.database.query(LIST_RECIPIENTS, shown);
    return { rows, total: found.total, isLowerBound: !found.isComplete };
  }

  /** @returns undefined if the campaign has no blocks */
  private async listFirst(
    search: RecipientSearch,
    filter: RecipientFilter,
    place: Place,
  ): Promise<RecipientList | undefined> {
    const [found] = await this.database.query(FIND_FIRST_RECIPIENTS, search);
    if (!found?.isSearchable) return undefined;
    const list = await this.read({ ...filter, search: null, numbers: found.numbers }, place);
    return { ...list, isLowerBound: !found.isComplete };
  }

  private async read(filter: RecipientFilter, place: Place): Promise<RecipientList> {
    const rows = await this.database.query(LIST_RECIPIENTS, { ...filter, ...place });
    const [counted] = await this.database.query(COUNT_RECIPIENTS, filter);
    return { rows, total: counted?.total ?? 0, isLowerBound: false };
  }
}

import type { Schemas } from './types';

export interface Page<Item> {
  data: Item[];
  pagination: Schemas['Pagination'];
}

/** Reads one page. @param limit undefined: the default of the server */
export type ReadPage<Item> = (page: number, limit: number | undefined) => Promise<Page<Item>>;

/** The size of the pages while all are read. */
const WHOLE_LIST_LIMIT = 100;

/** The number of items that are recognized if they move to the next page. */
const REMEMBERED_ITEMS = 1_000;

/** A list of the API. Nothing is requested before it is read. */
export class List<Item> implements AsyncIterable<Item> {
  /** @param getId what an item is recognized by */
  constructor(
    private readonly readPage: ReadPage<Item>,
    private readonly getId: (item: Item) => string | number,
    private readonly limit: number | undefined,
  ) {}

  /** Reads one page; the first is 1. */
  page(number: number): Promise<Page<Item>> {
    return this.readPage(number, this.limit);
  }

  /** All items of all pages. One that a newer item moves to the next page meanwhile comes once. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    const limit = this.limit ?? WHOLE_LIST_LIMIT;
    const seen = new Set<string | number>();
    for (let number = 1; ; number += 1) {
      const { data, pagination } = await this.readPage(number, limit);
      for (const item of data) {
        const id = this.getId(item);
        if (seen.has(id)) continue;
        seen.add(id);
        if (seen.size > REMEMBERED_ITEMS) seen.delete(seen.values().next().value as string);
        yield item;
      }
      if (!pagination.hasNextPage) return;
    }
  }
}

/** The most items of a page. */
export const PAGE_SIZE = 100;

interface Page<Item> {
  data?: { data: Item[]; pagination: { hasNextPage: boolean } };
}

/**
 * Reads all items, or those of the first pages. An item that others move to the next page meanwhile is read twice, and
 * is in the result once.
 */
export async function readPages<Item>(
  read: (query: { page: number; limit: number }) => Promise<Page<Item>>,
  getId: (item: Item) => string,
  maxPages = Infinity,
): Promise<Item[]> {
  const items = new Map<string, Item>();
  for (let page = 1; page <= maxPages; page += 1) {
    const { data } = await read({ page, limit: PAGE_SIZE });
    for (const item of data?.data ?? []) items.set(getId(item), item);
    if (!data?.pagination.hasNextPage) break;
  }
  return [...items.values()];
}

import { getOffset, paginate, Paginated } from './pagination';

describe('A page', () => {
  const pagination = (page: number, limit: number, total: number) =>
    paginate([], { page, limit }, total).pagination;

  test.each([
    // page, limit, total: pages, next, previous
    [1, 10, 0, 0, false, false],
    [2, 10, 0, 0, false, false],
    [1, 10, 1, 1, false, false],
    [1, 10, 10, 1, false, false],
    [1, 10, 11, 2, true, false],
    [2, 10, 11, 2, false, true],
    [2, 10, 30, 3, true, true],
    [3, 10, 30, 3, false, true],
    [4, 10, 30, 3, false, true],
    [1_000_000_000, 100, 5, 1, false, true],
    [1, 1, 1_000_000_000, 1_000_000_000, true, false],
  ])(
    '%i of size %i, out of %i rows, says whether a page is before and after it',
    (page, limit, total, totalPages, hasNextPage, hasPrevPage) => {
      expect(pagination(page, limit, total)).toEqual({
        page,
        limit,
        total,
        totalPages,
        hasNextPage,
        hasPrevPage,
      });
    },
  );

  test('carries its data', () => {
    expect(paginate(['a'], { page: 1, limit: 1 }, 1)).toEqual(
      new Paginated(['a'], {
        page: 1,
        limit: 1,
        total: 1,
        totalPages: 1,
        hasNextPage: false,
        hasPrevPage: false,
      }),
    );
  });

  test('begins after the rows of those before it', () => {
    expect(getOffset({ page: 1, limit: 10 })).toBe(0);
    expect(getOffset({ page: 3, limit: 7 })).toBe(14);
    expect(getOffset({ page: 1_000_000_000, limit: 100 })).toBe(99_999_999_900);
  });
});

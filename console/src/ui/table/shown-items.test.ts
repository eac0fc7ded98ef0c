import { findRange, listShown } from './shown-items';

const WINDOW = { count: 1_000, height: 40, windowHeight: 800 };

describe('A long table renders', () => {
  test.each([
    ['below the header', 200, 0, 25],
    ['after some scrolling', -4_000, 90, 130],
    ['at its end', -39_600, 980, 1_000],
    ['far below the window', 10_000, 0, 0],
    ['far above the window', -60_000, 1_000, 1_000],
  ])('the rows near the window: %s', (_, top, from, to) => {
    expect(findRange({ ...WINDOW, top })).toEqual({ from, to });
  });

  test('all rows of a short one', () => {
    expect(findRange({ ...WINDOW, count: 12, top: 200 })).toEqual({ from: 0, to: 12 });
  });

  test('the rows with the focus and beside a panel, and their neighbours, wherever the window is', () => {
    expect(listShown({ from: 3, to: 6 }, [-1, -1], 10)).toEqual([3, 4, 5]);
    expect(listShown({ from: 3, to: 6 }, [0, -1], 10)).toEqual([0, 1, 3, 4, 5]);
    expect(listShown({ from: 3, to: 6 }, [0, 9], 10)).toEqual([0, 1, 3, 4, 5, 8, 9]);
    expect(listShown({ from: 3, to: 6 }, [4, 4], 10)).toEqual([3, 4, 5]);
  });
});

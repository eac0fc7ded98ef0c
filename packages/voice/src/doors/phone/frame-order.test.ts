import { FrameOrder } from './frame-order';

/** @returns the numbers of the frames, in the order in which they are given on */
const order = (...chunks: number[]): number[] => {
  const frames = new FrameOrder();
  return chunks.flatMap((chunk) => frames.push(chunk, Uint8Array.of(chunk))).flatMap((frame) => [...frame]);
};

test('frames that come in another order are put in theirs, and one that comes twice counts once', () => {
  expect(order(1, 3, 2, 2, 5, 4, 6)).toEqual([1, 2, 3, 4, 5, 6]);
});

test('a frame that is missing is waited for while up to five others wait, and is lost after that', () => {
  expect(order(1, 3, 4, 5, 6, 7)).toEqual([1]);
  expect(order(1, 3, 4, 5, 6, 7, 8, 2, 9)).toEqual([1, 3, 4, 5, 6, 7, 8, 9]);
});

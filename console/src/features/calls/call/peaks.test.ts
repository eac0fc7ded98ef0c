import { findPeaks } from './peaks';

test('each part of a sound has its loudest sample', () => {
  expect(findPeaks(Float32Array.of(0, 0.5, -1, 0.25), 2)).toEqual([0.5, 1]);
});

test('a sound that is shorter than its picture is silent at the end', () => {
  expect(findPeaks(Float32Array.of(0.5), 3)).toEqual([0.5, 0, 0]);
});

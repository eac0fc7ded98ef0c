import { Random } from '../../../src/tools/demo-data/random';
import { Expressions } from '../../../src/platform/validation/re2';
import { estimateSteps } from '../src/cli/import/patterns';

const PARTS = [
  'a',
  '\\d',
  '[a-z]',
  '[^"]',
  '(?:',
  '(',
  ')',
  '|',
  '*',
  '+?',
  '{2}',
  '{1,40}',
  '{3,}',
  '^',
  '$',
  '\\.',
  '.',
  '[\\w-]',
  '\\b',
  ' ',
];

describe('A regular expression that is taken over', () => {
  test.each(['^\\d{4}-\\d{2}-\\d{2}$', '^(?:yes|no)$', '[A-Z]{2}\\d{1,6}', '\\+[1-9]\\d{6,14}'])(
    'may be %s',
    (pattern) => expect(estimateSteps(pattern)).toBeLessThan(200),
  );

  test.each([
    '(?=a)',
    '(a)\\1',
    '\\p{L}',
    '(?<day>\\d)',
    '[',
    'a{500}',
    '(?:a{9}){9}',
    '[]',
    'x'.repeat(201),
  ])('is none that RE2 may refuse: %s', (pattern) => expect(estimateSteps(pattern)).toBeUndefined());

  test('is one that the server takes', () => {
    let taken = 0;
    for (let seed = 0; seed < 3_000; seed += 1) {
      const random = new Random(`pattern ${seed}`);
      const pattern = Array.from({ length: random.between([1, 8]) }, () => random.pick(PARTS)).join('');
      if (estimateSteps(pattern) === undefined) continue;
      expect([pattern, new Expressions().findProblem(pattern)]).toEqual([pattern, undefined]);
      taken += 1;
    }
    expect(taken).toBeGreaterThan(300);
  });
});

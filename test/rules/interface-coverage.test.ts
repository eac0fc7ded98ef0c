import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { endpoints } from './interface-endpoints';
import { runningTests, runningTestsIn } from './running-tests';
import {
  authorization,
  campaign,
  creating,
  foreignWorkspace,
  group,
  type TestReference,
  unauthorized,
  updated,
} from './test-references';

/** The rules of the interface for all endpoints. */
const everywhere: Record<string, Record<string, TestReference>> = {
  'Response envelope': {
    'status, message, data': group('platform', 'A successful answer')('has status, message and data'),
    pagination: group('platform', 'A successful answer')('of a list has a pagination next to its data'),
  },
  Authentication: {
    '1, either scheme': authorization('takes %s'),
    '2, a missing or invalid credential': unauthorized,
    '3, scoped tokens': group(
      'authorization',
      'A credential',
      'that is %s',
    )('has no access to any other route'),
    '4, the workspace of the credential': foreignWorkspace(
      'but not with its own id, where the interface accepts one',
    ),
  },
  Errors: {
    '409, error.details': group(
      'knowledge-base-create',
      'Creating a knowledge base',
      'with a name that is in use',
    )('is decided by the database for concurrent requests'),
    '422, details': campaign('refuses a file whole › reporting the first twenty rows with errors'),
  },
  Limits: {
    'limit, page': group('platform', 'A list')('has the same bounds of page and limit for every resource'),
    'llmConfig, sttConfig, callConfig': updated(
      'names every field of another type or out of its bounds, and changes nothing',
    ),
    'the same at creation': creating('keeps the bounds of every field'),
  },
};

const rows = Object.entries({ ...endpoints, ...everywhere }).flatMap(([section, tests]) =>
  Object.entries(tests).map(([row, reference]) => [`${section}: ${row}`, ...reference] as const),
);

describe('Every row of the interface has a test that runs', () => {
  const titles = new Map<string, string[]>();
  const getTitles = (file: string) => {
    const paths = [
      'api/FILE.test',
      'contract/FILE.test',
      'contract/FILE.slow.test',
      'slow/FILE.slow.test',
    ].map((path) => join(__dirname, '..', `${path.replace('FILE', file)}.ts`));
    const known = titles.get(file) ?? paths.filter(existsSync).flatMap(runningTests);
    titles.set(file, known);
    return known;
  };

  test.each(rows)('%s', (_, file, title) => {
    expect(getTitles(file)).toContain(title);
  });
});

test('A skipped test does not count as coverage', () => {
  const running = (source: string) => runningTestsIn(source);

  expect(
    running(
      `describe('a', () => { test.each([1])('b', () => {}); (x ? test : test.skip)('c', () => {}); test.concurrent('d', () => {}); });`,
    ),
  ).toEqual(['a › b', 'a › c', 'a › d']);
  for (const off of [
    'test.skip',
    'xtest',
    'test.todo',
    'test.failing',
    'describe.skip',
    '// test',
    'test.skip.each([1])',
  ]) {
    expect(running(`${off}('a', () => {})`)).toEqual([]);
  }
  expect(running(`describe.skip('a', () => { test('b', () => {}); });`)).toEqual([]);
  expect(running(`test('a', () => {}); test.only('b', () => {});`)).toEqual([]);
});

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..', '..');
const read = (...path: string[]) => readFileSync(join(root, ...path), 'utf8');
const tests = (name: string) => {
  const paths = ['test.ts', 'slow.test.ts'].map((ending) => `packages/voice/test/${name}.${ending}`);
  const path = paths.find((candidate) => existsSync(join(root, candidate)));
  if (!path) return `There is no ${paths.join(' or ')}`;
  const source = read(path);
  if (!source.includes("from './support/carrier-tests'")) return source;
  const shared = ['carrier-tests', 'shared-calls'];
  return shared.reduce(
    (all, file) => all + read('packages', 'voice', 'test', 'support', `${file}.ts`),
    source,
  );
};

const rows = read('docs', 'carriers', 'README.md')
  .split('| title of the test')[1]
  ?.split('\n')
  .slice(2)
  .filter((line) => line.startsWith('|'))
  .map((line) => [...line.matchAll(/`([^`]+)`/g)].map(([, words = '']) => words));

test('the table of tests with carriers has titles that exist', () => {
  expect(rows?.length).toBeGreaterThan(10);
  const missing = rows?.flatMap(([title = '', ...files]) => {
    const without = files.filter((file) => !tests(file).includes(`'${title}'`));
    return files.length === 0 || without.length > 0 ? [{ title, without }] : [];
  });
  expect(missing).toEqual([]);
});

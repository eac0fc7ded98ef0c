import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..', '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

const page = read('docs/changing.md');
const sections = page.split(/^## /m).slice(1);

/** A path in backticks: it has a folder or an extension. */
const PATH = /`([\w.-]+\/[\w./-]*|[\w-]*\.[\w.-]+)`/g;
/** `name` in `path`, or `name` and `name` in `path`. */
const NAMES = /((?:`\w+`(?: (?:and|or) )?)+) in `([^`]+)`/g;

describe('The page that says where to change something', () => {
  test.each(sections.map((section) => [section.split('\n')[0], section]))(
    'names files that exist: %s',
    (_, section) => {
      const paths = [...section.matchAll(PATH)].map(([, path]) => path as string);

      expect(paths.length).toBeGreaterThan(0);
      expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
    },
  );

  const named = [...page.matchAll(NAMES)].flatMap(([, names = '', path = '']) =>
    [...names.matchAll(/\w+/g)].map(([name]) => [name, path] as const),
  );

  test.each(named.filter(([name]) => !['and', 'or'].includes(name)))('%s is in %s', (name, path) => {
    expect(read(path)).toMatch(
      new RegExp(
        `^(export )?(abstract )?(async )?(const|class|type|interface|function) ${name}\\b|^  ${name}\\(`,
        'm',
      ),
    );
  });
});

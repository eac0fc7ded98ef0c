import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..', '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

const page = read('ARCHITECTURE.md');
const section = /## To change something\n([^]*?)\n## /.exec(page)?.[1] ?? '';
const rows = section.split('\n').filter((line) => /^\| (?!to change|---)/.test(line));

/** A path in backticks: it has a folder or an extension. */
const PATH = /`([\w.-]+\/[\w./-]*|[\w-]*\.[\w.-]+)`/g;
/** `name` in `path`, or `name` and `name` in `path`. */
const NAMES = /((?:`\w+`(?: (?:and|or) )?)+) in `([^`]+)`/g;

describe('The table of ARCHITECTURE.md that says where to change something', () => {
  test.each(rows.map((row) => [row.split('|')[1]?.trim(), row]))('names files that exist: %s', (_, row) => {
    const paths = [...row.matchAll(PATH)].map(([, path]) => path as string);

    expect(paths.length).toBeGreaterThan(0);
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  const named = [...section.matchAll(NAMES)].flatMap(([, names = '', path = '']) =>
    [...names.matchAll(/\w+/g)].map(([name]) => [name, path] as const),
  );

  test.each(named.filter(([name]) => !['and', 'or'].includes(name)))('%s stands in %s', (name, path) => {
    expect(read(path)).toMatch(
      new RegExp(`^(export )?(abstract )?(const|class|type|interface) ${name}\\b|^  ${name}\\(`, 'm'),
    );
  });
});

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..', '..');

/** The files of a row, "`slow/`: backup, bad-input/agents. `src/`: split-text", each with its folder. */
const readRow = (row: string) =>
  [...row.matchAll(/`([\w/-]+\/)`: ([^`|]+)/g)].flatMap(([, folder = '', names = '']) =>
    names
      .replace(/[. ]+$/, '')
      .split(', ')
      .map((name) => folder + name),
  );

/** A file as the table has it: within `test/` by its path, and otherwise below its package or `src/`. */
const toListed = (path: string) =>
  path
    .replace(/\.slow\.test\.ts$/, '')
    .replace(/^test\//, '')
    .replace(/^(packages\/[^/]+|src)\/.*\//, '$1/');

test('Contributing lists each slow test with its folder, and no other', () => {
  const page = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
  const section = /^### Slow tests$([^]*?)^### /m.exec(page)?.[1] ?? '';
  const listed = section.split('\n').flatMap(readRow);

  const files = execFileSync(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', '*.slow.test.ts'],
    { cwd: root, encoding: 'utf8' },
  );
  expect(listed.sort()).toEqual(files.trim().split('\n').map(toListed).sort());
});

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..', '..');

/** The names of a row, each behind a folder: "`e2e/`: backup, bad-input/agents." */
const readNames = (row: string) =>
  row.split(/`[\w/-]+\/`: /).flatMap((names) => names.replace(/[. |]+$/, '').split(', '));

test('Contributing lists each slow test, and no other', () => {
  const page = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
  const section = /^### Slow tests$([^]*?)^### /m.exec(page)?.[1] ?? '';
  const rows = section.split('\n').filter((line) => line.includes('/`: '));
  const listed = rows.flatMap((row) => readNames(row.slice(row.indexOf('`'))).filter(Boolean));

  const files = execFileSync(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', '*.slow.test.ts'],
    {
      cwd: root,
      encoding: 'utf8',
    },
  );
  const names = [...files.matchAll(/(?:(bad-input\/)|\/)([\w.-]+)\.slow\.test\.ts$/gm)].map(
    ([, folder = '', name]) => folder + (name ?? ''),
  );
  expect(listed.sort()).toEqual(names.sort());
});

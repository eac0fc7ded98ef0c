import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const root = join(__dirname, '..', '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

const pages = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => path !== '' && existsSync(join(root, path)));

/** A page without its blocks of code, which have no headings and no links. */
const getProse = (page: string) => read(page).replace(/^( *)```.*?^\1```$/gms, '');

/** The anchors that GitHub gives to the headings of a page. */
function getAnchors(page: string): string[] {
  return [...getProse(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** Returns the defect of a link of a page, if it has one. */
function findFault(page: string, link: string): string | undefined {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : relative(root, join(root, dirname(page), path));
  if (!existsSync(join(root, target))) return `${link}: there is no file ${target}`;
  if (anchor !== undefined && !getAnchors(target).includes(anchor))
    return `${link}: ${target} has no heading with the anchor ${anchor}`;
  return undefined;
}

describe('The documents', () => {
  test.each(pages)('have links that lead to a file and a heading: %s', (page) => {
    const links = [...getProse(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link as string);
    const own = links.filter((link) => !/^[a-z]+:/.test(link));

    expect(own.flatMap((link) => findFault(page, link) ?? [])).toEqual([]);
  });

  test('begin with a README of at most 150 lines, which links to each page in docs/', () => {
    const readme = read('README.md');
    expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(150);

    const documents = pages.filter((page) => /^docs\/[^/]+\.md$/.test(page));
    expect(documents.length).toBeGreaterThan(5);
    expect(documents.filter((page) => !readme.includes(`](${page}`))).toEqual([]);
  });
});

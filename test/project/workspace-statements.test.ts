import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { statementsOfProduct } from '../../scripts/statements';

const page = readFileSync(join(__dirname, '..', '..', 'docs', 'outgrowing.md'), 'utf8');
const listed =
  /```text\n([^]*?)```/.exec(page)?.[1]?.replace(/^\S+:/gm, '').split(/\s+/).filter(Boolean) ?? [];

describe('The page about outgrowing one Postgres', () => {
  const statements = statementsOfProduct();
  const others = statements.filter(({ text }) => !/workspace_?id/i.test(text)).map(({ name }) => name);

  test('lists every statement that does not name the workspace', () => {
    expect([...listed].sort()).toEqual([...new Set(others)].sort());
  });

  test('counts the statements', () => {
    const all = new Set(statements.map(({ name }) => name)).size;

    expect(page).toContain(`${all - listed.length} of the ${all} statements`);
    expect(page).toContain(`These ${listed.length} do not`);
  });
});

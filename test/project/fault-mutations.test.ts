import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { MUTATIONS } from '../faults/mutation-list';

const root = join(__dirname, '..', '..', 'src');

interface Statement {
  name: string;
  text: string;
}

const isStatement = (value: object): value is Statement => 'name' in value && 'text' in value;

/** Some exports are several statements. */
const statementsIn = (value: unknown): Statement[] => {
  if (typeof value !== 'object' || value === null) return [];
  return isStatement(value) ? [value] : Object.values(value).flatMap(statementsIn);
};

async function allStatements(): Promise<Statement[]> {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' });
  const modules = await Promise.all(
    files
      .filter((file) => file.endsWith('.sql.ts'))
      .map((file) => import(join(root, file)) as Promise<object>),
  );
  return modules.flatMap(statementsIn);
}

/** A change that finds nothing would make the suite report that it detects nothing. */
test('Each server that the fault suite breaks on purpose differs from the product', async () => {
  const statements = await allStatements();
  const changes = Object.values(MUTATIONS).flatMap((mutation) => mutation.changes);
  const unapplied = changes.filter(({ statement, from }) => {
    const changed = statements.filter(({ name }) => statement.test(name));
    return changed.length === 0 || !changed.every(({ text }) => text.includes(from));
  });
  expect(unapplied).toEqual([]);
});

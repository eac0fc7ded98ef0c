import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Statement } from '../../src/database/statement';
import { MUTATIONS } from '../faults/mutation-list';

const SOURCES = join(__dirname, '../../src');

type AnyStatement = Statement<object, object>;

const isStatement = (value: object): value is AnyStatement =>
  'name' in value && 'text' in value && 'parameters' in value;

/** The statements among the exports of a module, also those within its objects. */
function statementsIn(value: unknown): AnyStatement[] {
  if (typeof value !== 'object' || value === null) return [];
  return isStatement(value) ? [value] : Object.values(value).flatMap(statementsIn);
}

async function allStatements(): Promise<AnyStatement[]> {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' });
  const modules = files.filter((file) => file.endsWith('.sql.ts')).map((file) => import(join(SOURCES, file)));
  return (await Promise.all(modules)).flatMap(statementsIn);
}

describe('A server that the fault suite breaks on purpose', () => {
  const changes = Object.entries(MUTATIONS).flatMap(([name, mutation]) =>
    mutation.changes.map((change) => ({ name, ...change })),
  );

  test.each(changes)('has the text that it changes: $name, $statement', async ({ statement, from }) => {
    const changed = (await allStatements()).filter(({ name }) => statement.test(name));

    expect(changed.length).toBeGreaterThan(0);
    expect(changed.filter(({ text }) => !text.includes(from)).map(({ name }) => name)).toEqual([]);
  });
});

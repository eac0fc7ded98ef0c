import { readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { type DeclaredStatement, declaredStatements } from '../src/platform/database/statement';

const ROOT = join(__dirname, '..');

export const STATEMENTS_FILE = join(ROOT, 'docs', 'statements.sql');

const HEAD = `-- The SQL statements of the product as they are sent to Postgres, sorted by the folder of src/ and by name.
-- The sources compose many of them from parts that several statements share. Only line breaks and indentation differ.
-- Of statements that one export declares, such as a list in several orders, the first is shown and the others are named.
-- Queries that TypeORM makes are not here. npm run generate writes this file; do not edit it.
`;

export interface StatementOfFile extends DeclaredStatement {
  /** The file that exports the statement, such as `src/features/calls/lifecycle/call-transitions.sql.ts`. */
  readonly file: string;
  /** The file and the export that declare it, perhaps with others. */
  readonly family: string;
}

/** The files that may declare statements: a rule of .dependency-cruiser.cjs holds it. */
const MAY_DECLARE = /^src\/platform\/database\/[^/]+(?<!\.test)\.ts$|\.(repository|sql)\.ts$/;

const isStatement = (value: object): value is DeclaredStatement => 'text' in value && 'isPrepared' in value;

/** An export may contain several statements, such as one for each order of a list. */
function statementsIn(value: unknown): DeclaredStatement[] {
  if (typeof value !== 'object' || value === null) return [];
  return isStatement(value) ? [value] : Object.values(value).flatMap(statementsIn);
}

/**
 * All statements of the product, sorted by folder and name.
 * @throws Error for a statement that no file exports
 */
export function statementsOfProduct(): StatementOfFile[] {
  const found = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .map((file) => `src/${file.replaceAll(sep, '/')}`)
    .filter((file) => MAY_DECLARE.test(file))
    .flatMap((file) => {
      // eslint-disable-next-line @typescript-eslint/no-require-imports
      const exported: unknown = require(join(ROOT, file));
      return Object.entries(exported as object).flatMap(([name, value]) =>
        statementsIn(value).map((statement) => ({ ...statement, file, family: `${file} ${name}` })),
      );
    });
  const names = new Set(found.map(({ name }) => name));
  // Unit tests in the same process declare statements too.
  const lost = declaredStatements().filter(({ name }) => !names.has(name) && !name.startsWith('test-'));
  if (lost.length > 0) {
    const list = lost.map(({ name }) => name).join(', ');
    throw new Error(`Export these statements from the files that declare them: ${list}`);
  }
  return found
    .filter((statement) => !isCollected(statement, found))
    .sort((a, b) => compare(getFolder(a), getFolder(b)) || compare(a.name, b.name));
}

/** The list of read models has statements that other files declare. */
const isCollected = ({ name, file }: StatementOfFile, all: StatementOfFile[]) =>
  file.startsWith('src/read-models/') && all.some((other) => other.name === name && other.file !== file);

export const getFolder = ({ file }: StatementOfFile) => dirname(file).replace('src/', '');

const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b));

/** The beginning of a line that starts a new clause. */
const CLAUSE =
  /^(WITH|SELECT|FROM|WHERE|GROUP BY|HAVING|WINDOW|ORDER BY|LIMIT|OFFSET|FOR|UNION|EXCEPT|INTERSECT|INSERT|VALUES|ON CONFLICT|RETURNING|UPDATE|SET|DELETE|USING|(LEFT |CROSS )?JOIN|--|,|\))/;

/** A quoted text, a comment, a parenthesis, or a space before which or after which a line may end. */
const TOKEN =
  /'(?:[^']|'')*'|"[^"]*"|--.*|[()]|(?<=,) |(?<!CROSS|LEFT) (?=(?:AND|OR|WHEN|ELSE|FROM|WHERE|LEFT|CROSS|JOIN|ON|AS) )/g;

const MAX_LENGTH = 120;

/** Cuts a long line where the fewest parentheses are open, as late as possible. */
function wrapped(line: string): string[] {
  if (line.length <= MAX_LENGTH) return [line];
  let depth = 0;
  let best: { depth: number; index: number } | undefined;
  for (const { 0: token, index } of line.matchAll(TOKEN)) {
    if (token === '(') depth += 1;
    if (token === ')') depth -= 1;
    // The last line that fits, or the first that does not.
    if (index > MAX_LENGTH && best) break;
    if (token === ' ' && index > 0 && depth <= (best?.depth ?? Infinity)) best = { depth, index };
  }
  return best ? [line.slice(0, best.index), ...wrapped(line.slice(best.index + 1))] : [line];
}

/**
 * Indents each line by the parentheses that are open before it, and a line that continues a clause by two more. The
 * indentation in the sources is that of a part, wherever a statement has it.
 */
export function indented(sql: string): string {
  /** The indentation of the lines that opened the parentheses which are still open. */
  const open: number[] = [];
  const lines = sql
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .flatMap(wrapped);
  return lines
    .map((line) => {
      const inside = open.at(-1);
      const base = inside === undefined ? 0 : inside + 2;
      const indentation = line.startsWith(')') ? (inside ?? 0) : CLAUSE.test(line) ? base : base + 2;
      for (const [token] of line.matchAll(TOKEN)) {
        if (token === '(') open.push(indentation);
        if (token === ')') open.pop();
      }
      return ' '.repeat(indentation) + line;
    })
    .join('\n');
}

const familiesOf = (statements: StatementOfFile[]) =>
  [...new Set(statements.map(({ family }) => family))].map((family) =>
    statements.filter((statement) => statement.family === family),
  );

const described = ([first, ...others]: StatementOfFile[]) => {
  const { name, file, text, parameters, isPrepared } = first as StatementOfFile;
  return [
    `-- ${name} (${file})${isPrepared ? '' : ', not prepared'}`,
    ...others.map((other) => `-- also ${other.name}`),
    ...(parameters.length > 0
      ? [`-- ${parameters.map((parameter, index) => `$${index + 1} ${parameter}`).join(', ')}`]
      : []),
    `${indented(text)};`,
    '',
  ].join('\n');
};

export function statementsDocument(): string {
  const statements = statementsOfProduct();
  const folders = [...new Set(statements.map(getFolder))];
  return [
    HEAD,
    ...folders.flatMap((folder) => [
      `--\n-- src/${folder}/\n--\n`,
      ...familiesOf(statements.filter((statement) => getFolder(statement) === folder)).map(described),
    ]),
  ].join('\n');
}

if (require.main === module) writeFileSync(STATEMENTS_FILE, statementsDocument());

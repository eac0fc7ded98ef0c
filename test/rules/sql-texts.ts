import ts from 'typescript';

/** A text in quotes, a comment, a name, or a sign that separates names. */
const TOKEN = /'(?:[^']|'')*'|--.*|"[^"]*"|[a-z_]\w*|[(),]/gi;

/** A table, a subquery or a function follows these words. */
const BEFORE_TABLE = new Set(['from', 'join', 'into', 'update', 'table', 'using', 'only', 'lateral']);

/** These words end a list of tables. */
const AFTER_TABLES = new Set([
  ...['where', 'group', 'order', 'set', 'returning', 'limit', 'offset', 'on', 'having', 'window', 'union'],
  ...['select', 'values', 'for', 'with'],
]);

/** The names in an SQL text at places where a table can be, including those of common table expressions. */
export function tablesIn(sql: string): Set<string> {
  const found = new Set<string>();
  /** Whether a comma separates tables: outside of parentheses, and in each open one. */
  const lists = [false];
  let isNext = false;
  for (const [token] of sql.matchAll(TOKEN)) {
    if (token.startsWith('--')) continue;
    const word = token.toLowerCase();
    const top = lists.length - 1;
    const isTable = isNext;
    isNext = BEFORE_TABLE.has(word) || (word === ',' && lists[top] === true);
    if (word === '(') lists.push(false);
    else if (word === ')' && top > 0) lists.pop();
    else if (word === 'from' || word === 'using') lists[top] = true;
    else if (AFTER_TABLES.has(word)) lists[top] = false;
    else if (isTable && !isNext) found.add(word.replaceAll('"', ''));
  }
  return found;
}

const COMPARED = /(?:=|<>|\bWHEN|\bTHEN)\s*'([\w.]+)'|\b(?:IN|ANY)\s*\(([^()]*)\)/g;

/** The texts in quotes that an SQL text compares columns with. */
export const comparedValuesIn = (sql: string): string[] =>
  [...sql.matchAll(COMPARED)].flatMap(([, value, list = '']) =>
    value ? [value] : [...list.matchAll(/[\w.]+/g)].map(([each]) => each),
  );

const IS_SQL = /\b(SELECT|FROM|JOIN|INTO|UPDATE|DELETE|WHERE|AND|EXISTS|WITH|CASE)\b/;

/** The strings and templates of a source file that are SQL. Each value that a template inserts is a `?`. */
export function sqlTextsIn(file: string, source: string): string[] {
  const texts: string[] = [];
  const visit = (node: ts.Node) => {
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) texts.push(node.text);
    if (ts.isTemplateExpression(node)) {
      texts.push([node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join(' ? '));
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest));
  return texts.filter((text) => IS_SQL.test(text));
}

import { readFileSync } from 'node:fs';
import ts from 'typescript';

const KINDS: Record<string, 'test' | 'describe'> = { test: 'test', it: 'test', describe: 'describe' };

/** Recognizes `test` and `describe` with or without `.each` and `.concurrent`, but not `.skip`, `.todo` or `.failing`. */
function getKind(callee: ts.Expression): 'test' | 'describe' | undefined {
  if (ts.isIdentifier(callee)) return KINDS[callee.text];
  if (ts.isCallExpression(callee)) {
    const { expression: each } = callee;
    return ts.isPropertyAccessExpression(each) && each.name.text === 'each'
      ? getKind(each.expression)
      : undefined;
  }
  if (ts.isPropertyAccessExpression(callee) && callee.name.text === 'concurrent')
    return getKind(callee.expression);
  // (available ? describe : describe.skip) runs if its requirement is available.
  return ts.isParenthesizedExpression(callee) && ts.isConditionalExpression(callee.expression)
    ? getKind(callee.expression.whenTrue)
    : undefined;
}

/** The titles of the tests in a source that run, each after the titles of its groups. */
export function runningTestsIn(source: string): string[] {
  // With .only, the other tests of the file do not run.
  if (/\b(test|it|describe)\.only\b/.test(source)) return [];
  const titles: string[] = [];
  const visit = (node: ts.Node, groups: string[]): void => {
    if (ts.isCallExpression(node)) {
      const [title, body] = node.arguments;
      if (title && body && ts.isStringLiteralLike(title) && ts.isFunctionLike(body)) {
        const kind = getKind(node.expression);
        const path = [...groups, title.text];
        if (kind === 'test') titles.push(path.join(' › '));
        // The tests of a skipped group do not run either.
        if (kind === 'describe') ts.forEachChild(body, (child) => visit(child, path));
        return;
      }
    }
    ts.forEachChild(node, (child) => visit(child, groups));
  };
  visit(ts.createSourceFile('test.ts', source, ts.ScriptTarget.ES2022, true), []);
  return titles;
}

export const runningTests = (path: string) => runningTestsIn(readFileSync(path, 'utf8'));

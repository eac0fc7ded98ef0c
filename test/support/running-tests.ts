import { readFileSync } from 'node:fs';
import ts from 'typescript';

const KINDS: Record<string, 'test' | 'describe'> = { test: 'test', it: 'test', describe: 'describe' };

/** `test('…')` and `describe('…')`, also their `.each`; neither `.skip` nor `.todo` nor `.failing`. */
function kindOf(callee: ts.Expression): 'test' | 'describe' | undefined {
  if (ts.isIdentifier(callee)) return KINDS[callee.text];
  if (ts.isCallExpression(callee)) {
    const { expression: each } = callee;
    return ts.isPropertyAccessExpression(each) && each.name.text === 'each'
      ? kindOf(each.expression)
      : undefined;
  }
  // (available ? describe : describe.skip): runs where what it needs is there.
  return ts.isParenthesizedExpression(callee) && ts.isConditionalExpression(callee.expression)
    ? kindOf(callee.expression.whenTrue)
    : undefined;
}

/** The titles of the tests in a source that run, each after those of the groups that it is in. */
export function runningTestsIn(source: string): string[] {
  // The others of the file do not run then.
  if (/\b(test|it|describe)\.only\b/.test(source)) return [];
  const titles: string[] = [];
  const visit = (node: ts.Node, groups: string[]): void => {
    if (ts.isCallExpression(node)) {
      const [title, body] = node.arguments;
      if (title && body && ts.isStringLiteralLike(title) && ts.isFunctionLike(body)) {
        const kind = kindOf(node.expression);
        const path = [...groups, title.text];
        if (kind === 'test') titles.push(path.join(' › '));
        // What is in a group that does not run does not run either.
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

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const FOLDER = join(__dirname, '../../console/src');

/** What is shown or read out, whether it is an attribute of an element or a member of an object. */
const SHOWN =
  /^(aria-(label|description|valuetext)|alt|title|placeholder|label|caption|header|help|empty|text|action|after|any|closeLabel)$/;

const WORD = /\p{L}/u;
const SENTENCE = /^\p{Lu}.*\s\p{L}/u;

const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter(
  (file) => /\.tsx?$/.test(file) && !/^texts\/|\.test\.ts$|^api\/schema\.ts$/.test(file),
);

/** The letters of a literal, with a space in the place of what is filled in. */
function literalOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return [node.head, ...node.templateSpans.map(({ literal }) => literal)].map(({ text }) => text).join(' ');
}

/** Only for developers: the console shows a sentence of its texts in their place. */
const isOfError = ({ parent }: ts.Node) =>
  ts.isNewExpression(parent) && ts.isIdentifier(parent.expression) && parent.expression.text === 'Error';

/** A command is the same in every language. */
const isCode = ({ parent }: ts.Node) =>
  ts.isJsxElement(parent) && parent.openingElement.tagName.getText() === 'code';

/** Whether a literal is a child of an element, or what an attribute or a member that is shown has. */
function isShown(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isJsxExpression(parent)) return ts.isJsxAttribute(parent.parent) ? isShown(parent) : true;
  if (
    ts.isConditionalExpression(parent) ||
    ts.isBinaryExpression(parent) ||
    ts.isParenthesizedExpression(parent)
  )
    return parent.getText().includes('===') && ts.isBinaryExpression(parent) ? false : isShown(parent);
  return (
    (ts.isJsxAttribute(parent) || (ts.isPropertyAssignment(parent) && parent.initializer === node)) &&
    SHOWN.test(parent.name.getText())
  );
}

function textsIn(file: string, code: string): string[] {
  const source = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node) => {
    const literal = literalOf(node);
    const isText =
      (ts.isJsxText(node) && WORD.test(node.text) && !isCode(node)) ||
      (literal !== undefined &&
        !isOfError(node) &&
        (SENTENCE.test(literal) || (WORD.test(literal) && !literal.startsWith('https:') && isShown(node))));
    if (isText) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart());
      found.push(`${file}:${line + 1}: ${node.getText().trim()}`);
    }
    node.forEachChild(visit);
  };
  visit(source);
  return found;
}

describe('The texts of the console', () => {
  test('all stand in the files of texts, so that another language is another folder', () => {
    expect(files.length).toBeGreaterThan(100);
    expect(files.flatMap((file) => textsIn(file, readFileSync(join(FOLDER, file), 'utf8')))).toEqual([]);
  });

  test.each([
    ['between tags', '<p>Hello</p>'],
    ['in braces', "<p>{isOld ? 'old' : <b />}</p>"],
    ['in a template', '<p>{`${count} calls`}</p>'],
    ['in an attribute', '<input aria-label="Name" />'],
    ['in an attribute with braces', "<Field label={isOld ? 'Old' : name} />"],
    ['in a column', "const column = { header: 'Name' }"],
    ['in a sentence of a function', "fail('The server did not answer.')"],
  ])('are found %s', (_, code) => {
    expect(textsIn('page.tsx', code)).toHaveLength(1);
  });

  test.each([
    ['a class', '<p className={`${styles.a} wide`} role="status" />'],
    ['a comparison', "<p>{kind === 'file' && <b />}</p>"],
    ['a sign', '<p>–</p>'],
    ['a command', '<code>npm start</code>'],
    ['a query key', "useQuery({ queryKey: ['all API keys'] })"],
    ['an error for developers', "throw new Error('Nothing is chosen.')"],
  ])('are not %s', (_, code) => {
    expect(textsIn('page.tsx', code)).toEqual([]);
  });
});

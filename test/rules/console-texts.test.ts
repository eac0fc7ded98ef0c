import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { commentsIn, isHalfSentence } from '../support/comments';

const FOLDER = join(__dirname, '../../console/src');

/** The names of attributes of elements and members of objects whose values are shown or read out. */
const SHOWN =
  /^(aria-(label|description|valuetext)|alt|title|placeholder|label|caption|header|help|empty|text|action|after|any|closeLabel)$/;

const WORD = /\p{L}/u;
const SENTENCE = /^\p{Lu}.*\s\p{L}{2}/u;

const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter(
  (file) => /\.tsx?$/.test(file) && !/^texts\/|\.test\.ts$|^api\/schema\.ts$/.test(file),
);

/** The letters of a literal, with a space in the place of what is filled in. */
function getLiteral(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return [node.head, ...node.templateSpans.map(({ literal }) => literal)].map(({ text }) => text).join(' ');
}

/** The texts of errors are for developers only: the console shows a sentence of its texts instead. */
const isOfError = ({ parent }: ts.Node) =>
  ts.isNewExpression(parent) && ts.isIdentifier(parent.expression) && parent.expression.text === 'Error';

/** A command is the same in every language. */
const isCode = ({ parent }: ts.Node) =>
  ts.isJsxElement(parent) && parent.openingElement.tagName.getText() === 'code';

/** Whether a literal is a child of an element, or the value of an attribute or a member that is shown. */
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
    const literal = getLiteral(node);
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

/** Words for a thing that has another name in the console. */
const TWINS: [RegExp, string][] = [
  [/\bworkers?\b/i, 'runtime'],
  [/\bdisconnect(ed)?\b/i, 'ended'],
  [/\b(user|caller|customer|callee) (hangup|hung up)\b/i, 'person hung up'],
  [/\breason of the end\b/i, 'end reason'],
  [/\bby UTC\b/, '(UTC)'],
  [/\b(requests|credits) a (minute|day)\b/i, 'per minute, per day'],
  [/\bgoes on at\b/i, 'resumes at'],
];

/** The texts of a file, without the names of the members. */
function literalsIn(code: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node) => {
    const isName = ts.isPropertyAssignment(node.parent) && node.parent.name === node;
    const literal = ts.isImportDeclaration(node.parent) || isName ? undefined : getLiteral(node);
    if (literal !== undefined) found.push(literal);
    node.forEachChild(visit);
  };
  ts.createSourceFile('texts.ts', code, ts.ScriptTarget.Latest, true).forEachChild(visit);
  return found;
}

const twinsIn = (code: string) =>
  literalsIn(code).flatMap((text) =>
    TWINS.filter(([twin]) => twin.test(text)).map(([, word]) => `${text}: say "${word}"`),
  );

describe('The texts of the console', () => {
  test('have one word for one thing', () => {
    const folder = join(FOLDER, 'texts');
    const codes = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'));
    expect(codes.flatMap(literalsIn).length).toBeGreaterThan(1_000);
    expect(codes.flatMap(twinsIn)).toEqual([]);
  });

  test.each([
    ["const a = { worker: 'Worker' }", 1],
    ['const a = { text: (count: number) => `${count} workers` }', 1],
    ["const a = { user_hangup: 'user hangup' }", 1],
    ["const a = { worker_id: 'Runtime id', 'worker lost': 'runtime lost' }", 0],
  ])('have a twin or none: %s', (code, count) => {
    expect(twinsIn(code)).toHaveLength(count);
  });

  test('have comments with a subject: none begins in the middle of a sentence', () => {
    const comments = [...files, 'texts/calls.ts'].flatMap((file) =>
      commentsIn(file, readFileSync(join(FOLDER, file), 'utf8')),
    );
    expect(comments.length).toBeGreaterThan(300);
    expect(comments.filter(isHalfSentence)).toEqual([]);
  });

  test('name a code of the API as the glossary does', () => {
    const own = files.filter((file) =>
      /(reason|outcome|key)\??\.replaceAll\('_'/.test(readFileSync(join(FOLDER, file), 'utf8')),
    );
    expect(own).toEqual([]);
  });

  test('are all in the files of texts, so that another language is another folder', () => {
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
    ['the path of a picture', 'draw(`M${x},${y}v${height}`)'],
    ['an error for developers', "throw new Error('Nothing is chosen.')"],
  ])('are not %s', (_, code) => {
    expect(textsIn('page.tsx', code)).toEqual([]);
  });
});

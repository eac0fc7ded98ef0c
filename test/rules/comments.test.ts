import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commentsIn, isHalfSentence } from '../support/comments';

const ROOT = join(__dirname, '..', '..');
const FOLDERS = ['src', 'test', 'bench', 'launch', 'generate', 'console/src', 'packages'];

const SO_WITHOUT_THAT = /\bso (?:long|many|much|often)\b(?!(?: \w+){0,3} that\b| as\b)/;
const RARE_PRONOUN = /\bwhoever\b/i;

const files = FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
).filter(
  (file) => /\.(tsx?|mjs|cjs)$/.test(file) && !/migrations|node_modules|dist|comments\.test/.test(file),
);

const lines = files.flatMap((file) =>
  readFileSync(join(ROOT, file), 'utf8')
    .split('\n')
    .map((line) => `${file}: ${line.trim()}`),
);

describe('The comments of the sources', () => {
  test('have a subject: none begins in the middle of a sentence', () => {
    const comments = files.flatMap((file) => commentsIn(file, readFileSync(join(ROOT, file), 'utf8')));
    expect(comments.length).toBeGreaterThan(4_000);
    expect(comments.filter(isHalfSentence)).toEqual([]);
  });

  test('have "this long" for a length of their own, and "so long" only before a "that" or an "as"', () => {
    expect(lines.filter((line) => SO_WITHOUT_THAT.test(line))).toEqual([]);
  });

  test('do not have the word "whoever", which leaves open who acts', () => {
    expect(lines.filter((line) => RARE_PRONOUN.test(line))).toEqual([]);
  });

  test.each([
    ['in one line', '/** Of the workspace. */', 1],
    ['in several lines', 'const a = 1;\n\n/**\n * Those of a campaign.\n */', 1],
    ['before a statement', '  // So that it ends.', 1],
    ['after a statement', 'const a = 1; // Who called.', 1],
    ['that has its noun', '/** The id of the workspace. */', 0],
    ['with the word within', '/** The number of those. */', 0],
    ['in an address', "const a = 'https://Of/';", 0],
  ])('are judged %s', (_, code, count) => {
    expect(commentsIn('file.ts', code).filter(isHalfSentence)).toHaveLength(count);
  });
});

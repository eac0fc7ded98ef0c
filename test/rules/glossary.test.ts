import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..', '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const GLOSSARY = 'docs/glossary.md';

/** The rows of all tables: the word and the words that are not used for it. */
const entries = [...read(GLOSSARY).matchAll(/^\| (?!word|-)([^|]+)\|([^|]+)\|([^|]*)\|$/gm)].map(
  ([, word = '', meaning = '', twins = '']) => ({
    word: word.trim(),
    meaning: meaning.trim(),
    twins: twins
      .split(',')
      .map((twin) => twin.trim())
      .filter(Boolean),
  }),
);

/** Generated files and fixed texts of others have their own words. */
const NOT_OURS = /^(docs\/(openapi\.json|statements\.sql)|package-lock\.json)$/;

const files = execFileSync(
  'git',
  ['ls-files', 'src', 'console/src', 'packages', 'docs', 'examples', '*.md'],
  {
    cwd: root,
    encoding: 'utf8',
  },
)
  .split('\n')
  .filter((path) => /\.(tsx?|mts|py|md|yaml)$/.test(path) && path !== GLOSSARY && !NOT_OURS.test(path));

/** Comments, without the names in backticks. */
const readComments = (path: string) =>
  (read(path).match(/\/\*\*[^]*?\*\/|(?:^|\s)\/\/ .*$/gm) ?? []).map((comment) =>
    comment.replaceAll(/`[^`]*`/g, ''),
  );

/** Files with the names of the interface, and those in which a conversation is what is said. */
const SAYS_CONVERSATION = /\/conversations?[.-]|^src\/(features\/reports\/conversations|tools)\//;

describe('The glossary', () => {
  test('explains each word in one or two sentences', () => {
    expect(entries.length).toBeGreaterThan(30);
    expect(entries.filter(({ meaning }) => !/^[A-Z][^]*\.$/.test(meaning))).toEqual([]);
    const words = entries.flatMap(({ word }) => word.split(', '));
    expect(words.filter((word, index) => words.indexOf(word) !== index)).toEqual([]);
  });

  const twins = entries.flatMap(({ word, twins: others }) => others.map((twin) => [twin, word] as const));

  test.each(twins)('is followed in the code and the documents: "%s" is "%s"', (twin) => {
    const pattern = new RegExp(`\\b${twin.replaceAll(' ', '[ -]')}s?\\b`, 'i');
    const found = files.flatMap((path) =>
      read(path)
        .split('\n')
        .flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1}: ${line.trim()}`] : [])),
    );
    expect(found).toEqual([]);
  });

  test('is followed in the comments of the server: a "conversation" of the interface is a "call"', () => {
    const server = files.filter((path) => path.startsWith('src/') && !SAYS_CONVERSATION.test(path));
    const found = server.flatMap((path) =>
      readComments(path).flatMap((comment) =>
        /\bconversations?\b/i.test(comment) ? [`${path}: ${comment.trim()}`] : [],
      ),
    );
    expect(server.length).toBeGreaterThan(400);
    expect(found).toEqual([]);
  });
});

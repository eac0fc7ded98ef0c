import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..', '..');

type Body = (...values: unknown[]) => void;
const ignore = () => undefined;

/** The titles of the tests that a file declares, without those that it skips. */
async function listTitles(path: string): Promise<string[]> {
  const titles: string[] = [];
  const note = (title: string) => void titles.push(title);
  const runEach = (rows: readonly unknown[]) => (_: string, body: Body) => {
    for (const row of rows) body(...(Array.isArray(row) ? (row as unknown[]) : [row]));
  };
  const skip = Object.assign(() => undefined, { each: () => ignore });
  const stubs = {
    test: Object.assign(note, { each: () => note, concurrent: note, skip }),
    describe: Object.assign((_: string, body: Body) => body(), { each: runEach, skip: ignore }),
    ...{ beforeAll: ignore, beforeEach: ignore, afterEach: ignore, afterAll: ignore },
    jest: { setTimeout: ignore },
  };
  const globals = globalThis as unknown as Record<string, unknown>;
  const own = Object.fromEntries(Object.keys(stubs).map((name) => [name, globals[name]]));
  Object.assign(globals, stubs);
  try {
    await import(path);
  } finally {
    Object.assign(globals, own);
  }
  return titles;
}

/** The test files of the table, with their titles. */
const files = new Map<string, string[]>();
async function findTitles(name: string): Promise<string[]> {
  const paths = ['test.ts', 'slow.test.ts'].map((ending) =>
    join(root, 'packages/voice/test', `${name}.${ending}`),
  );
  const path = paths.find((candidate) => existsSync(candidate));
  if (path === undefined) throw new Error(`There is no ${paths.join(' or ')}`);
  const titles = files.get(name) ?? (await listTitles(path));
  files.set(name, titles);
  return titles;
}

const rows = readFileSync(join(root, 'docs', 'carriers', 'README.md'), 'utf8')
  .split('| title of the test')[1]
  ?.split('\n')
  .slice(2)
  .filter((line) => line.startsWith('|'))
  .map((line) => [...line.matchAll(/`([^`]+)`/g)].map(([, words = '']) => words));

/** The files with the same tests of each carrier. */
const SHARED = ['carrier-twilio', 'carrier-relay', 'carrier-telnyx', 'carrier-asterisk'];

/** A pattern of titles, whose `%s` are words. */
const toPattern = (title: string) =>
  new RegExp(`^${title.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('%s', '.+')}$`);

test('each test in the table of tests with carriers runs in the files of its row, and in no other file of a carrier', async () => {
  expect(rows?.length).toBeGreaterThan(10);
  const wrong: { title: string; file: string; runs: boolean }[] = [];
  for (const [title = '', ...named] of rows ?? []) {
    expect(named).not.toEqual([]);
    const isShared = named.some((file) => SHARED.includes(file));
    for (const file of new Set([...named, ...(isShared ? SHARED : [])])) {
      const runs = (await findTitles(file)).some((each) => toPattern(title).test(each));
      if (runs !== named.includes(file)) wrong.push({ title, file, runs });
    }
  }
  expect(wrong).toEqual([]);
});

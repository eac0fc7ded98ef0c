import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const CONSOLE = join(process.env.TEST_BUILD as string, 'console');
const ASSETS = join(CONSOLE, 'assets');

const files = readdirSync(ASSETS).filter((file) => file.endsWith('.js'));
const codes = new Map(files.map((file) => [file, readFileSync(join(ASSETS, file), 'utf8')]));

/** The file that a browser gets for a name without its hash. */
const find = (name: string) => {
  const found = files.filter((file) => file.replace(/-[\w-]{8}\.js$/, '') === name);
  if (found.length !== 1) throw new Error(`${found.length} files are named ${name}.`);
  return found[0] as string;
};

/** Adds a file, and the files that a browser loads before it runs this one. */
function load(file: string, loaded: Set<string>): void {
  if (loaded.has(file)) return;
  loaded.add(file);
  for (const [, imported] of codes.get(file)?.matchAll(/\b(?:from|import)"\.\/([\w.-]+\.js)"/g) ?? [])
    load(imported as string, loaded);
}

/** The JavaScript that a browser without a cache loads for these parts of a page, in kB. */
function weigh(...parts: string[]): number {
  const [, entry = ''] =
    /src="\/assets\/([\w.-]+\.js)"/.exec(readFileSync(join(CONSOLE, 'index.html'), 'utf8')) ?? [];
  const loaded = new Set<string>();
  for (const file of [entry, ...parts.map(find)]) load(file, loaded);
  return [...loaded].reduce((sum, file) => sum + statSync(join(ASSETS, `${file}.br`)).size, 0) / 1_000;
}

describe('The JavaScript of the console, compressed by brotli', () => {
  test.each(['overview-page', 'login'])('is at most 140 kB for the first page: %s', (page) => {
    const size = weigh(page);
    expect(size).toBeGreaterThan(90);
    expect(size).toBeLessThan(140);
  });

  test('is at most 240 kB for each page', () => {
    const pages = files.filter((file) => /-page-[\w-]{8}\.js$/.test(file));
    expect(pages.length).toBeGreaterThan(15);
    expect(Math.max(...pages.map((file) => weigh(file.replace(/-[\w-]{8}\.js$/, ''))))).toBeLessThan(240);
    expect(weigh('agent-page', 'create-editor')).toBeLessThan(240);
  });
});

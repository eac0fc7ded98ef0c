import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';

const folder = join(__dirname, '..', '..', 'scripts');

/** What a script imports before its first statement: a `require` within a function is indented. */
const findImports = (file: string) =>
  [
    ...readFileSync(join(folder, file), 'utf8').matchAll(
      /^(?:import|export)\b[^;]*?'([^']+)';|^(?:const|let) [^;]*?= require\('([^']+)'\)/gm,
    ),
  ].map(([, imported, required]) => (imported ?? required) as string);

/** The packages that a script needs as soon as it starts, itself or by another script. */
function findPackages(file: string, seen = new Set<string>()): string[] {
  if (seen.has(file)) return [];
  seen.add(file);
  return findImports(file).flatMap((name) => {
    if (name.startsWith('./')) return findPackages(name.slice(2), seen);
    return builtinModules.includes(name.replace(/^node:/, '')) ? [] : [`${file}: ${name}`];
  });
}

describe('The scripts', () => {
  const installing = readdirSync(folder).filter(
    (file) => file.endsWith('.mjs') && findImports(file).includes('./install.mjs'),
  );

  test.each(installing)('%s starts in a new clone, which has no packages', (file) => {
    expect(findPackages(file)).toEqual([]);
  });

  test('that install the packages are those of the npm commands', () => {
    expect(installing).toEqual(
      expect.arrayContaining(['start.mjs', 'test.mjs', 'operator.mjs', 'voice.mjs']),
    );
    expect(findPackages('server-processes.mjs')).toEqual(['server-processes.mjs: prom-client']);
  });
});

import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { transformFile } from '@swc/core';
import { root } from '../process/root.mjs';

/** Compiles src/, without the tests, into a folder. The second argument is the project, if it is another one. */
const [, , folder, project = root] = process.argv;
const sources = join(project, 'src');
const files = readdirSync(sources, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /(?<!\.d|\.test)\.ts$/.test(entry.name))
  .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
await Promise.all(
  files.map(async (file) => {
    const target = join(folder, relative(sources, file)).replace(/ts$/, 'js');
    const { code, map } = await transformFile(file, { cwd: project, configFile: join(project, '.swcrc') });
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, `${code}\n//# sourceMappingURL=${basename(target)}.map\n`);
    writeFileSync(`${target}.map`, map);
  }),
);

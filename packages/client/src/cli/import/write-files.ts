import { mkdir, open, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CommandFailed, UsageError } from '../errors';
import { toYaml } from '../to-yaml';

/**
 * Writes all files into a folder, as YAML, or none. A file that exists must be the same.
 * @returns the paths of those that are new
 * @throws CommandFailed if one is there with another content @throws UsageError if one cannot be written
 */
export async function writeFiles(folder: string, contents: ReadonlyMap<string, object>): Promise<string[]> {
  const files = new Map<string, string>();
  for (const [path, content] of contents) files.set(path, await toYaml(content));
  const written: string[] = [];
  try {
    const missing = await findMissing(folder, files);
    for (const path of missing) {
      const file = join(folder, path);
      await mkdir(dirname(file), { recursive: true });
      const opened = await open(file, 'wx');
      // One that cannot be written to its end is removed, too.
      written.push(file);
      try {
        await opened.writeFile(files.get(path) ?? '');
      } finally {
        await opened.close();
      }
    }
    return missing;
  } catch (error) {
    for (const file of written) await rm(file, { force: true });
    if (!('syscall' in (error as object))) throw error;
    throw new UsageError(`${folder} cannot be written: ${(error as Error).message}`);
  }
}

async function findMissing(folder: string, files: ReadonlyMap<string, string>): Promise<string[]> {
  const missing: string[] = [];
  const taken: string[] = [];
  for (const [path, text] of files) {
    const other = path.replace(/\.yaml$/, '.json');
    const [same, json] = [await readExisting(join(folder, path)), await readExisting(join(folder, other))];
    if (json !== undefined) taken.push(other);
    else if (same === undefined) missing.push(path);
    else if (same !== text) taken.push(path);
  }
  if (taken.length === 0) return missing;
  throw new CommandFailed(
    `Nothing was written: ${folder} has ${taken.join(', ')} with another content. Move them away, or name another folder.`,
  );
}

async function readExisting(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

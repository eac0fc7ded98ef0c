import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { UsageError } from './errors';

/** The server and the key that `parley login` keeps. */
export interface Config {
  url: string;
  apiKey: string;
}

export const configPath = (): string => join(homedir(), '.config', 'parley', 'config.json');

/** @returns undefined if no key is kept */
export async function readConfig(): Promise<Config | undefined> {
  const path = configPath();
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new UsageError(`${path} cannot be read: ${(error as Error).message}`);
  }
  const config = parse(text);
  if (config) return config;
  throw new UsageError(`${path} is damaged. Delete it, and run parley login again.`);
}

/** Only the user can read the file, from its first byte on. */
export async function writeConfig(config: Config): Promise<void> {
  const path = configPath();
  const unfinished = `${path}.${process.pid}`;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  try {
    await writeFile(unfinished, `${JSON.stringify(config, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
    await chmod(unfinished, 0o600);
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

function parse(text: string): Config | undefined {
  try {
    const { url, apiKey } = JSON.parse(text) as Partial<Config>;
    return typeof url === 'string' && typeof apiKey === 'string' ? { url, apiKey } : undefined;
  } catch {
    return undefined;
  }
}

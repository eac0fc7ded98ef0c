import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { toYaml } from '../to-yaml';
import { CommandFailed, UsageError } from '../errors';
import { readYamlObject } from '../input';
import { writeDownload } from '../write-download';
import type { Definition, Kind, Named, Resource } from './resource';

const FOLDERS: Record<Kind, string> = { agent: 'agents', rehearsal: 'rehearsals', tool: 'tools' };
const KINDS = Object.keys(FOLDERS) as Kind[];

/** The names of files that are those of slugs. */
const STEM = /^[a-z\d][\w-]{0,199}$/;

/** A file and what it defines. */
export interface CodeFile {
  /** Within the folder, such as `agents/front-desk.yaml`. */
  path: string;
  resources: Resource[];
}

/** The files of a folder, by their paths without the ending. */
export type CodeFiles = Map<string, CodeFile>;

/** The path of the file of a resource, without the ending. @throws CommandFailed */
export function toStem({ kind, slug }: Named): string {
  const [stem = ''] = slug.split('/');
  if (STEM.test(stem)) return `${FOLDERS[kind]}/${stem}`;
  throw new CommandFailed(`The ${kind} ${slug} cannot be the name of a file.`);
}

/** @throws UsageError if it is no folder @throws CommandFailed on a file that is not valid */
export async function readFiles(dir: string, stdin: NodeJS.ReadStream): Promise<CodeFiles> {
  const files: CodeFiles = new Map();
  for (const kind of KINDS) {
    for (const name of await list(join(dir, FOLDERS[kind]))) {
      const path = `${FOLDERS[kind]}/${name}`;
      const [, stem] = /^([^.].*)\.(?:ya?ml|json)$/.exec(name) ?? [];
      if (stem === undefined) continue;
      if (name.endsWith('.yml')) throw new CommandFailed(`${path} is not read. Name it ${stem}.yaml.`);
      const key = `${FOLDERS[kind]}/${stem}`;
      if (files.has(key)) throw new CommandFailed(`${path} is there as .json and as .yaml. Remove one.`);
      const content = await readYamlObject(join(dir, path), stdin);
      files.set(key, { path, resources: toResources(kind, stem, content, path) });
    }
  }
  return files;
}

async function list(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw new UsageError(`${folder} cannot be read: ${(error as Error).message}`);
  }
}

/** @throws UsageError */
export async function assertFolder(dir: string): Promise<void> {
  const found = await stat(dir).catch(() => undefined);
  if (!found?.isDirectory()) throw new UsageError(`${dir} is no folder.`);
}

/** Writes a file with its resources, or removes it if there are none. */
export async function writeFile(dir: string, { path, resources }: CodeFile): Promise<void> {
  const file = join(dir, path);
  if (resources.length === 0) return refusing(file, () => rm(file, { force: true }));
  const content = toContent(resources);
  const text = path.endsWith('.json') ? `${JSON.stringify(content, null, 2)}\n` : await toYaml(content);
  await writeText(file, text);
}

/** Writes a text into a file, which is replaced whole. @throws UsageError */
export async function writeText(file: string, text: string): Promise<void> {
  await refusing(file, () => mkdir(dirname(file), { recursive: true }));
  await writeDownload(file, [Buffer.from(text)]);
}

async function refusing(file: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw new UsageError(`${file} cannot be written: ${(error as Error).message}`);
  }
}

function toResources(kind: Kind, stem: string, content: Definition, path: string): Resource[] {
  if (kind !== 'rehearsal') return [{ kind, slug: stem, definition: content }];
  const { agent = stem, rehearsals, ...others } = content;
  const unknown = Object.keys(others)[0];
  if (unknown !== undefined) throw new CommandFailed(`${path} has no member ${unknown}.`);
  if (agent !== stem) throw new CommandFailed(`${path} must have the agent ${stem}, or none.`);
  if (!Array.isArray(rehearsals)) throw new CommandFailed(`${path} has no list of rehearsals.`);
  const names = new Set<string>();
  return rehearsals.map((each: unknown, index) => {
    const { name, ...definition } = (typeof each === 'object' && each ? each : {}) as Definition;
    if (typeof name !== 'string') throw new CommandFailed(`${path}: rehearsals.${index} has no name.`);
    if (names.has(name)) throw new CommandFailed(`${path} has two rehearsals ${name}.`);
    names.add(name);
    return { kind, slug: `${stem}/${name}`, definition };
  });
}

function toContent(resources: Resource[]): object {
  const [{ kind, slug, definition }] = resources as [Resource];
  if (kind !== 'rehearsal') return definition;
  const rehearsals = resources.map((each) => ({ name: each.slug.split('/')[1], ...each.definition }));
  return { agent: slug.split('/')[0], rehearsals };
}

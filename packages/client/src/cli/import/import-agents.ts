import { basename } from 'node:path';
import { CommandFailed } from '../errors';
import { AgentImport } from './agent-import';
import { ELEVENLABS } from './elevenlabs';
import { takeName, toSlug } from './names';
import type { Platform, PlatformName } from './platform';
import { RETELL } from './retell';
import { Part, type Report } from './source';
import { ToolFiles } from './tool-files';
import { VAPI } from './vapi';

export const PLATFORMS: Record<PlatformName, Platform> = {
  vapi: VAPI,
  retell: RETELL,
  elevenlabs: ELEVENLABS,
};

/** The largest agent, which gets the defaults beside it. */
const MAX_BYTES = 1_000 * 1_024;

/** The levels of a source. JSON of thousands of levels would exhaust the stack. */
const MAX_DEPTH = 100;

export interface Imported {
  reports: Report[];
  /** The contents of the files, by their paths. */
  files: Map<string, object>;
  /** The names of the variables of the environment that have the secrets. */
  environment: string[];
}

/**
 * Makes the files of agents and of their tools from those of another platform.
 * @throws CommandFailed if one of them is no agent
 */
export function importAgents(platform: Platform, sources: { path: string; text: string }[]): Imported {
  const tools = new ToolFiles();
  const slugs = new Set<string>();
  const files = new Map<string, object>();
  const reports = sources.map(({ path, text }) => {
    const source = new Part(readSource(platform, path, text));
    const agent = new AgentImport(source, tools, platform.variables);
    platform.read(agent);
    agent.definition.fill({ name: toSlug(basename(path, '.json')) });
    const definition = agent.finish(platform.defaults);
    if (Buffer.byteLength(JSON.stringify(definition)) > MAX_BYTES)
      throw new CommandFailed(`${path} would be an agent larger than ${MAX_BYTES / 1_024} KB`);
    const slug = takeName(toSlug(String(definition.name)), slugs, '-');
    files.set(`agents/${slug}.yaml`, definition);
    return source.report(slug);
  });
  for (const [name, tool] of tools.files) files.set(`tools/${name}.yaml`, tool);
  return { reports, files, environment: tools.environment };
}

function readSource(platform: Platform, path: string, text: string): Record<string, unknown> {
  const value = parse(path, text);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new CommandFailed(`${path} is no JSON object: give each agent a file of its own`);
  if (isDeeper(value, MAX_DEPTH))
    throw new CommandFailed(`${path} is nested more than ${MAX_DEPTH} levels deep`);
  const source = value as Record<string, unknown>;
  const mismatch = platform.findMismatch(source);
  if (mismatch !== undefined) throw new CommandFailed(`${path} ${mismatch}`);
  return source;
}

/** The message of the parser has a part of the text, which may be a secret. */
function parse(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const [, position] = /at position (\d+)/.exec((error as Error).message) ?? [];
    const lines = text.slice(0, Number(position)).split('\n');
    const at =
      position === undefined ? '' : `, in line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}`;
    throw new CommandFailed(`${path} is not JSON${at}`);
  }
}

function isDeeper(value: object, depth: number): boolean {
  let level: object[] = [value];
  for (let at = 0; at < depth && level.length > 0; at += 1)
    level = level.flatMap((each) =>
      Object.values(each).filter((part): part is object => typeof part === 'object' && part !== null),
    );
  return level.length > 0;
}

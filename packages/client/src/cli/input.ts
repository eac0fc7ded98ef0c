import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { CommandFailed, UsageError } from './errors';

/** Reads a file; `-` is the standard input. @throws UsageError if it cannot be read */
export async function readInput(path: string, stdin: NodeJS.ReadStream): Promise<File> {
  if (path === '-') return new File([await buffer(stdin)], 'stdin');
  try {
    return new File([await readFile(path)], basename(path));
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${(error as Error).message}`);
  }
}

/** Reads the text of a small file. @throws CommandFailed if it is larger @throws UsageError if it cannot be read */
export async function readText(path: string, stdin: NodeJS.ReadStream, maxBytes: number): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const part of path === '-' ? stdin : createReadStream(path)) {
      bytes += (part as Uint8Array).length;
      if (bytes > maxBytes) break;
      parts.push(part as Uint8Array);
    }
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${(error as Error).message}`);
  }
  if (bytes > maxBytes) throw new CommandFailed(`${path} is larger than ${maxBytes / 1_024 ** 2} MB`);
  // It leaves out a byte order mark.
  return new TextDecoder().decode(Buffer.concat(parts));
}

/** Reads a file with a JSON object. @throws UsageError, CommandFailed */
export const readJsonObject = (path: string, stdin: NodeJS.ReadStream) =>
  readObject(path, stdin, { name: 'JSON', parse: (text) => JSON.parse(text) as unknown });

/** Reads a file with an object of YAML 1.2 without aliases, which includes JSON. @throws UsageError, CommandFailed */
export async function readYamlObject(path: string, stdin: NodeJS.ReadStream) {
  // Other commands need none, and start faster.
  const { CORE_SCHEMA, load } = await import('js-yaml');
  const parse = (text: string) => load(text, { schema: CORE_SCHEMA, maxAliases: 0 });
  return readObject(path, stdin, { name: 'YAML', parse });
}

/** More than any body of the API has. */
const MAX_OBJECT_BYTES = 20 * 1_024 ** 2;

async function readObject(
  path: string,
  stdin: NodeJS.ReadStream,
  { name, parse }: { name: string; parse: (text: string) => unknown },
): Promise<Record<string, unknown>> {
  const text = await readText(path, stdin, MAX_OBJECT_BYTES);
  let value: unknown;
  try {
    value = parse(text);
  } catch (error) {
    // The other lines show the place in the file.
    const [reason] = (error as Error).message.split('\n');
    throw new CommandFailed(`${path} is not ${name}: ${reason}`);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw new CommandFailed(`${path} is not an object of ${name}`);
}

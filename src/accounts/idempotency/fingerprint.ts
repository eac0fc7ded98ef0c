import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import stringify from 'safe-stable-stringify';
import { UploadedFile } from '../../platform/http/uploaded-file';

/** SHA-256 of a body, whatever the order of its fields and the boundary of its form; files count by what is in them. */
export async function computeFingerprint(body: object): Promise<Buffer> {
  const fields = await Promise.all(
    Object.entries(body).map(async ([name, value]: [string, unknown]) => [
      name,
      value instanceof UploadedFile ? await describe(value) : value,
    ]),
  );
  const text = stringify(Object.fromEntries(fields)) as string;
  return createHash('sha256').update(text).digest();
}

async function describe({ path, name, contentType }: UploadedFile) {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return { name, contentType, sha256: hash.digest('hex') };
}

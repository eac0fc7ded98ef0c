import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';
import { UnreadableDocumentError } from '../documents/unreadable-document.error';

type Unpack = (packed: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

const unpackZlib: Unpack = promisify(inflate);
const unpackRaw: Unpack = promisify(inflateRaw);

const UNPACKERS: Record<string, Unpack> = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  // It means zlib's format, whose first byte ends in 8, but some servers send it bare.
  deflate: (packed, options) =>
    ((packed[0] ?? 0) & 0x0f) === 8 ? unpackZlib(packed, options) : unpackRaw(packed, options),
  br: promisify(brotliDecompress),
};

const tooLarge = (maxBytes: number) =>
  new UnreadableDocumentError(`it is larger than ${Math.floor(maxBytes / 1024)} KiB`);

async function collect(body: Readable, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * Reads a body and unpacks it. Neither the packed nor the unpacked bytes may be more than the limit, and no more than
 * that is ever held, whatever the sender promises.
 */
export async function readBounded(body: Readable, encoding: string, maxBytes: number): Promise<Buffer> {
  const name = encoding.trim().toLowerCase();
  const isPacked = name !== '' && name !== 'identity';
  const unpack = Object.hasOwn(UNPACKERS, name) ? UNPACKERS[name] : undefined;
  // Several at once are not known either: no honest server packs twice, and a bomb does.
  if (isPacked && !unpack) throw new UnreadableDocumentError('it is packed in a way that we do not know');
  const bytes = await collect(body, maxBytes);
  if (!unpack || bytes.length === 0) return bytes;
  try {
    return await unpack(bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    const isTooLarge = (error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE';
    throw isTooLarge ? tooLarge(maxBytes) : new UnreadableDocumentError('it is packed wrongly');
  }
}

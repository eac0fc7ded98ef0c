import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';
import { OutboundRequestError } from './outbound-request.error';

type Decompress = (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

const decompressZlib: Decompress = promisify(inflate);
const decompressRaw: Decompress = promisify(inflateRaw);

const DECOMPRESSORS: Record<string, Decompress> = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  // The encoding deflate means zlib's format, whose first byte ends in 8, but some servers send raw deflate.
  deflate: (bytes, options) =>
    ((bytes[0] ?? 0) & 0x0f) === 8 ? decompressZlib(bytes, options) : decompressRaw(bytes, options),
  br: promisify(brotliDecompress),
};

const tooLarge = (maxBytes: number) =>
  new OutboundRequestError(`it is larger than ${Math.floor(maxBytes / 1024)} KiB`);

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
 * Reads a body and decompresses it, and never holds more than `maxBytes` of either.
 * @throws OutboundRequestError
 */
export async function readBody(body: Readable, contentEncoding: string, maxBytes: number): Promise<Buffer> {
  const encoding = contentEncoding.trim().toLowerCase();
  const isCompressed = encoding !== '' && encoding !== 'identity';
  const decompress = Object.hasOwn(DECOMPRESSORS, encoding) ? DECOMPRESSORS[encoding] : undefined;
  // Several encodings at once are refused too: servers do not send them, and a decompression bomb does.
  if (isCompressed && !decompress) throw new OutboundRequestError('its content encoding is not supported');
  const bytes = await collect(body, maxBytes);
  if (!decompress || bytes.length === 0) return bytes;
  try {
    return await decompress(bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    const isTooLarge = (error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE';
    throw isTooLarge ? tooLarge(maxBytes) : new OutboundRequestError('its content cannot be decompressed');
  }
}

import type { IncomingHttpHeaders } from 'node:http';

/** The answer of a receiver as it is kept with an attempt. */
export interface ReceiverAnswer {
  headers: Record<string, string>;
  /** The first 4 KB as text. Bytes that are not UTF-8 are replaced. */
  body: string;
}

const MAX_BODY_BYTES = 4_096;

const MAX_HEADER_CHARACTERS = 4_096;

/** Reading a usual body to its end lets the receiver close its connection without an error. */
const MAX_READ_BYTES = 16_384;

/** Cookies are secrets of the receiver. */
const SECRET_HEADERS = new Set(['set-cookie', 'set-cookie2']);

// Postgres stores no NUL.
const toStorable = (text: string) => text.replaceAll('\0', '\uFFFD');

/** Reads the body as far as it arrives. The status decides, so an error in the body is ignored. */
async function readStart(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk.subarray(0, Math.max(0, MAX_BODY_BYTES - size)));
      size += chunk.length;
      if (size >= MAX_READ_BYTES) break;
    }
  } catch {
    // The part that arrived is kept.
  }
  return Buffer.concat(chunks);
}

/** The headers in their order, as many as there is room for. */
function toHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const kept: [string, string][] = [];
  let room = MAX_HEADER_CHARACTERS;
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || SECRET_HEADERS.has(name)) continue;
    const text = [value].flat().join(', ');
    room -= name.length + text.length;
    if (room >= 0) kept.push([name, toStorable(text)]);
  }
  return Object.fromEntries(kept);
}

/** A character that the limit cuts is left out, not replaced. */
const decode = (bytes: Buffer) =>
  new TextDecoder().decode(bytes, { stream: bytes.length === MAX_BODY_BYTES });

/** Reads an answer, and keeps the beginning. Never throws. */
export async function readReceiverAnswer(
  headers: IncomingHttpHeaders,
  body: AsyncIterable<Buffer>,
): Promise<ReceiverAnswer> {
  return { headers: toHeaders(headers), body: toStorable(decode(await readStart(body))) };
}

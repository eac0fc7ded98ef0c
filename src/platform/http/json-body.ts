import { raw, type Request, type Response } from 'express';
import { MIMEType } from 'node:util';
import { clientClosedRequest } from './client-abort-signal';
import { ApiError, type FieldError, validationFailed } from './errors';
import { countJsonNodes } from '../validation/json-nodes';
import { isInheritedName, isStorableText } from '../validation/storable';
import { malformedYaml, parseYaml } from './yaml-body';

export const MAX_BODY_BYTES = 1024 * 1024;
/** The number of nodes is higher than the fields of any route have together at their own bounds. */
const MAX_NODES = 25_000;
const MAX_DEPTH = 32;
const MAX_NAMES = 1_000;
const MAX_ITEMS = 10_000;

const utf8 = new TextDecoder('utf-8', { fatal: true });

const readRaw = raw({ type: () => true, limit: MAX_BODY_BYTES });

const badBody = (details: string) => new ApiError('MALFORMED_JSON', 'Malformed JSON', { details });

export const bodyTooLarge = () =>
  new ApiError('PAYLOAD_TOO_LARGE', 'Payload Too Large', {
    details: 'The body must not be larger than 1 MB.',
  });

const tooManyNodes = () =>
  new ApiError('PAYLOAD_TOO_LARGE', 'Payload Too Large', {
    details:
      `The body must not have more than ${MAX_NODES} values: its opening brackets, commas and colons outside of ` +
      'strings are counted.',
  });

/** The time is enough for a megabyte at 300 kbit/s. */
const MAX_BODY_MS = 30_000;

export const bodyTooSlow = () =>
  new ApiError('REQUEST_TIMEOUT', 'Request Timeout', {
    details: `The body did not arrive within ${MAX_BODY_MS / 1_000} s.`,
  });

/** Finds what is valid JSON but cannot be stored in Postgres, or is not safe as a JavaScript object. */
export function findUnstorable(value: unknown, path: string, depth: number): FieldError | undefined {
  if (typeof value === 'string') {
    if (isStorableText(value)) return undefined;
    return { field: path, message: 'must not contain a NUL character or half of a surrogate pair' };
  }
  if (typeof value === 'number' && !Number.isFinite(value)) {
    return { field: path, message: 'must be a number that fits into 64 bits' };
  }
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth === MAX_DEPTH) return { field: path, message: `must not be nested more than ${MAX_DEPTH} deep` };
  const entries = Object.entries(value);
  // class-transformer compares each name of an object with all others, and class-validator visits each item before it
  // counts them: a megabyte of either would take seconds.
  if (Array.isArray(value)) {
    if (entries.length > MAX_ITEMS)
      return { field: path, message: `must not have more than ${MAX_ITEMS} items` };
  } else if (entries.length > MAX_NAMES) {
    return { field: path, message: `must not have more than ${MAX_NAMES} names` };
  }
  for (const [key, item] of entries) {
    const field = `${path}.${key}`;
    if (isInheritedName(key)) return { field, message: `${key} is not allowed as a name` };
    if (!isStorableText(key)) {
      return { field: path, message: 'must not have a NUL character or half of a surrogate pair in a name' };
    }
    const found = findUnstorable(item, field, depth + 1);
    if (found) return found;
  }
  return undefined;
}

/** The JSON mode of body-parser would replace invalid UTF-8 instead of refusing it. */
function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw badBody('The body is not valid UTF-8.');
  }
}

function parseJson(bytes: Buffer): unknown {
  // A megabyte of empty objects would take half a second to parse and to validate.
  if (countJsonNodes(bytes, MAX_NODES + 1) > MAX_NODES) throw tooManyNodes();
  const text = decode(bytes);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw badBody((error as Error).message);
  }
}

function parse(bytes: Buffer, isYaml: boolean): object {
  const value = isYaml
    ? parseYaml(decode(bytes), { maxDepth: MAX_DEPTH, maxNodes: MAX_NODES, tooManyNodes })
    : parseJson(bytes);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw isYaml
      ? malformedYaml(1, 'the body must be an object')
      : badBody('The body must be a JSON object.');
  }
  assertStorable(value);
  return value;
}

/** @throws 400 on the first value that cannot be stored */
export function assertStorable(body: object): void {
  const unstorable = findUnstorable(body, 'body', 0);
  if (unstorable) throw validationFailed([unstorable]);
}

export const isMultipart = (request: Request) => hasBody(request) && !!request.is('multipart/form-data');

export const unsupportedMediaType = (contentType = 'none', acceptedTypes = ['application/json']) =>
  new ApiError('UNSUPPORTED_MEDIA_TYPE', 'Unsupported media type', {
    details: `The content type is ${contentType}; send ${acceptedTypes.join(' or ')}.`,
  });

/** @throws 415 for a declared charset other than UTF-8 */
function assertUtf8({ headers }: Request): void {
  const { 'content-type': contentType } = headers;
  const charset = contentType && new MIMEType(contentType).params.get('charset');
  if (!charset || /^utf-?8$/i.test(charset)) return;
  throw new ApiError('UNSUPPORTED_MEDIA_TYPE', 'Unsupported media type', {
    details: `The charset is ${charset}; send JSON in utf-8.`,
  });
}

/** @throws 415 for a body that would have to be decoded first */
export function assertNotEncoded({ headers }: Request): void {
  const { 'content-encoding': encoding = 'identity' } = headers;
  if (/^identity$/i.test(encoding)) return;
  throw new ApiError('UNSUPPORTED_MEDIA_TYPE', 'Unsupported media type', {
    details: `The content encoding is ${encoding}; send the body without one.`,
  });
}

export const hasBody = ({ headers }: Request) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** body-parser would refuse a large body of unknown length only at its end, which may never come. */
function readBytes(request: Request, response: Response): Promise<Buffer> {
  const { 'content-length': length } = request.headers;
  return new Promise((resolve, reject) => {
    if (Number(length) > MAX_BODY_BYTES) return reject(bodyTooLarge());
    // A slow body occupies a share of its workspace's memory.
    const timer = setTimeout(() => reject(bodyTooSlow()), MAX_BODY_MS).unref();
    let received = 0;
    if (length === undefined) {
      request.on('data', (chunk: Buffer) => {
        received += chunk.length;
        if (received > MAX_BODY_BYTES) reject(bodyTooLarge());
      });
    }
    readRaw(request, response, (error?: Error & { type?: string }) => {
      clearTimeout(timer);
      if (error) reject(error.type === 'entity.too.large' ? bodyTooLarge() : error);
      // body-parser reads nothing of a request whose client is gone, and reports no error.
      else if (request.body === undefined) reject(clientClosedRequest());
      else resolve(request.body as Buffer);
    });
  });
}

/**
 * The object of a body in JSON or YAML; an empty object without a body.
 * @throws 400, 413, 415
 */
export async function readObject(
  request: Request,
  response: Response,
  { isYaml = false } = {},
): Promise<object> {
  if (!hasBody(request)) return {};
  // A destroyed request emits no further event.
  if (request.destroyed) throw clientClosedRequest();
  assertUtf8(request);
  return parse(await readBytes(request, response), isYaml);
}

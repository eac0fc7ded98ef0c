import { raw, type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { ApiError, type FieldError, validationFailed } from './errors';
import { isInheritedName, isStorableText } from './storable';

const MAX_DEPTH = 32;

const utf8 = new TextDecoder('utf-8', { fatal: true });

const badBody = (details: string) => new ApiError(400, 'Malformed JSON', { details });

/** What JSON can say but Postgres can't store or a JavaScript object can't carry unharmed. */
function findUnstorable(value: unknown, path: string, depth: number): FieldError | undefined {
  if (typeof value === 'string') {
    if (isStorableText(value)) return undefined;
    return { field: path, message: 'must not contain a NUL character or half of a surrogate pair' };
  }
  if (typeof value === 'number' && !Number.isFinite(value)) {
    return { field: path, message: 'must be a number that fits into 64 bits' };
  }
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth === MAX_DEPTH) return { field: path, message: `must not be nested more than ${MAX_DEPTH} deep` };
  for (const [key, item] of Object.entries(value)) {
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

/** body-parser's own JSON mode would replace broken UTF-8 instead of refusing it. */
function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw badBody('The body is not valid UTF-8.');
  }
}

function parse(bytes: Buffer): object {
  const text = decode(bytes);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw badBody((error as Error).message);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw badBody('The body must be a JSON object.');
  }
  assertStorable(value);
  return value;
}

/** @throws 400 that names what of a body can't be stored */
export function assertStorable(body: object): void {
  const unstorable = findUnstorable(body, 'body', 0);
  if (unstorable) throw validationFailed([unstorable]);
}

export const isMultipart = (request: Request) => hasBody(request) && !!request.is('multipart/form-data');

export const unsupportedMediaType = (request: Request) =>
  new ApiError(415, 'Unsupported media type', {
    details: `The content type is ${request.headers['content-type'] ?? 'none'}; send application/json.`,
  });

const hasBody = (request: Request) =>
  request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;

/** Reads JSON bodies up to `limit`; another content type is a 415. Forms are left to `multipart.ts`. */
export function jsonBody(limit: string): RequestHandler {
  const read = raw({ type: () => true, limit });
  return (request: Request, response: Response, next: NextFunction) => {
    if (!hasBody(request) || isMultipart(request)) {
      request.body = {};
      return next();
    }
    if (!request.is('application/json')) return next(unsupportedMediaType(request));
    read(request, response, (error?: unknown) => {
      if (error) return next(error);
      try {
        request.body = parse(request.body as Buffer);
        next();
      } catch (problem) {
        next(problem);
      }
    });
  };
}

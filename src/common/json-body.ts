import { raw, type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { ApiError, type FieldError, validationFailed } from './errors';
import { isStorableText } from './fields';

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
    // class-transformer drops these two without a word.
    if (key === '__proto__' || key === 'constructor')
      return { field, message: `${key} is not allowed as a name` };
    if (!isStorableText(key)) return { field: path, message: 'must not have a NUL character in a name' };
    const found = findUnstorable(item, field, depth + 1);
    if (found) return found;
  }
  return undefined;
}

function parse(bytes: Buffer): object {
  let value: unknown;
  try {
    // body-parser's own JSON mode would replace broken UTF-8 instead of refusing it.
    value = JSON.parse(utf8.decode(bytes));
  } catch (error) {
    if (error instanceof TypeError) throw badBody('The body is not valid UTF-8.');
    throw badBody((error as Error).message);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw badBody('The body must be a JSON object.');
  }
  const unstorable = findUnstorable(value, 'body', 0);
  if (unstorable) throw validationFailed([unstorable]);
  return value;
}

const hasBody = (request: Request) =>
  request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;

/** Reads JSON bodies up to `limit`; another content type is a 415. */
export function jsonBody(limit: string): RequestHandler {
  const read = raw({ type: () => true, limit });
  return (request: Request, response: Response, next: NextFunction) => {
    if (!hasBody(request)) {
      request.body = {};
      return next();
    }
    if (!request.is('application/json')) {
      const given = request.headers['content-type'] ?? 'none';
      return next(
        new ApiError(415, 'Unsupported media type', {
          details: `The content type is ${given}; send application/json.`,
        }),
      );
    }
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

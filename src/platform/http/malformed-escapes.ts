import type { NextFunction, Request, Response } from 'express';

const isDecodable = (text: string) => {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
};

const escapeLiterally = (segment: string) =>
  isDecodable(segment) ? segment : segment.replaceAll('%', '%25');

/**
 * Reads percent signs that encode nothing as literal ones, so that such a path has a malformed id, which is a 404.
 * The router would answer it with 400 before the request has an id and a line in the log.
 */
export function takeMalformedEscapesLiterally(request: Request, _: Response, next: NextFunction): void {
  if (request.url.includes('%')) {
    request.url = request.url.replace(/^[^?]*/, (path) => path.split('/').map(escapeLiterally).join('/'));
  }
  next();
}

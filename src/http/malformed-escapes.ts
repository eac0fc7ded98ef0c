import type { NextFunction, Request, Response } from 'express';

const isDecodable = (text: string) => {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
};

const literally = (segment: string) => (isDecodable(segment) ? segment : segment.replaceAll('%', '%25'));

/**
 * Takes percent signs that encode nothing for what they are. The router would refuse such a path before anything else
 * had seen it; so it leads where every other one leads: to a route, as a malformed id, or nowhere.
 */
export function takeMalformedEscapesLiterally(request: Request, _: Response, next: NextFunction): void {
  if (request.url.includes('%')) {
    request.url = request.url.replace(/^[^?]*/, (path) => path.split('/').map(literally).join('/'));
  }
  next();
}

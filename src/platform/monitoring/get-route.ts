import { isUUID } from 'class-validator';
import type { Request } from 'express';

/** The pattern of the request's path, such as `/api/do-not-call/:phone_number`. null: no route matches. */
export function getRoute({ route }: Pick<Request, 'route'>): string | null {
  const path = (route as { path?: string | RegExp } | undefined)?.path;
  // Only the root is matched by an expression.
  return path instanceof RegExp ? '/' : (path ?? null);
}

/** The parameters of the path that are ids. Others can be the number of a person, or anything that a client made up. */
export const getIds = ({ params }: Pick<Request, 'params'>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(params ?? {}).filter(([, value]) => isUUID(value)));

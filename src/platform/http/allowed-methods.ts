import type { Request } from 'express';

interface Layer {
  match(path: string): boolean;
  route?: { methods: Record<string, boolean> };
}

/**
 * Returns the methods of the routes that match the request's path, in upper case.
 * @returns an empty list if no route matches
 */
export function allowedMethods(request: Request): string[] {
  const { stack } = request.app.router as unknown as { stack: Layer[] };
  const methods = stack
    .filter((layer) => layer.route && layer.match(request.path))
    .map((layer) => Object.keys(layer.route?.methods ?? {}))
    // The route of a handler has one method, the route of a middleware has all of them.
    .flatMap((names) => (names.length === 1 ? names : []))
    .map((method) => method.toUpperCase());
  return [...new Set(methods)].sort();
}

import type { Request } from 'express';

interface Layer {
  match(path: string): boolean;
  route?: { methods: Record<string, boolean> };
}

/** The methods that routes of the request's path take, in capitals; empty where the path has no route. */
export function allowedMethods(request: Request): string[] {
  const { stack } = request.app.router as unknown as { stack: Layer[] };
  const methods = stack
    .filter((layer) => layer.route && layer.match(request.path))
    .map((layer) => Object.keys(layer.route?.methods ?? {}))
    // A handler's route takes one method, a middleware's every one.
    .flatMap((names) => (names.length === 1 ? names : []))
    .map((method) => method.toUpperCase());
  return [...new Set(methods)].sort();
}

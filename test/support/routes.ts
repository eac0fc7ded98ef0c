import { ALL_ROUTES, type Route } from '../../generate/routes';
import { McpController } from '../../src/features/mcp/mcp.controller';

export { ALL_ROUTES, type Route };

/** The routes of the REST API. `/mcp` speaks another protocol, and has its own tests. */
export const ROUTES = ALL_ROUTES.filter(({ controller }) => controller !== McpController);

/** The routes that a credential of a workspace can use. The others need that of a call: see recordings.test.ts and transfers.test.ts. */
export const WORKSPACE_ROUTES = ROUTES.filter(({ access }) => access?.reach !== 'call');

/** The number of a repetition is a parameter of a path, and no id. */
export const isId = (parameter: string): boolean => parameter !== 'repeat';

/** The path with values for its parameters. */
export const buildPath = ({ path }: Route, values: Record<string, string>): string =>
  path.replace(/{(\w+)}/g, (_, name: string) => {
    const value = isId(name) ? values[name] : '1';
    if (value === undefined) throw new Error(`There is no value for {${name}} of ${path}.`);
    return encodeURIComponent(value);
  });

/** These routes answer with something else than an envelope; their own tests check it. */
export const NOT_ENVELOPED = [
  'GET /metrics',
  'GET /oidc/callback',
  'GET /oidc/sign-in',
  'GET /api/live',
  'GET /api/calls/export',
  'GET /api/calls/{call_id}/recording',
  'GET /api/campaign/{campaign_id}/recipients/export',
  'GET /api/tool-invocations/export',
  'GET /api/agents/{agent_id}/rehearsals/export',
  'GET /api/rehearsal-runs/{run_id}/report',
  'GET /api/rehearsal-runs/{run_id}/junit',
];

/** The routes whose paths match one path, such as `/api/do-not-call/import` and `/api/do-not-call/{phone_number}`. */
export const routesOfPath = (path: string): Route[] =>
  ROUTES.filter((route) => new RegExp(`^${route.path.replace(/{\w+}/g, '[^/]+')}$`).test(path));

import 'reflect-metadata';
import { type DynamicModule, RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, MODULE_METADATA, PATH_METADATA } from '@nestjs/common/constants';
import { AppModule } from '../../src/app/app.module';
import { McpController } from '../../src/features/mcp/mcp.controller';
import { ACCESS, type Access } from '../../src/platform/http/access';
import type { AuditAction } from '../../src/accounts/audit/audit-actions';
import { AUDITED } from '../../src/accounts/audit/audited';

export interface Route {
  /** The name, such as `GET /api/agents/{agent_id}`. */
  name: string;
  method: string;
  path: string;
  /** The names in braces. */
  parameters: string[];
  /** undefined if the handler does not declare its access. */
  access: Access | undefined;
  /** undefined if the audit does not record the route. */
  action: AuditAction | undefined;
  controller: Type;
}

type ModuleReference = Type | DynamicModule;

const metadata = <Value>(key: string | symbol, target: object): Value | undefined =>
  Reflect.getMetadata(key, target) as Value | undefined;

function getControllers(reference: ModuleReference, seen: Set<ModuleReference>): Type[] {
  if (seen.has(reference)) return [];
  seen.add(reference);
  const dynamic = 'module' in reference ? reference : undefined;
  const module = dynamic?.module ?? (reference as Type);
  const imports = [
    ...(metadata<ModuleReference[]>(MODULE_METADATA.IMPORTS, module) ?? []),
    ...((dynamic?.imports ?? []) as ModuleReference[]),
  ];
  return [
    ...(metadata<Type[]>(MODULE_METADATA.CONTROLLERS, module) ?? []),
    ...(dynamic?.controllers ?? []),
    ...imports.flatMap((imported) => getControllers(imported, seen)),
  ];
}

function getRoutes(controller: Type): Route[] {
  const base = metadata<string>(PATH_METADATA, controller) ?? '';
  const prototype = controller.prototype as Record<string, object>;
  return Object.getOwnPropertyNames(prototype).flatMap((handlerName) => {
    const handler = prototype[handlerName] as object;
    const verb = metadata<RequestMethod>(METHOD_METADATA, handler);
    // Message handlers have no HTTP method.
    if (verb === undefined) return [];
    const own = metadata<string>(PATH_METADATA, handler) ?? '';
    const path = `/${[base, own].join('/').split('/').filter(Boolean).join('/')}`.replace(/:(\w+)/g, '{$1}');
    const method = RequestMethod[verb];
    const parameters = [...path.matchAll(/{(\w+)}/g)].map(([, name]) => name as string);
    const access = metadata<Access>(ACCESS, handler);
    const action = metadata<AuditAction>(AUDITED, handler);
    return [{ name: `${method} ${path}`, method, path, parameters, access, action, controller }];
  });
}

/** Every HTTP route of the application's controllers, read from their decorators without starting the application. */
export const ALL_ROUTES: Route[] = [...new Set(getControllers(AppModule, new Set()))]
  .flatMap(getRoutes)
  .sort((a, b) => (a.path === b.path ? a.method.localeCompare(b.method) : a.path < b.path ? -1 : 1));

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

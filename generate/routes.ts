import 'reflect-metadata';
import { type DynamicModule, RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, MODULE_METADATA, PATH_METADATA } from '@nestjs/common/constants';
import { readdirSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { AuditAction } from '../src/accounts/audit/audit-actions';
import { AUDITED } from '../src/accounts/audit/audited';
import { AppModule } from '../src/app/app.module';
import { ACCESS, type Access } from '../src/platform/http/access';

const ROOT = join(__dirname, '..');

export const ROUTES_FILE = join(ROOT, 'docs', 'routes.md');

const HEAD = `# Routes

Each route with its access and its file, in the order of the paths. \`npm run generate\` writes this page from the controllers; do not edit it.

- \`public\`: no credential is needed. \`unscoped\`: one of the whole workspace. \`agent\`: also one of the agent in the path. \`call\`: the credential of a call. \`filtered\`: any, and the answer contains what it may see.
- \`operates\`: also a credential with the scope \`operate\`. \`changes nothing\`: also one with \`read\`. \`shows a secret\`: not one with \`read\`. \`lifts a cap\`: not one with a cap. \`without token\`: only an API key or a session. \`or link\`: also a one-time link.

| route | access | file |
| --- | --- | --- |
`;

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

const RIGHTS: Record<string, string> = {
  changesNothing: 'changes nothing',
  operates: 'operates',
  showsSecret: 'shows a secret',
  liftsCap: 'lifts a cap',
};

const describeAccess = ({ reach, ...others }: Access): string =>
  [
    reach,
    ...Object.entries(others).flatMap(([name, value]) =>
      name === 'parameter' ? [] : (RIGHTS[name] ?? `${name} ${value}`),
    ),
  ].join(', ');

/** The file of each controller. */
function findFiles(): Map<unknown, string> {
  const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .map((file) => `src/${file.replaceAll(sep, '/')}`)
    .filter((file) => file.endsWith('.controller.ts'));
  return new Map(
    files.flatMap((file) => {
      // eslint-disable-next-line @typescript-eslint/no-require-imports
      const exported = require(join(ROOT, file)) as object;
      return Object.values(exported).map((controller): [unknown, string] => [controller, file]);
    }),
  );
}

/** @throws Error for a route that does not declare its access */
export function routesDocument(): string {
  const files = findFiles();
  const rows = ALL_ROUTES.map(({ name, access, controller }) => {
    if (!access) throw new Error(`${name} does not declare its access.`);
    return `| \`${name}\` | ${describeAccess(access)} | \`${files.get(controller)}\` |\n`;
  });
  return HEAD + rows.join('');
}

if (require.main === module) writeFileSync(ROUTES_FILE, routesDocument());

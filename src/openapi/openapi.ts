import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { keysUnavailable, noCredential, outOfScope, tooManyRequests } from '../auth/auth.errors';
import { ERROR_ENVELOPE, withError } from '../http/error-responses';
import { unknownProperty, validationFailed } from '../http/errors';
import { EXAMPLE_IDS } from '../validation/example';
import { internalError, serverFailed } from '../http/top-level-error-details';
import { bodyTooLarge, unsupportedMediaType } from '../http/json-body';
import { workspaceSuspended } from '../workspaces/workspaces.errors';
import { workspaceBusy } from '../http/workspace-busy';
import { foreignWorkspace } from '../http/own-workspace';
import { TAKEN_CONTENT } from '../http/request-body';
import { EVENT_DATA, WEBHOOKS } from './webhooks';

/** The OpenAPI 3.1 document of every route and webhook, made from the decorators that also validate. */
export function openApiDocument(app: INestApplication): OpenAPIObject {
  const frame = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Parley')
    .setDescription('A self-hosted control plane for voice agents.')
    .setVersion('1.0.0')
    .addApiKey({ type: 'apiKey', in: 'header', name: 'X-API-Key' }, 'apiKey')
    .addBearerAuth({ type: 'http', scheme: 'bearer', bearerFormat: 'JWT' }, 'bearer')
    .addSecurityRequirements('apiKey')
    .addSecurityRequirements('bearer')
    .build();
  const document = withTypeNull(SwaggerModule.createDocument(app, frame, { extraModels: EVENT_DATA }));
  const schemas: Schemas = { ...(document.components?.schemas as Schemas), ...ERROR_ENVELOPE };
  for (const name of shownIn(document)) {
    // The class may be one that a request takes too, with most of its fields optional; an answer has them all.
    schemas[name] = { ...schemas[name], required: Object.keys(schemas[name]?.properties ?? {}) };
  }
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const operation of Object.values(operations) as Operation[]) {
      if (path.startsWith('/api/')) complete(operation);
      // Probes and metrics need no credential.
      else operation.security = [];
    }
  }
  document.components = { ...document.components, schemas: schemas as never };
  document.webhooks = WEBHOOKS;
  return document;
}

/** The document at /docs-json and a page that shows it, with nothing fetched from elsewhere, at /docs. */
export function serveOpenApi(app: INestApplication): void {
  SwaggerModule.setup('docs', app, () => openApiDocument(app), {
    jsonDocumentUrl: 'docs-json',
    customSiteTitle: 'Parley API',
  });
}

interface Operation {
  responses: Record<string, object>;
  parameters?: { name: string }[];
  requestBody?: object;
  security?: object[];
  [TAKEN_CONTENT]?: Record<string, object>;
}

/** Adds what a route takes, and the errors that it has in common with others. */
function complete(operation: Operation): void {
  const { [TAKEN_CONTENT]: content, parameters = [] } = operation;
  delete operation[TAKEN_CONTENT];
  if (content) operation.requestBody = { required: true, content };
  if (parameters.some(({ name }) => name === 'Idempotency-Key')) addReplayedHeader(operation);
  const hasLimit = parameters.some(({ name }) => name === 'limit');
  const errors = [
    content
      ? validationFailed([unknownProperty('body.colour', 'colour')])
      : hasLimit
        ? validationFailed([{ field: 'query.limit', message: 'limit must not be greater than 100' }])
        : foreignWorkspace('query'),
    noCredential(),
    outOfScope(),
    workspaceSuspended(),
    ...(content ? [bodyTooLarge(), unsupportedMediaType('text/plain', Object.keys(content))] : []),
    tooManyRequests(600_000, 12),
    internalError({ error: { details: serverFailed(EXAMPLE_IDS.request) } }),
    keysUnavailable(5),
    workspaceBusy('database connection', 5),
  ];
  for (const error of errors) {
    const status = error.getStatus();
    operation.responses[status] = withError(operation.responses[status], error);
  }
}

/** To the answer of success, the only one that such an operation declares. */
function addReplayedHeader({ responses }: Operation): void {
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1] as {
    headers?: object;
  };
  success.headers = {
    ...success.headers,
    'Idempotent-Replayed': {
      description: 'true where this is the answer to an earlier request with the same Idempotency-Key.',
      schema: { type: 'string', enum: ['true'] },
    },
  };
}

type Schemas = Record<string, { properties?: object; required?: string[] }>;

/** The names of the schemas that are the `data` of an answer. */
function shownIn({ paths }: OpenAPIObject): Set<string> {
  const answers = Object.values(paths).flatMap((operations) =>
    Object.values(operations as Record<string, Operation>).map(({ responses }) => responses),
  );
  const found = JSON.stringify(answers).matchAll(/"data":{[^}]*?"#\/components\/schemas\/(\w+)"/g);
  return new Set([...found].map(([, name]) => name as string));
}

/** The generator says `nullable: true`, which OpenAPI 3.1 replaced by the type null. */
function withTypeNull<Part>(part: Part): Part {
  if (typeof part !== 'object' || part === null) return part;
  if (Array.isArray(part)) return part.map(withTypeNull) as Part;
  const { nullable, ...rest } = part as { nullable?: boolean; type?: unknown };
  const parts = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, withTypeNull(value)]));
  return (nullable === true ? { ...parts, type: [rest.type, 'null'] } : parts) as Part;
}

import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { NOT_ALWAYS, ON_REQUEST, RESPONSE_CLASS } from '../../platform/http/envelope';
import { ERROR_ENVELOPE, withError } from '../../platform/http/error-responses';
import type { ApiError } from '../../platform/http/errors';
import { TAKEN_CONTENT } from '../../platform/http/request-body';
import { isSafeMethod } from '../../platform/http/safe-methods';
import { CONTACT, DESCRIPTION, LICENSE, TAGS } from './presentation';
import { malformedRequest, sharedErrors } from './shared-errors';
import { shareResponses } from './shared-responses';
import { EVENT_DATA, WEBHOOKS } from './webhooks';

/** The OpenAPI 3.1 document of every route and webhook, made from the decorators that also validate. */
export function openApiDocument(app: INestApplication): OpenAPIObject {
  const frame = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Parley')
    .setDescription(DESCRIPTION)
    .setVersion('1.0.0')
    .addServer('/', 'The installation that serves this document')
    .addApiKey({ type: 'apiKey', in: 'header', name: 'X-API-Key' }, 'apiKey')
    .addBearerAuth({ type: 'http', scheme: 'bearer', bearerFormat: 'JWT' }, 'bearer')
    .addCookieAuth('parley_session', { type: 'apiKey', in: 'cookie' }, 'session')
    .addSecurityRequirements('apiKey')
    .addSecurityRequirements('bearer')
    .addSecurityRequirements('session')
    .build();
  const document = withTypeNull(SwaggerModule.createDocument(app, frame, { extraModels: EVENT_DATA }));
  Object.assign(document.info, { contact: CONTACT, license: LICENSE });
  const schemas: Schemas = { ...(document.components?.schemas as Schemas), ...ERROR_ENVELOPE };
  const all: Operation[] = [];
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(operations) as [string, Operation][]) {
      requireResponseFields(schemas, operation);
      if (path.startsWith('/api/')) complete(operation, isSafeMethod(method.toUpperCase()));
      else completePublic(operation);
      all.push(operation);
    }
  }
  return {
    ...document,
    tags: TAGS,
    components: {
      ...document.components,
      schemas,
      responses: shareResponses(all),
    } as OpenAPIObject['components'],
    webhooks: WEBHOOKS,
  };
}

interface Operation {
  responses: Record<string, object>;
  parameters?: { name: string }[];
  requestBody?: object;
  security?: object[];
  [TAKEN_CONTENT]?: Record<string, object>;
  [RESPONSE_CLASS]?: string;
}

type Schemas = Record<string, { properties?: Record<string, object>; required?: string[] }>;

/** A request may leave out fields of a class; a response has them all but for those that say otherwise. */
function requireResponseFields(schemas: Schemas, operation: Operation): void {
  const { [RESPONSE_CLASS]: name } = operation;
  delete operation[RESPONSE_CLASS];
  if (name === undefined) return;
  const properties = Object.entries(schemas[name]?.properties ?? {});
  const isRequired = (property: object) => !(ON_REQUEST in property || NOT_ALWAYS in property);
  const required = properties.filter(([, property]) => isRequired(property)).map(([field]) => field);
  schemas[name] = { ...schemas[name], required };
}

/** Adds what a route takes, and the errors that it has in common with others. */
function complete(operation: Operation, isSafe: boolean): void {
  const { [TAKEN_CONTENT]: content, parameters = [] } = operation;
  delete operation[TAKEN_CONTENT];
  if (content) operation.requestBody = { required: true, content };
  const isPaginated = parameters.some(({ name }) => name === 'limit');
  if (parameters.some(({ name }) => name === 'Idempotency-Key')) addReplayedHeader(operation);
  addErrors(operation, sharedErrors({ contentTypes: Object.keys(content ?? {}), isPaginated, isSafe }));
}

/** Adds the header to the response of success, the only one that such an operation declares. */
function addReplayedHeader({ responses }: Operation): void {
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1] as {
    headers?: object;
  };
  success.headers = {
    ...success.headers,
    'Idempotent-Replayed': {
      description: 'true if this is the answer to an earlier request with the same Idempotency-Key.',
      schema: { type: 'string', enum: ['true'] },
    },
  };
}

/** Probes and metrics need no credential. */
function completePublic(operation: Operation): void {
  operation.security = [];
  addErrors(operation, [malformedRequest()]);
}

function addErrors({ responses }: Operation, errors: ApiError[]): void {
  for (const error of errors) {
    const status = error.getStatus();
    responses[status] = withError(responses[status], error);
  }
}

/** The generator leaves out the type of a part with `anyOf`, and names a class by `allOf`. */
function orNull({ type, allOf, ...part }: Record<string, unknown>): Record<string, unknown> {
  if (Array.isArray(allOf)) return { ...part, anyOf: [...(allOf as unknown[]), { type: 'null' }] };
  return { ...part, type: [type ?? 'object', 'null'] };
}

/** The generator says `nullable: true`, which OpenAPI 3.1 replaced by the type null. */
function withTypeNull<Part>(part: Part): Part {
  if (typeof part !== 'object' || part === null) return part;
  if (Array.isArray(part)) return part.map(withTypeNull) as Part;
  const { nullable, ...rest } = part as { nullable?: boolean; type?: unknown };
  const parts = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, withTypeNull(value)]));
  return (nullable === true ? orNull(parts) : parts) as Part;
}

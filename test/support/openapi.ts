import Ajv, { type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ReceivedWebhook } from './webhook-receiver';

export interface MediaType {
  /** The schema; undefined for the health probes. */
  schema?: object;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}

interface Body {
  content: Record<string, MediaType>;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  schema: Record<string, unknown>;
}

export interface Operation {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  parameters?: Parameter[];
  requestBody?: Body;
  responses: Record<string, Body>;
}

/** The fields of all events, and the data of one type. */
interface WebhookSchema {
  allOf: [object, { properties: { data: object } }];
}

interface Document {
  openapi: string;
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, DocumentedOperation>>;
  webhooks: Record<string, { post: Operation }>;
  components: {
    schemas: Record<string, { properties?: Record<string, unknown> }>;
    responses: Record<string, Body>;
  };
}

type DocumentedOperation = Omit<Operation, 'responses'> & {
  responses: Record<string, Body | { $ref: string }>;
};

/** docs/openapi.json, which a test compares with the code. */
export const document = JSON.parse(
  readFileSync(join(__dirname, '../../docs/openapi.json'), 'utf8'),
) as Document;

const findResponse = (response: Body | { $ref: string }): Body =>
  '$ref' in response
    ? (document.components.responses[response.$ref.replace('#/components/responses/', '')] as Body)
    : response;

const withResponses = ({ responses, ...operation }: DocumentedOperation): Operation => ({
  ...operation,
  responses: Object.fromEntries(
    Object.entries(responses).map(([status, response]) => [status, findResponse(response)]),
  ),
});

/** The operations by the name of their route, such as `GET /api/agents/{agent_id}`. */
export const operations: Record<string, Operation> = Object.fromEntries(
  Object.entries(document.paths).flatMap(([path, byMethod]) =>
    Object.entries(byMethod).map(([method, operation]) => [
      `${method.toUpperCase()} ${path}`,
      withResponses(operation),
    ]),
  ),
);

/** The requests that webhook receivers get, by the type of the event. */
export const webhooks = Object.entries(document.webhooks).map(([type, { post }]) => [type, post] as const);

export const getExamples = ({ example, examples = {} }: MediaType): unknown[] => [
  ...(example === undefined ? [] : [example]),
  ...Object.values(examples).map(({ value }) => value),
];

/** Returns the errors of a value against a schema of the document. */
type SchemaValidator = (schema: object, value: unknown) => string[];

function schemaValidator(options: { coerceTypes?: boolean } = {}): SchemaValidator {
  // The validation is not strict, because JSON Schema does not have the keywords of OpenAPI, such as discriminator and example.
  const ajv = new Ajv({ strict: false, allErrors: true, ...options });
  addFormats(ajv);
  ajv.addSchema({ $id: 'document', components: document.components });
  const compiled = new Map<string, ValidateFunction>();
  return (schema, value) => {
    const text = JSON.stringify(schema);
    const known = compiled.get(text);
    const validate = known ?? ajv.compile(JSON.parse(text.replaceAll('"#/', '"document#/')) as object);
    if (!known) compiled.set(text, validate);
    validate(value);
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  };
}

export const schemaErrors = schemaValidator();

const schemaErrorsAfterCoercion = schemaValidator({ coerceTypes: true });

/** Returns the errors of texts, which are converted first: `7` is valid for a number. */
export const textSchemaErrors = (schema: object, texts: Record<string, string>): string[] =>
  schemaErrorsAfterCoercion(schema, { ...texts });

/** The fields of an example that its schema does not have. */
export function unknownParts({ schema }: MediaType, example: unknown): string[] {
  // The example of a file has no parts.
  if (typeof example === 'string') return [];
  const [, name = ''] = /#\/components\/schemas\/(\w+)/.exec(JSON.stringify(schema)) ?? [];
  const known = Object.keys(document.components.schemas[name]?.properties ?? {});
  return Object.keys(example as object).filter((part) => !known.includes(part));
}

/** The differences between a webhook and the document. */
export function undocumentedPartsOfWebhook({ headers, payload }: ReceivedWebhook): string[] {
  const { type, data } = payload as { type: string; data: object };
  const { requestBody, parameters = [] } = document.webhooks[type]?.post ?? {};
  const { schema } = requestBody?.content['application/json'] ?? {};
  if (!schema) return [`type ${type}`];
  return [
    ...parameters.flatMap(({ name, schema: ofHeader }) => schemaErrors(ofHeader, headers[name])),
    ...schemaErrors(schema, payload),
    ...unknownParts({ schema: (schema as WebhookSchema).allOf[1].properties.data }, data),
  ];
}

/** The differences between an answer and the document; none if the document does not have the route. */
export function undocumentedParts(route: string, answer: { status: number; body: unknown }): string[] {
  if (!operations[route]) return [];
  const response = operations[route].responses[answer.status];
  if (!response) return [`status ${answer.status}`];
  const { schema } = response.content['application/json'] ?? {};
  return schema ? schemaErrors(schema, answer.body) : [];
}

import Ajv, { type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ReceivedWebhook } from './webhook-receiver';

export interface MediaType {
  /** The probes have none. */
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
  parameters?: Parameter[];
  requestBody?: Body;
  responses: Record<string, Body>;
}

/** The frame that all events have, and what is this type's own. */
interface WebhookSchema {
  allOf: [object, { properties: { data: object } }];
}

interface Document {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation }>;
  components: { schemas: Record<string, { properties?: Record<string, unknown> }> };
}

/** docs/openapi.json, which a test holds to the code. */
export const document = JSON.parse(
  readFileSync(join(__dirname, '../../docs/openapi.json'), 'utf8'),
) as Document;

/** By the name of their route, such as `GET /api/agents/{agent_id}`. */
export const operations: Record<string, Operation> = Object.fromEntries(
  Object.entries(document.paths).flatMap(([path, byMethod]) =>
    Object.entries(byMethod).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation]),
  ),
);

/** The requests that receivers of webhooks are sent, by the type of their event. */
export const webhooks = Object.entries(document.webhooks).map(([type, { post }]) => [type, post] as const);

export const examplesOf = ({ example, examples = {} }: MediaType): unknown[] => [
  ...(example === undefined ? [] : [example]),
  ...Object.values(examples).map(({ value }) => value),
];

/** What of a value a schema of the document refuses. */
type FaultFinder = (schema: object, value: unknown) => string[];

function faultFinder(options: { coerceTypes?: boolean } = {}): FaultFinder {
  // OpenAPI's own keywords, such as discriminator or example, mean nothing to JSON Schema.
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

export const faultsOf = faultFinder();

const faultsOnceRead = faultFinder({ coerceTypes: true });

/** The same of texts, each of which stands for what it says: `7` for a number. */
export const faultsOfTexts = (schema: object, texts: Record<string, string>): string[] =>
  faultsOnceRead(schema, { ...texts });

/** The parts of an example that its schema doesn't know. */
export function unknownParts({ schema }: MediaType, example: unknown): string[] {
  const [, name = ''] = /#\/components\/schemas\/(\w+)/.exec(JSON.stringify(schema)) ?? [];
  const known = Object.keys(document.components.schemas[name]?.properties ?? {});
  return Object.keys(example as object).filter((part) => !known.includes(part));
}

/** What of a webhook the document does not say, or says and it lacks. */
export function undocumentedPartsOfWebhook({ headers, payload }: ReceivedWebhook): string[] {
  const { type, data } = payload as { type: string; data: object };
  const { requestBody, parameters = [] } = document.webhooks[type]?.post ?? {};
  const { schema } = requestBody?.content['application/json'] ?? {};
  if (!schema) return [`type ${type}`];
  return [
    ...parameters.flatMap(({ name, schema: ofHeader }) => faultsOf(ofHeader, headers[name])),
    ...faultsOf(schema, payload),
    ...unknownParts({ schema: (schema as WebhookSchema).allOf[1].properties.data }, data),
  ];
}

/** What of an answer of a route the document does not say; it may say nothing of the route at all. */
export function undocumentedParts(route: string, answer: { status: number; body: unknown }): string[] {
  if (!operations[route]) return [];
  const response = operations[route].responses[answer.status];
  if (!response) return [`status ${answer.status}`];
  const { schema } = response.content['application/json'] ?? {};
  return schema ? faultsOf(schema, answer.body) : [];
}

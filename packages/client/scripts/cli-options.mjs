/** The operations whose query parameters are flags of the command line. */
const QUERIES = [
  'listAgents',
  'listCalls',
  'exportCalls',
  'listCampaigns',
  'listCampaignLog',
  'listKnowledgeBases',
  'listTools',
  'listDoNotCall',
  'listWebhookDeliveries',
  'listWebhookEndpoints',
  'getCallStatistics',
  'getCallSeries',
];

/** The classes whose fields are flags of the command line. */
const BODIES = [
  'CreateAgentDto',
  'UpdateAgentDto',
  'StartCallDto',
  'StartRunDto',
  'PublishDto',
  'CreateCampaignDto',
  'WriteToolDto',
  'AddDoNotCallDto',
  'ImportDoNotCallDto',
  'CreateWebhookEndpointDto',
  'ChangeWebhookEndpointDto',
  'RotateSecretDto',
  'ReplayDeliveriesDto',
  'InvitePersonDto',
  'UpdatePersonDto',
];

/** The client counts pages, and the credential decides the workspace. */
const NO_FLAGS = new Set(['page', 'limit', 'workspaceId']);

const TYPES = ['string', 'integer', 'number', 'boolean'];

/** Writes the fields of the API document that the command line offers as flags, as a TypeScript file. */
export function describeOptions(document) {
  const resolve = (schema) => {
    if (schema.$ref) return resolve(document.components.schemas[schema.$ref.split('/').pop()]);
    if (schema.allOf?.length === 1) return { ...resolve(schema.allOf[0]), description: schema.description };
    return schema;
  };
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
  const find = (id) => operations.find(({ operationId }) => operationId === id);
  const queries = QUERIES.map((id) => [
    id,
    find(id)
      .parameters.filter((parameter) => parameter.in === 'query')
      .flatMap(toFields(resolve)),
  ]);
  const bodies = BODIES.map((name) => [name, propertiesOf(document.components.schemas[name], resolve)]);
  return `// Generated from docs/openapi.json.

/** A field of a request that is a flag of the command line. */
export interface ApiField {
  /** As in the API; a field of a part has its path. */
  name: string;
  type: 'string' | 'integer' | 'number' | 'boolean' | 'json';
  /** Whether it takes several values. */
  many?: true;
  choices?: string[];
  description?: string;
}

/** The query parameters of operations. */
export const QUERY_FIELDS = ${toText(queries)} satisfies Record<string, ApiField[]>;

/** The fields of bodies. */
export const BODY_FIELDS = ${toText(bodies)} satisfies Record<string, ApiField[]>;
`;
}

const toText = (entries) => JSON.stringify(Object.fromEntries(entries), null, 2);

const propertiesOf = (schema, resolve, prefix = '') =>
  Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
    toFields(resolve, prefix)({ name, schema: property, description: property.description }),
  );

const toFields =
  (resolve, prefix = '') =>
  ({ name, schema: given, description }) => {
    const schema = resolve(given);
    const types = [schema, ...(schema.oneOf ?? [])].flatMap((part) => part.type ?? []);
    const type = types.find((candidate) => TYPES.includes(candidate)) ?? types[0];
    if (NO_FLAGS.has(name) || schema.format === 'binary') return [];
    const field = { name: `${prefix}${name}`, description: shorten(description ?? schema.description) };
    if (TYPES.includes(type)) return [{ ...field, type, choices: schema.enum }];
    if (type === 'array' && (schema.items.enum || name === 'agent_ids'))
      return [{ ...field, type: 'string', many: true, choices: schema.items.enum }];
    if (['windows', 'retry'].includes(name)) return [{ ...field, type: 'json' }];
    return type === 'object' ? propertiesOf(schema, resolve, `${prefix}${name}.`) : [];
  };

/** The first sentence, which fits into the help. */
const shorten = (text) =>
  text
    ?.replace(/`/g, '')
    .split(/(?<=[.;:]) /)[0]
    .replace(/[.;:]$/, '');

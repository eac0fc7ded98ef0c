/** The parts of the document whose fields files have, by the names of their constants. */
const DEFINITIONS = { AGENT: 'CreateAgentDto', ANALYSIS: 'AgentAnalysisDto', TOOL: 'WriteToolDto' };

const NOT_CHECKED = ['description', 'example', 'default', 'format'];

/** Writes the bounds that the API document gives to agents and tools, as a TypeScript file. */
export function describeDefinitions(document) {
  const inline = (schema) => {
    if (Array.isArray(schema)) return schema.map(inline);
    if (typeof schema !== 'object' || schema === null) return schema;
    if (schema.$ref) return inline(document.components.schemas[schema.$ref.split('/').pop()]);
    return Object.fromEntries(
      Object.entries(schema).flatMap(([keyword, value]) => {
        if (keyword !== 'properties') return NOT_CHECKED.includes(keyword) ? [] : [[keyword, inline(value)]];
        const properties = Object.entries(value).map(([name, property]) => [name, inline(property)]);
        return [[keyword, Object.fromEntries(properties)]];
      }),
    );
  };
  const constants = Object.entries(DEFINITIONS).map(
    ([name, schema]) =>
      `export const ${name}: FieldSchema = ${JSON.stringify(inline(document.components.schemas[schema]), null, 2)};\n`,
  );
  return `// Generated from docs/openapi.json.

/** The bounds of a field, as JSON Schema. */
export interface FieldSchema {
  type?: string | string[];
  enum?: (string | null)[];
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  items?: FieldSchema;
  minItems?: number;
  maxItems?: number;
  properties?: Record<string, FieldSchema>;
  required?: string[];
  propertyNames?: FieldSchema;
  additionalProperties?: FieldSchema | boolean;
  maxProperties?: number;
  oneOf?: FieldSchema[];
  readOnly?: boolean;
}

${constants.join('\n')}`;
}

import Ajv, { type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { WireMessage } from './wire-tap';

interface Channel {
  bindings?: { amqp: { exchange?: { name: string; type: string }; queue?: { name: string } } };
  'x-amqp-arguments'?: Record<string, unknown>;
  'x-amqp-bindings'?: { exchange: string; routingKey: string }[];
}

interface Message {
  name: string;
  payload: { $ref: string };
  examples: { payload: object }[];
}

interface Schema {
  properties?: Record<string, object>;
}

/** `docs/asyncapi.yaml`, the contract with agent runtimes. */
export const asyncapi = parse(readFileSync(join(__dirname, '../../docs/asyncapi.yaml'), 'utf8')) as {
  channels: Record<string, Channel>;
  components: { messages: Record<string, Message>; schemas: Record<string, Schema> };
};

const ajv = new Ajv({ allErrors: true, allowUnionTypes: true });
addFormats(ajv);
// The references start at the root of the document, which is not a schema.
ajv.addVocabulary(Object.keys(asyncapi));
ajv.addSchema(asyncapi, 'asyncapi');

const validatorAt = (path: string) =>
  ajv.getSchema(`asyncapi#/components/messages/${path}`) as ValidateFunction;

function findProblems(what: string, value: unknown, validate: ValidateFunction): string[] {
  if (validate(value)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${what}${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}

/** The differences between a message and the document, including AMQP properties and undocumented fields. */
export function contractErrors({ type, body, properties }: WireMessage): string[] {
  const [key, message] =
    Object.entries(asyncapi.components.messages).find(([, { name }]) => name === type) ?? [];
  if (!key || !message) return [`There is no message ${type}.`];
  const schema = asyncapi.components.schemas[message.payload.$ref.replace('#/components/schemas/', '')];
  const undocumented = Object.keys(body).filter((field) => !(field in (schema?.properties ?? {})));
  return [
    ...undocumented.map((field) => `body/${field} is not documented`),
    ...findProblems('body', body, validatorAt(`${key}/payload`)),
    ...(properties ? findProblems('properties', properties, validatorAt(`${key}/x-amqp-properties`)) : []),
  ];
}

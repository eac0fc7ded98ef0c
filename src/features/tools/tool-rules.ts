import { parametersInPath } from '@parley/voice';
import type { WriteToolDto } from './tools.dto';
import type { FieldError } from '../../platform/http/errors';
import { BUILT_IN_TOOLS } from './built-in-tools';
import { isPointer } from './json-pointer';
import { type GivenSecrets, MAX_TIMEOUT_MS, type ToolDefinition } from './tool-definition';
import { findSchemaProblems, parameterNames, requiredParameters } from './parameters-schema';

/** The headers that the server sets, or that HTTP itself needs. */
const OWN_HEADERS =
  /^(?:idempotency-key|webhook-.*|x-parley-.*|traceparent|tracestate|host|connection|keep-alive|mcp-.*|content-.*|transfer-encoding|te|trailer|upgrade|expect|proxy-.*)$/i;

/** RFC 9110: the characters of a header's name, and those of its value that every server takes. */
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e]*$/;

export const MAX_SECRETS = 10;
const SECRET_NAME = /^[A-Za-z]\w{0,59}$/;
const MAX_SECRET_LENGTH = 2_000;
const SECRET_REFERENCE = /\{\{secret:([^{}]*)\}\}/g;

/** @returns the secrets of a tool after a change, or each problem of the change by its path */
export function mergeSecrets(
  stored: Record<string, string>,
  given: GivenSecrets,
): { secrets: Record<string, string> } | { problems: FieldError[] } {
  const problems = Object.entries(given).flatMap(([name, value]) => {
    const field = `body.secrets.${name}`;
    if (!SECRET_NAME.test(name)) return [{ field, message: `${name} cannot be the name of a secret` }];
    const isSecret = typeof value === 'string' && value.length >= 1 && value.length <= MAX_SECRET_LENGTH;
    if (value === null || (isSecret && HEADER_VALUE.test(value))) return [];
    return [
      {
        field,
        message: `${name} must be null, or 1 to ${MAX_SECRET_LENGTH.toLocaleString('en')} characters of ASCII`,
      },
    ];
  });
  if (problems.length > 0) return { problems };
  const secrets = Object.fromEntries(
    Object.entries({ ...stored, ...given }).filter((entry): entry is [string, string] => entry[1] !== null),
  );
  return Object.keys(secrets).length > MAX_SECRETS
    ? { problems: [{ field: 'body.secrets', message: `secrets must not be more than ${MAX_SECRETS}` }] }
    : { secrets };
}

/** @returns the fields that a tool of another kind has, by their paths */
export function findKindProblems({
  kind = 'http',
  tools,
  parameters,
  method,
}: Pick<WriteToolDto, 'kind' | 'tools' | 'parameters' | 'method'>): FieldError[] {
  if (kind === 'http')
    return tools === undefined ? [] : [{ field: 'body.tools', message: 'tools is for the kind mcp only' }];
  if (!tools || tools.length === 0)
    return [{ field: 'body.tools', message: 'tools must have 1 to 20 names of tools of the server' }];
  return Object.entries({ parameters, method }).flatMap(([name, value]) =>
    value === undefined ? [] : [{ field: `body.${name}`, message: `${name} is for the kind http only` }],
  );
}

/** @returns what no single field of a tool shows to be wrong, by its path */
export function findToolProblems(
  name: string,
  tool: ToolDefinition,
  secrets: Record<string, string>,
): FieldError[] {
  const schemaProblems = tool.kind === 'http' ? findSchemaProblems(tool.parameters, 'body.parameters') : [];
  if (BUILT_IN_TOOLS.has(name))
    schemaProblems.push({ field: 'body.name', message: `name must not be ${name}, which is built in` });
  if (schemaProblems.length > 0) return schemaProblems;
  return [
    ...findAddressProblems(tool),
    ...findHeaderProblems(tool, secrets),
    ...findParameterProblems(tool),
    ...tool.results.flatMap(({ pointer }, index) =>
      isPointer(pointer)
        ? []
        : [{ field: `body.results.${index}.pointer`, message: 'pointer must be a JSON Pointer (RFC 6901)' }],
    ),
    ...(tool.timeout_ms > MAX_TIMEOUT_MS[tool.mode]
      ? [
          {
            field: 'body.timeout_ms',
            message: `timeout_ms must not be greater than ${MAX_TIMEOUT_MS[tool.mode]} with the mode ${tool.mode}`,
          },
        ]
      : []),
  ];
}

function findAddressProblems(tool: ToolDefinition): FieldError[] {
  const field = 'body.url';
  const { url } = tool;
  const [, origin = '', path = '', query = ''] = /^([^:]+:\/\/[^/?#]*)([^?#]*)(.*)$/s.exec(url) ?? [];
  if (tool.kind === 'mcp')
    return /[{}]/.test(url) ? [{ field, message: 'url must have no parameters of a server' }] : [];
  if (/[{}]/.test(origin + query))
    return [{ field, message: 'url must have parameters in its path only, such as /bookings/{id}' }];
  const required = requiredParameters(tool.parameters);
  return parametersInPath(path).flatMap((name) =>
    required.includes(name) ? [] : [{ field, message: `url has {${name}}, which is no required parameter` }],
  );
}

function findHeaderProblems({ headers }: ToolDefinition, secrets: Record<string, string>): FieldError[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    const problem = findHeaderProblem(name, value);
    if (problem !== undefined) return [{ field: `body.headers.${name}`, message: `${name} ${problem}` }];
    const named = [...value.matchAll(SECRET_REFERENCE)].map(([, secret = '']) => secret);
    return named
      .filter((secret) => !Object.hasOwn(secrets, secret))
      .map((secret) => ({
        field: 'body.secrets',
        message: `secrets has no ${secret}, to which the header ${name} refers`,
      }));
  });
}

function findHeaderProblem(name: string, value: string): string | undefined {
  if (!HEADER_NAME.test(name)) return 'cannot be the name of a header';
  if (OWN_HEADERS.test(name)) return 'is set by the server';
  return HEADER_VALUE.test(value) ? undefined : 'must have characters of ASCII only';
}

/** The parameters of a server's tools may have a fixed value, and not all have each of them. */
function findParameterProblems(tool: ToolDefinition): FieldError[] {
  const { fixed, once_by } = tool;
  const isServer = tool.kind === 'mcp';
  const names = isServer
    ? tool.tools.flatMap(({ parameters }) => parameterNames(parameters))
    : parameterNames(tool.parameters);
  const taken = isServer ? [] : Object.keys(fixed).filter((name) => names.includes(name));
  return [
    ...taken.map((name) => ({ field: `body.fixed.${name}`, message: `${name} is a parameter, too` })),
    ...(once_by ?? []).flatMap((name, index) =>
      names.includes(name)
        ? []
        : [{ field: `body.once_by.${index}`, message: `${name} is no parameter of the tool` }],
    ),
  ];
}

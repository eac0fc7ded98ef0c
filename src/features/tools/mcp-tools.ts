import { isDeepStrictEqual } from 'node:util';
import { shorten } from '@parley/worker';
import type { FieldError } from '../../platform/http/errors';
import { jsonBytes } from '../../platform/validation/json-bytes';
import { isStorableText, storableText } from '../../platform/validation/storable';
import { BUILT_IN_TOOLS } from './built-in-tools';
import type { DescribedTool } from './mcp-client';
import type { McpDefinition, McpTool, OfferedTool } from './tool-definition';

const MAX_SCHEMA_BYTES = 32 * 1_024;
const MAX_DESCRIPTION_LENGTH = 1_000;
const MAX_LISTED_LENGTH = 1_000;

/** The longest name of a function that language models take. */
const MAX_NAME_LENGTH = 64;

/** The name by which models know a tool of a server. */
const offeredName = (name: string, tool: string) => `${name}_${tool.replaceAll(/[^\w-]/g, '_')}`;

/** A tool of a server as it is pinned. */
export const toMcpTool = ({ name, description, parameters, annotations }: DescribedTool): McpTool => ({
  ...{ name, parameters, annotations },
  description: storableText(description, MAX_DESCRIPTION_LENGTH) || name,
});

/** Picks the allowed tools of a server. @returns them, or the problem of each name */
export function pickTools(
  name: string,
  allowed: string[],
  found: DescribedTool[],
): { tools: McpTool[] } | { problems: FieldError[] } {
  const offered = allowed.map((tool) => offeredName(name, tool));
  const problems = allowed.flatMap((tool, index) => {
    const described = found.find((each) => each.name === tool);
    const problem = described
      ? (findProblem(described) ?? findNameProblem(offered, index))
      : `is no tool of the server, which has: ${listNames(found)}`;
    return problem === undefined
      ? []
      : [{ field: `body.tools.${index}`, message: `${shorten(tool, 100)} ${problem}` }];
  });
  if (problems.length > 0) return { problems };
  return {
    tools: allowed.map((tool) => toMcpTool(found.find((each) => each.name === tool) as DescribedTool)),
  };
}

/** A person who connects a server reads here what it has. */
const listNames = (found: DescribedTool[]) =>
  shorten(found.map(({ name }) => name).join(', ') || 'none', MAX_LISTED_LENGTH);

function findProblem(tool: DescribedTool): string | undefined {
  if (jsonBytes(tool.parameters) > MAX_SCHEMA_BYTES) return 'has a schema of more than 32 KB';
  const isStorable = !/\\u(?:0000|d[89a-f])/i.test(JSON.stringify(tool.parameters));
  return isStorable && isStorableText(tool.name) ? undefined : 'has characters that cannot be stored';
}

function findNameProblem(offered: string[], index: number): string | undefined {
  const name = offered[index] as string;
  if (name.length > MAX_NAME_LENGTH)
    return `would be ${name}, and a model takes names of at most ${MAX_NAME_LENGTH} characters`;
  if (BUILT_IN_TOOLS.has(name)) return `would be ${name}, which each agent has already`;
  return offered.indexOf(name) < index ? 'would have the name of another one' : undefined;
}

/** A tool as its server describes it now, beside what is pinned. */
export function compareTool(tool: DescribedTool, { tools }: McpDefinition) {
  const pinned = tools.find(({ name }) => name === tool.name);
  const current = toMcpTool(tool);
  return {
    ...current,
    allowed: pinned !== undefined,
    changed: pinned !== undefined && !isDeepStrictEqual(pinned, current),
  };
}

/** The tools of a server as the calls of an agent have them. A model does not see what is fixed. */
export const offerTools = ({
  tools,
  effect,
  idempotent,
  ...pinned
}: McpDefinition & { tool_id: string; name: string }): OfferedTool[] =>
  tools.map(({ name, description, parameters, annotations }) => ({
    ...pinned,
    name: offeredName(pinned.name, name),
    server_tool: name,
    description,
    parameters: withoutParameters(parameters, Object.keys(pinned.fixed)),
    method: 'POST',
    effect: effect ?? (annotations.readOnlyHint ? 'read' : 'once'),
    idempotent: idempotent ?? annotations.idempotentHint ?? false,
  }));

function withoutParameters(schema: Record<string, unknown>, names: string[]): Record<string, unknown> {
  if (names.length === 0) return schema;
  const { properties, required, ...others } = schema as { properties?: object; required?: unknown };
  const isShown = (name: unknown) => !names.includes(name as string);
  return {
    ...others,
    properties: Object.fromEntries(Object.entries(properties ?? {}).filter(([name]) => isShown(name))),
    ...(Array.isArray(required) && { required: required.filter(isShown) }),
  };
}

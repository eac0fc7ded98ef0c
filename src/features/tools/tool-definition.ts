import type { ParametersSchema } from './parameters-schema';

export const TOOL_KINDS = ['http', 'mcp'] as const;
export type ToolKind = (typeof TOOL_KINDS)[number];

export const TOOL_METHODS = ['POST', 'GET', 'PUT', 'PATCH', 'DELETE'] as const;
export type ToolMethod = (typeof TOOL_METHODS)[number];

/** `read` changes nothing; `once` happens once for the same arguments in a call; `repeatable` happens at each asking. */
export const TOOL_EFFECTS = ['read', 'once', 'repeatable'] as const;
export type ToolEffect = (typeof TOOL_EFFECTS)[number];

export const TOOL_MODES = ['wait', 'background'] as const;
export type ToolMode = (typeof TOOL_MODES)[number];

/** The time for the answer of a tool that names none. */
export const DEFAULT_TIMEOUT_MS = 8_000;

/** The longest time of a tool for whose answer the agent waits, and of one that runs in the background. */
export const MAX_TIMEOUT_MS = { wait: 60_000, background: 600_000 } as const;

/** The number of tools that a version of an agent has at most, in the order of its actions. */
export const MAX_TOOLS_OF_AGENT = 40;

/** Secrets that are stored. null removes the one that is stored already. */
export type GivenSecrets = Record<string, string | null>;

/** A value of the answer that becomes a variable of the call. */
export interface ToolResult {
  variable: string;
  /** RFC 6901 */
  pointer: string;
}

interface CommonDefinition {
  description: string;
  url: string;
  headers: Record<string, string>;
  fixed: Record<string, string>;
  /** The parameters that make two askings the same. null: all */
  once_by: string[] | null;
  timeout_ms: number;
  mode: ToolMode;
  confirm: boolean;
  say: string;
  results: ToolResult[];
}

/** A tool that is one request to an address. */
export interface HttpDefinition extends CommonDefinition {
  kind: 'http';
  parameters: ParametersSchema;
  method: ToolMethod;
  effect: ToolEffect;
  idempotent: boolean;
}

/** A tool of a server of the Model Context Protocol, as it was when it was allowed. */
export interface McpTool {
  name: string;
  description: string;
  /** Its own JSON Schema, by which the server checks arguments. */
  parameters: Record<string, unknown>;
  annotations: { readOnlyHint?: boolean; idempotentHint?: boolean };
}

/** The tools of a server of the Model Context Protocol that are allowed. */
export interface McpDefinition extends CommonDefinition {
  kind: 'mcp';
  tools: McpTool[];
  /** null: as the server says of each tool */
  effect: ToolEffect | null;
  /** null: as the server says of each tool */
  idempotent: boolean | null;
}

/** A tool as versions of agents keep it: all but its name and its secrets. */
export type ToolDefinition = HttpDefinition | McpDefinition;

interface Named {
  tool_id: string;
  name: string;
}

/** A tool as an agent had it under one of its versions. */
export type PinnedTool = ToolDefinition & Named;

/** A tool that the calls of an agent have. */
export interface OfferedTool extends CommonDefinition {
  /** null: an action with an address of its own */
  tool_id: string | null;
  name: string;
  kind: ToolKind;
  parameters: ParametersSchema;
  method: ToolMethod;
  effect: ToolEffect;
  idempotent: boolean;
  /** The name by which a server of the Model Context Protocol knows it. null: it is an HTTP request */
  server_tool: string | null;
}

import type { ParametersSchema } from './parameters-schema';

export const TOOL_KINDS = ['http'] as const;
export type ToolKind = (typeof TOOL_KINDS)[number];

export const TOOL_METHODS = ['POST', 'GET', 'PUT', 'PATCH', 'DELETE'] as const;
export type ToolMethod = (typeof TOOL_METHODS)[number];

/** `read` changes nothing; `once` happens once for the same arguments in a call; `repeatable` happens at each asking. */
export const TOOL_EFFECTS = ['read', 'once', 'repeatable'] as const;
export type ToolEffect = (typeof TOOL_EFFECTS)[number];

export const TOOL_MODES = ['wait', 'background'] as const;
export type ToolMode = (typeof TOOL_MODES)[number];

/** The longest time of a tool for whose answer the agent waits, and of one that runs in the background. */
export const MAX_TIMEOUT_MS = { wait: 60_000, background: 600_000 } as const;

/** A value of the answer that becomes a variable of the call. */
export interface ToolResult {
  variable: string;
  /** RFC 6901 */
  pointer: string;
}

/** A tool as versions of agents keep it: all but its name and its secrets. */
export interface ToolDefinition {
  kind: ToolKind;
  description: string;
  parameters: ParametersSchema;
  url: string;
  method: ToolMethod;
  headers: Record<string, string>;
  fixed: Record<string, string>;
  effect: ToolEffect;
  /** The parameters that make two askings the same. null: all */
  once_by: string[] | null;
  idempotent: boolean;
  timeout_ms: number;
  mode: ToolMode;
  confirm: boolean;
  say: string;
  results: ToolResult[];
}

/** A tool as an agent had it under one of its versions. */
export type PinnedTool = ToolDefinition & { tool_id: string; name: string };

/** A tool that the calls of an agent have. tool_id is null for an action with an address of its own. */
export type OfferedTool = ToolDefinition & { tool_id: string | null; name: string };

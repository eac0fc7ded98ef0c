import type { Response } from 'express';
import type { z } from 'zod';
import type { AuditAction } from '../../accounts/audit/audit-actions';
import type { AuditTarget } from '../../accounts/audit/audit-entry';
import type { Caller } from '../../platform/http/access';

/** The request in which a tool is called. */
export interface ToolRequest {
  caller: Caller;
  requestId: string;
  /** The address of the client, as the audit shows it. */
  ip: string | null;
  /** The trace of the request, see `parseTraceparent`. */
  traceparent: string;
  response: Response;
}

export interface ToolResult<Structured> {
  structured: Structured;
  /** The text that a person or a model reads. Without it: the structured result as JSON. */
  text?: string;
}

/** The entry of the audit about a call of a tool that changed something. `result` is that of its transaction. */
export interface ToolChange<Arguments> {
  action: AuditAction;
  findTarget: (args: Arguments, result: unknown) => AuditTarget;
  /** A call with these arguments changes nothing. */
  isDry?: (args: Arguments) => boolean;
}

export interface Tool<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodObject = z.ZodObject> {
  name: string;
  title: string;
  description: string;
  input: Input;
  output: Output;
  /** `agents`: also for a credential that is limited to agents. Its service leaves out all others. */
  reach: 'agents' | 'workspace';
  /** Missing: the tool only reads. */
  change?: ToolChange<z.output<Input>>;
  /** Whether what it does cannot be undone. */
  isDestructive?: boolean;
  /** Whether a second call with the same arguments changes nothing more. */
  isIdempotent?: boolean;
  run(args: z.output<Input>, request: ToolRequest): Promise<ToolResult<z.input<Output>>>;
}

/** Keeps the types of the arguments and of the result of one tool, which a list of tools has not. */
export const defineTool = <Input extends z.ZodObject, Output extends z.ZodObject>(
  tool: Tool<Input, Output>,
): Tool => tool;

/** A provider of tools. */
export interface ToolSet {
  readonly tools: Tool[];
}

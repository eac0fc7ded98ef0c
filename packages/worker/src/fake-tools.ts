import { randomUUID } from 'node:crypto';
import { describeThrown } from './errors';
import { LENGTHS, shorten } from './limits';
import type { ToolOfCall } from './messages';
import {
  NO_INVOCATION,
  type ToolCall,
  type ToolInvocation,
  type ToolOptions,
  type ToolPort,
  type WaitOptions,
} from './tools';

/** The tools of a test by name, each with the function that does it. Its result is the answer; an error refuses. */
export type ToolFunctions = Record<string, ToolMethods['run']>;

/** A method, so that a function may name the type of its arguments. */
interface ToolMethods {
  run(args: Record<string, unknown>): unknown;
}

/** The tools of a call: those that the test describes, and plain ones for its other functions. */
export function listTools(tools: ToolFunctions, described: ToolOfCall[] = []): ToolOfCall[] {
  const others = Object.keys(tools).filter((name) => !described.some((tool) => tool.name === name));
  const plain = { parameters: { type: 'object', additionalProperties: true }, confirm: false, say: '' };
  return [
    ...described,
    ...others.map((name) => ({ name, description: name, mode: 'wait' as const, ...plain })),
  ];
}

/** The tools of a test, in the place of those of the server. */
export class FakeTools implements ToolPort {
  private readonly settled = new Map<string | null, Promise<ToolInvocation>>();

  constructor(private readonly tools: ToolFunctions) {}

  async ask(
    { start }: ToolCall,
    name: string,
    given: object,
    { confirmed = false, signal }: ToolOptions,
  ): Promise<ToolInvocation> {
    const args = JSON.parse(JSON.stringify(given)) as Record<string, unknown>;
    const tool = Object.hasOwn(this.tools, name) ? this.tools[name] : undefined;
    const { confirm, mode } = start.tools?.find((each) => each.name === name) ?? {};
    if (!tool) return refuse('TOOL_NOT_FOUND', `The call has no tool ${name}.`);
    if (confirm && !confirmed) return refuse('TOOL_NOT_CONFIRMED', 'The person has not been asked.');
    const invocation = { ...NO_INVOCATION, invocationId: randomUUID() };
    const running: ToolInvocation = { ...invocation, state: 'running' };
    this.settled.set(invocation.invocationId, run(tool, args, invocation));
    return mode === 'background' ? running : this.wait({}, running, { signal });
  }

  async wait(_call: object, asked: ToolInvocation, { signal }: WaitOptions): Promise<ToolInvocation> {
    const settled = this.settled.get(asked.invocationId);
    if (!settled || signal?.aborted) return asked;
    const stopped = new Promise<ToolInvocation>((resolve) =>
      signal?.addEventListener('abort', () => resolve(asked), { once: true }),
    );
    return Promise.race([settled, stopped]);
  }
}

const refuse = (code: string, error: string): ToolInvocation => ({
  ...NO_INVOCATION,
  ...{ state: 'refused', code, error },
});

async function run(
  tool: ToolMethods['run'],
  args: Record<string, unknown>,
  invocation: Omit<ToolInvocation, 'state'>,
): Promise<ToolInvocation> {
  try {
    const json = JSON.stringify(await tool(args)) as string | undefined;
    return { ...invocation, state: 'done', result: JSON.parse(json ?? 'null') as unknown };
  } catch (error) {
    const message = error instanceof Error ? error.message : describeThrown(error);
    return { ...invocation, state: 'refused', error: shorten(message, LENGTHS.text) };
  }
}

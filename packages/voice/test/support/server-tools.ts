import type { ToolInvocation, ToolOfCall } from '@parley/worker';
import type { ToolContext } from '../../src/brain/tools';

/** A tool, and what the server says of an asking. The other fields of both are those of a tool that was done. */
export interface ServerTool extends Partial<ToolOfCall> {
  name: string;
  run: (given: object, confirmed: boolean) => Partial<ToolInvocation> | Promise<Partial<ToolInvocation>>;
}

const DONE: ToolInvocation = {
  ...{ invocationId: 'one', state: 'done', result: null, error: null },
  ...{ code: null, repeated: false, variables: {} },
};

export const toTool = (tool: Partial<ToolOfCall> & { name: string }): ToolOfCall => ({
  ...{ description: `Does ${tool.name}.`, parameters: { type: 'object', additionalProperties: true } },
  ...{ mode: 'wait', confirm: false, say: '' },
  ...tool,
});

/** The part of a context that asks for these tools. */
export const serverTools = (tools: readonly ServerTool[]): Pick<ToolContext, 'tools' | 'ask'> => ({
  tools: tools.map(({ run: _, ...tool }) => toTool(tool)),
  ask: async (name, given, confirmed) => ({
    ...DONE,
    ...(await tools.find((tool) => tool.name === name)?.run(given, confirmed)),
  }),
});

import type { Schemas } from '../../api/client';

type Tool = Pick<Schemas['ToolDto'], 'kind' | 'name' | 'description' | 'parameters' | 'discovered' | 'fixed'>;

export interface Offered {
  name: string;
  description: string;
  parameters: Record<string, unknown>;
}

/** A model knows a tool of a server by both names. */
const toName = (name: string, ofServer: string) => `${name}_${ofServer.replaceAll(/[^\w-]/g, '_')}`;

export const offeredNames = ({ kind, name, discovered }: Pick<Tool, 'kind' | 'name' | 'discovered'>) =>
  kind === 'mcp' ? discovered.map((tool) => toName(name, tool.name)) : [name];

/** A model does not see the parameters of a server's tool that have a fixed value. */
function withoutFixed(parameters: Record<string, unknown>, fixed: Tool['fixed']): Record<string, unknown> {
  const { properties = {}, required } = parameters as { properties?: object; required?: string[] };
  return {
    ...parameters,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !(name in fixed))),
    ...(required && { required: required.filter((name) => !(name in fixed)) }),
  };
}

/** The tools as a model sees them. */
export const listOffered = (tool: Tool): Offered[] =>
  tool.kind === 'mcp'
    ? tool.discovered.map(({ name, description, parameters }) => ({
        name: toName(tool.name, name),
        description,
        parameters: withoutFixed(parameters, tool.fixed),
      }))
    : [{ name: tool.name, description: tool.description, parameters: tool.parameters }];

import type { ToolDefinition } from '../tools/tool-definition';
import type { WriteToolDto } from '../tools/tools.dto';
import { toDefinition } from '../tools/tools.service';
import { type Definition, leaveOutDefaults } from './definition';

/** All of a tool that its definition is made of. */
export interface ToolContent {
  definition: ToolDefinition;
  /** The names of its secrets. */
  secrets: string[];
}

/** A tool of a server as a file has it: which of the server's tools are allowed, and not what each of them is. */
const toFileForm = (definition: ToolDefinition) =>
  definition.kind === 'mcp' ? { ...definition, tools: definition.tools.map(({ name }) => name) } : definition;

/** A tool as a file has it. */
export function describeTool({ definition, secrets }: ToolContent): Definition {
  const { kind, description, url } = definition;
  const method = definition.kind === 'http' ? definition.method : undefined;
  // The default of `effect` depends on the method.
  const { description: _, url: __, ...defaults } = toDefinition({ name: '', kind, description, url, method });
  const values = { ...toFileForm(definition), secrets: [...secrets].sort() };
  const usual = { ...defaults, kind: 'http', ...(method && { method: 'POST' }), secrets: [] };
  return { description, url, ...leaveOutDefaults(values, usual) };
}

/** The tool that a definition makes. What the server of a tool says is not a part of it. */
export function completeTool(body: WriteToolDto, secrets: string[]): ToolContent {
  const definition = toDefinition(body);
  if (definition.kind === 'http') return { definition, secrets };
  const tools = (body.tools ?? []).map((name) => ({
    name,
    description: '',
    parameters: {},
    annotations: {},
  }));
  return { definition: { ...definition, tools }, secrets };
}

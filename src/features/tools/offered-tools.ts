import { jsonBytes } from '../../platform/validation/json-bytes';
import { BUILT_IN_TOOLS } from './built-in-tools';
import { offerTools } from './mcp-tools';
import { DEFAULT_TIMEOUT_MS, MAX_TOOLS_OF_AGENT, type OfferedTool, type PinnedTool } from './tool-definition';

/** The bound for the descriptions and parameters of all tools of a call, which are a part of its messages. */
export const MAX_TOOLS_KILOBYTES = 256;

/** An action with an address has the arguments that the model gives it, and happens once for each. */
const ADDRESS_TOOL: Omit<OfferedTool, 'name' | 'description' | 'url'> = {
  ...{ kind: 'http', parameters: { type: 'object', additionalProperties: true }, method: 'POST' },
  ...{
    headers: {},
    fixed: {},
    effect: 'once',
    once_by: null,
    idempotent: false,
    timeout_ms: DEFAULT_TIMEOUT_MS,
  },
  ...{ mode: 'wait', confirm: false, say: '', results: [], tool_id: null, server_tool: null },
};

/** A version of an agent, whose actions name its tools. */
interface WithActions {
  actions?: string[];
}

/** The tools of a version of an agent: those that it names, and its actions with an address. The first of a name counts. */
export function listOfferedTools(agent: WithActions, pinned: readonly PinnedTool[]): OfferedTool[] {
  return pickTools(listNamedTools(agent, pinned));
}

/** The actions of a version of an agent that are no tools, and its tools that are left out. */
export function listMissingTools(agent: WithActions, pinned: readonly PinnedTool[]): string[] {
  const named = listNamedTools(agent, pinned);
  const offered = new Set(pickTools(named));
  const isTool = (action: string) =>
    BUILT_IN_TOOLS.has(action.trim()) ||
    pinned.some(({ name }) => name === action) ||
    readAddressTool(action) !== undefined;
  return [
    ...(agent.actions ?? []).filter((action) => !isTool(action)),
    ...named.filter((tool) => !offered.has(tool)).map(({ name }) => name),
  ];
}

const listNamedTools = ({ actions = [] }: WithActions, pinned: readonly PinnedTool[]): OfferedTool[] => [
  ...pinned.flatMap((tool) => (tool.kind === 'mcp' ? offerTools(tool) : [{ ...tool, server_tool: null }])),
  ...actions.flatMap((action) => readAddressTool(action) ?? []),
];

function pickTools(named: OfferedTool[]): OfferedTool[] {
  const first = new Map(named.toReversed().map((tool) => [tool.name, tool]));
  let bytes = 0;
  return named
    .filter((tool) => first.get(tool.name) === tool)
    .slice(0, MAX_TOOLS_OF_AGENT)
    .filter(
      (tool) => (bytes += jsonBytes([tool.description, tool.parameters])) <= MAX_TOOLS_KILOBYTES * 1_024,
    );
}

/** An action with an address is `https://…/name`, or a name and an address with a space between them. */
function readAddressTool(action: string): OfferedTool | undefined {
  const [first = '', second] = action.trim().split(/\s+/, 2);
  const url = URL.canParse(second ?? first) ? new URL(second ?? first) : undefined;
  const name = (second === undefined ? url?.pathname.split('/').filter(Boolean).at(-1) : first) ?? '';
  const isUsable = url && ['http:', 'https:'].includes(url.protocol) && /^[\w-]{1,60}$/.test(name);
  if (!isUsable || BUILT_IN_TOOLS.has(name)) return undefined;
  const description = `Does "${name.replaceAll(/[_-]+/g, ' ')}". Give what is needed for it, by name.`;
  return { ...ADDRESS_TOOL, name, description, url: url.href };
}

import type { Tool } from './tool.entity';
import type { PinnedTool } from './tool-definition';
import type { PinnedToolDto, ToolDto } from './tools.dto';

/** A tool with the fields of both kinds. */
export const presentPinned = (tool: PinnedTool): PinnedToolDto =>
  tool.kind === 'mcp'
    ? {
        ...tool,
        parameters: {},
        method: 'POST',
        tools: tool.tools.map(({ name }) => name),
        discovered: tool.tools,
      }
    : { ...tool, tools: [], discovered: [] };

export const presentTool = ({ id, name, definition, secrets, createdAt, updatedAt }: Tool): ToolDto => ({
  ...presentPinned({ ...definition, tool_id: id, name }),
  secrets: Object.keys(secrets),
  created_at: createdAt,
  updated_at: updatedAt,
});

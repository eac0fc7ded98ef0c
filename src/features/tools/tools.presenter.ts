import type { Tool } from './tool.entity';
import type { ToolDto } from './tools.dto';

export const presentTool = ({ id, name, definition, secrets, createdAt, updatedAt }: Tool): ToolDto => ({
  tool_id: id,
  name,
  ...definition,
  secrets: Object.keys(secrets),
  created_at: createdAt,
  updated_at: updatedAt,
});

import { type ArgumentRules, findDottedSegments } from '@parley/voice';
import type { OfferedTool } from './tool-definition';

/** The conditions for the arguments of a tool, without which it is not asked. */
export const toArgumentRules = ({
  tool_id,
  server_tool,
  parameters,
  fixed,
  url,
}: OfferedTool): ArgumentRules => ({
  // A server checks the arguments of its tools by its own schema.
  ...(server_tool === null && { parameters }),
  fixed: Object.keys(fixed),
  path: server_tool === null && tool_id !== null ? findDottedSegments(url) : [],
});

import type { OfferedTool } from '../tools/tool-definition';
import type { SentInvocation } from './tool-invocations.repository';

/** The tool of an invocation among those of the version of its call. */
export const findSentTool = (
  tools: readonly OfferedTool[],
  { tool, toolId }: SentInvocation,
): OfferedTool | undefined => tools.find(({ name, tool_id }) => name === tool && tool_id === toolId);

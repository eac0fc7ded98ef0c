import { jsonBytes } from '../../platform/validation/json-bytes';
import type { AgentConfig } from './agent-defaults';
import { agentTooLarge } from './agents.errors';

/** The maximum is that of a request body. Two prompts of the maximum length take 800 KB in the widest characters. */
const MAX_KILOBYTES = 1_024;

/**
 * Each version of an agent stores its config, and each message to a runtime contains it.
 * @param before the stored config: an agent that is already larger may shrink in steps
 * @throws 400
 */
export function assertSize(config: AgentConfig, before?: AgentConfig): void {
  const size = jsonBytes(config);
  if (size <= MAX_KILOBYTES * 1_024 || (before && size <= jsonBytes(before))) return;
  throw agentTooLarge(MAX_KILOBYTES);
}

import { jsonBytes } from '../validation/fields';
import type { AgentConfig } from './agent-defaults';
import { agentTooLarge } from './agents.errors';

/** As much as one request can say. Two prompts of the greatest length take 800 KB in the widest characters. */
const MAX_KILOBYTES = 1_024;

/**
 * Bounds what each call of an agent copies and each message to a runtime carries.
 * @param before what it was; an agent that is larger already may shrink in steps
 * @throws 400
 */
export function assertModestSize(config: AgentConfig, before?: AgentConfig): void {
  const size = jsonBytes(config);
  if (size <= MAX_KILOBYTES * 1_024 || (before && size <= jsonBytes(before))) return;
  throw agentTooLarge(MAX_KILOBYTES);
}

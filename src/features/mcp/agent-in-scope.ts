import { agentsInScope, type Caller } from '../../platform/http/access';
import { agentOutOfScope } from './mcp.errors';

/** @throws 403 if the credential is limited to other agents */
export function assertAgentInScope(caller: Caller, agentId: string): void {
  const agentIds = agentsInScope(caller);
  if (agentIds && !agentIds.includes(agentId.toLowerCase())) throw agentOutOfScope();
}

import type { Right } from '../ui/rights';

const AGENT = 'agent:';

export const isAgentScope = (scope: string) => scope.startsWith(AGENT);

/** The ids of the agents that a credential with these scopes is limited to; undefined: it is not limited. */
export function listAgentsInScope(scopes: string[] | null | undefined): string[] | undefined {
  const ids = scopes?.filter(isAgentScope).map((scope) => scope.slice(AGENT.length));
  return ids?.length ? ids : undefined;
}

/** Whether a credential with these scopes reaches some agents only. */
export const isLimitedToAgents = (scopes: string[] | null | undefined): boolean =>
  scopes?.some(isAgentScope) ?? false;

/** The rights of a credential with these scopes, beside reading. */
export function getRights(scopes: string[] | null): Right[] {
  if (scopes?.includes('read')) return [];
  return scopes?.includes('operate') ? ['operate'] : ['operate', 'administer'];
}

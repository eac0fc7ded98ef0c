import type { Right } from '../ui/rights';

export const isAgentScope = (scope: string) => scope.startsWith('agent:');

/** Whether a credential with these scopes reaches some agents only. */
export const isLimitedToAgents = (scopes: string[] | null | undefined): boolean =>
  scopes?.some(isAgentScope) ?? false;

/** The rights of a credential with these scopes, beside reading. */
export function getRights(scopes: string[] | null): Right[] {
  if (scopes?.includes('read')) return [];
  return scopes?.includes('operate') ? ['operate'] : ['operate', 'administer'];
}

export const isAgentScope = (scope: string) => scope.startsWith('agent:');

/** Whether a credential with these scopes reaches some agents only. */
export const isLimitedToAgents = (scopes: string[] | null | undefined): boolean =>
  scopes?.some(isAgentScope) ?? false;

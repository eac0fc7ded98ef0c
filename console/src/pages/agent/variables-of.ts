import type { Schemas } from '../../api/client';

const PLACEHOLDER = /\{\{([^{}]{1,200})\}\}/g;

/** The names of the variables in the texts of an agent, and of those that it declares, each once. */
export function variablesOf({
  greeting,
  prompt,
  localisedPrompt,
  dynamic_variables,
}: Schemas['AgentDto']): string[] {
  const found = `${greeting}\n${prompt}\n${localisedPrompt}`.matchAll(PLACEHOLDER);
  return [...new Set([...[...found].map(([, name = '']) => name.trim()), ...dynamic_variables])].filter(
    Boolean,
  );
}

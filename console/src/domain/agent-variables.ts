import type { Schemas } from '../api/client';

const PLACEHOLDER = /\{\{([^{}]{1,200})\}\}/g;

/** The unique names of the variables that an agent declares or uses in its texts. */
export function listVariables({
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

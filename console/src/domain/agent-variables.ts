import type { Schemas } from '../api/client';

const PLACEHOLDER = /\{\{([^{}]{1,200})\}\}/g;

/** The name of the person, which calls fill without being given the variable. */
export const FILLED_VARIABLE = 'customer_name';

/** The unique names of the variables that texts use. */
export const usedVariables = (...texts: string[]): string[] =>
  [...new Set([...texts.join('\n').matchAll(PLACEHOLDER)].map(([, name = '']) => name.trim()))].filter(
    Boolean,
  );

/** The unique names of the variables that an agent declares or uses in its texts. */
export const listVariables = ({
  greeting,
  prompt,
  localisedPrompt,
  dynamic_variables,
}: Schemas['AgentDto']): string[] =>
  [...new Set([...usedVariables(greeting, prompt, localisedPrompt), ...dynamic_variables])].filter(Boolean);

import type { Schemas } from '../api/client';

const PLACEHOLDER = /\{\{([^{}]{1,200})\}\}/g;

/** The name of the person, which calls fill without being given the variable. */
export const FILLED_VARIABLE = 'customer_name';

/** The voice runtime fills these with the time of the call. */
export const TIME_VARIABLES = ['now', 'today'];

/** The parts of a text in turn: what is said as it is, and the placeholders of variables with their braces. */
export const splitAtVariables = (text: string): { text: string; isVariable: boolean }[] => {
  const parts: { text: string; isVariable: boolean }[] = [];
  let end = 0;
  for (const { 0: placeholder, index } of text.matchAll(PLACEHOLDER)) {
    parts.push({ text: text.slice(end, index), isVariable: false }, { text: placeholder, isVariable: true });
    end = index + placeholder.length;
  }
  return [...parts, { text: text.slice(end), isVariable: false }];
};

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

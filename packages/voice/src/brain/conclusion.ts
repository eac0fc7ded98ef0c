import type { Conclusion } from './brain';
import { parseObject } from './tools';

/** The request for a summary after the end of a conversation. */
export const askForConclusion = (variables: readonly string[]) =>
  'The conversation is over. Answer with JSON: {"summary": one or two sentences, "outcome": one or two words, ' +
  `"variables": an object with what is known of ${JSON.stringify(variables)}}`;

/** @param noted what the model noted before, which counts more. @throws Error if the text has no object */
export function readConclusion(
  text: string,
  declared: readonly string[],
  noted: Record<string, string>,
): Conclusion {
  // Some models put the object between lines of Markdown.
  const answer = parseObject(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
  const variables = typeof answer.variables === 'object' && answer.variables !== null ? answer.variables : {};
  const found = Object.entries(variables).filter(
    ([name, value]) => declared.includes(name) && ['string', 'number', 'boolean'].includes(typeof value),
  );
  return {
    summary: typeof answer.summary === 'string' ? answer.summary : '',
    outcome: typeof answer.outcome === 'string' ? answer.outcome : 'completed',
    variables: { ...Object.fromEntries(found.map(([name, value]) => [name, String(value)])), ...noted },
  };
}

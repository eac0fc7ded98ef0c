import type { CallStart } from './messages';

/** Without this limit, kilobytes of placeholders and values would make a text of many megabytes. */
export const MAX_FILLED_LENGTH = 200_000;

/** `{{name}}` in a text. Spaces around the name count for its 200 characters, but do not belong to it. */
const PLACEHOLDER = /\{\{([^{}]{1,200})\}\}/g;

/** Characters that nobody sees, such as the marks of text direction and zero-width spaces. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;

/** Names that look the same are the same, also with another kind of space. */
const toVisible = (name: string) =>
  name
    .replace(INVISIBLE, '')
    .replace(/\p{Zs}/gu, ' ')
    .normalize()
    .trim();

/** The names in the placeholders of a text, in its order, without the spaces around them. */
export const listPlaceholders = (text: string): string[] =>
  [...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name.trim());

/** The variables of a call: those that it was given, and the name of the person as `customer_name`. */
export const listVariables = ({
  customer_name,
  dynamic_variables,
}: Pick<CallStart, 'customer_name' | 'dynamic_variables'>): Record<string, string> => ({
  ...(customer_name !== '' && { customer_name }),
  ...dynamic_variables,
});

/**
 * Replaces `{{name}}` by the value of the variable whose name looks the same. A name without a value stays as it is, as
 * does one whose value would make the text longer than 200,000 characters. Values are not filled again, so that they
 * cannot read other variables.
 * @param fallBack gives the value of a name that is no variable
 */
export function fillVariables(
  text: string,
  variables: Record<string, string>,
  fallBack: (name: string) => string | undefined = () => undefined,
): string {
  // Most greetings have no placeholder, and a call may have many variables.
  let values: Map<string, string> | undefined;
  let length = text.length;
  return text.replace(PLACEHOLDER, (placeholder, written: string) => {
    const name = toVisible(written);
    values ??= new Map(Object.entries(variables).map(([known, value]) => [toVisible(known), value]));
    const value = values.get(name) ?? fallBack(name);
    const filled = length - placeholder.length + (value?.length ?? 0);
    if (value === undefined || filled > Math.max(MAX_FILLED_LENGTH, length)) return placeholder;
    length = filled;
    return value;
  });
}

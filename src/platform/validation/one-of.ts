import { isObject, ValidateBy } from 'class-validator';
import type { ItemContext } from './item-fields';

/**
 * An object with exactly one of these members.
 * @param options.each whether the field is a list of such objects
 */
export function ExactlyOneOf(names: readonly string[], { each = false } = {}) {
  const isValid = (value: unknown) =>
    isObject(value) &&
    names.filter((name) => (value as Record<string, unknown>)[name] !== undefined).length === 1;
  const validator = {
    validate: isValid,
    defaultMessage: () =>
      `${each ? 'each item of ' : ''}$property must have exactly one of ${names.join(', ')}`,
  };
  return ValidateBy(
    { name: 'hasExactlyOne', validator },
    each ? { each, context: { isValidItem: isValid } satisfies ItemContext } : undefined,
  );
}

import type { FieldError } from './errors';

/** @returns a problem for each name of a list that stands before it, too */
export function findRepeatedNames(named: { name: string }[], path: string): FieldError[] {
  const known = new Set<string>();
  return named.flatMap(({ name }, index) => {
    const isRepeated = known.has(name);
    known.add(name);
    return isRepeated
      ? [{ field: `${path}.${index}.name`, message: `name must be unique, and ${name} is not` }]
      : [];
  });
}

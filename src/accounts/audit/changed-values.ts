type Plain = number | boolean | null;

/** The value at a path such as `llmConfig.temperature`; undefined if it is a text, a list or an object. */
function plainAt(values: object, path: string): Plain | undefined {
  const value = path
    .split('.')
    .reduce<unknown>((inner, name) => (inner as Record<string, unknown> | null | undefined)?.[name], values);
  if (value === undefined || value === null) return null;
  return typeof value === 'number' || typeof value === 'boolean' ? value : undefined;
}

/**
 * The values of changed fields before and after the change, as far as the audit keeps them: numbers and switches, which
 * contain no texts of users.
 * @returns `before` and `after`, or nothing if there are no such values
 */
export function changedValues(
  paths: readonly string[],
  before: object,
  after: object,
): Record<string, Record<string, Plain>> {
  const pairs = paths.flatMap((path) => {
    const [old, next] = [plainAt(before, path), plainAt(after, path)];
    return old === undefined || next === undefined || (old === null && next === null)
      ? []
      : [{ path, old, next }];
  });
  if (pairs.length === 0) return {};
  return {
    before: Object.fromEntries(pairs.map(({ path, old }) => [path, old])),
    after: Object.fromEntries(pairs.map(({ path, next }) => [path, next])),
  };
}

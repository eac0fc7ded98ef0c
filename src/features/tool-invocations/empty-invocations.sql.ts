/** SQL: the assignments that empty an invocation of what was said in it. Its state and its times stay. */
export const EMPTY_INVOCATION = `
  key = id::text, same_as = NULL, arguments = '{}', result = NULL, error = NULL, variables = '{}', note = ''`;

/**
 * SQL: whether an invocation has something that {@link EMPTY_INVOCATION} removes. Each has a key.
 * @param invocation SQL: a row of `tool_invocations`
 */
export const hasContent = (invocation = 'tool_invocations') => `${invocation}.key <> ${invocation}.id::text`;

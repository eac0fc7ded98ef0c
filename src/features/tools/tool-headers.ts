/** The headers of a tool with its secrets in them, and their names in lower case. */
export const fillHeaders = (
  headers: Record<string, string>,
  secrets: Record<string, string>,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      value.replaceAll(/\{\{secret:([^{}]*)\}\}/g, (_, secret: string) => secrets[secret] ?? ''),
    ]),
  );

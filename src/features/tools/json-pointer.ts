/** RFC 6901 */
export const isPointer = (text: string): boolean => /^(?:\/(?:[^~/]|~[01])*)*$/.test(text);

/** @returns the value at a pointer (RFC 6901); undefined: there is none */
export const readPointer = (document: unknown, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>(
      (value, token) =>
        typeof value === 'object' &&
        value !== null &&
        Object.hasOwn(value, token) &&
        (!Array.isArray(value) || /^\d+$/.test(token))
          ? (value as Record<string, unknown>)[token]
          : undefined,
      document,
    );

import type { ParleyError } from '../errors';

/** The command line was used wrongly; it ends with status 2. */
export class UsageError extends Error {
  /** @param details further lines, such as one for each error */
  constructor(
    message: string,
    readonly details: string[] = [],
  ) {
    super(message);
  }
}

/** The command failed, as its message says; it ends with status 1. */
export class CommandFailed extends Error {
  /** @param details further lines, such as one for each error */
  constructor(
    message: string,
    readonly details: string[] = [],
  ) {
    super(message);
  }
}

/** The lines that say why a request failed. */
export function describeFailure(error: ParleyError): string[] {
  const { message, details, code, errors, requestId, retryAfter } = error;
  return [
    `${message} (${code})`,
    ...(details ? [details] : []),
    ...errors.map(({ field, message: reason }) => `  ${field}: ${reason}`),
    ...(retryAfter === undefined ? [] : [`Try again in ${retryAfter} s.`]),
    ...(requestId ? [`Request id: ${requestId}`] : []),
  ];
}

/** The message of an error, or a thrown value as a text. */
export function describeError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The message of an error, or a thrown value as a text. */
export function describeError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The words of a service for a log. A service may repeat the secrets that it was sent, also in the header of Basic. */
export function withoutSecrets(text: string, secrets: string[]): string {
  return secrets
    .filter((secret) => secret !== '')
    .reduce((rest, secret) => rest.replaceAll(secret, '…'), text);
}

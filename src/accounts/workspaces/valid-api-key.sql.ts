/** Whether a row of `api_keys` is valid. Its ancestors need no check: a key ends with its parent at the latest. */
export const isValidApiKey = (key: string) =>
  `${key}.revoked_at IS NULL AND (${key}.expires_at IS NULL OR ${key}.expires_at > now())`;

import { readBounded } from '../../platform/outbound-http/read-bounded';

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 1_048_576;
const MAX_KEYS = 100;

/** Reads the JSON Web Key Set (RFC 7517) of an identity provider. @throws Error for a response that has none */
export async function fetchJwks(url: string, stop: AbortSignal): Promise<unknown[]> {
  const response = await fetch(url, {
    headers: { accept: 'application/json' },
    signal: AbortSignal.any([stop, AbortSignal.timeout(TIMEOUT_MS)]),
  });
  const text = (await readBounded(response, MAX_BYTES)).toString();
  if (!response.ok) throw new Error(`The identity provider answers with status ${response.status}`);
  const { keys } = (JSON.parse(text) ?? {}) as { keys?: unknown };
  if (!Array.isArray(keys) || keys.length > MAX_KEYS) {
    throw new Error(`The answer of the identity provider has no list "keys" of up to ${MAX_KEYS} keys`);
  }
  return keys as unknown[];
}

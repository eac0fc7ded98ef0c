import { createPublicKey, type KeyObject, verify } from 'node:crypto';

const TOLERANCE_S = 300;
/** The beginning of a public key of Ed25519 in DER, before its 32 bytes. */
const PREFIX = Buffer.from('302a300506032b6570032100', 'hex');
/** The ids of events are kept for longer than their signatures count. */
export const SEEN_MS = 2 * TOLERANCE_S * 1_000;

/** @param publicKey 32 bytes in Base64, as Telnyx shows it @returns undefined if it is none */
export function readPublicKey(publicKey: string): KeyObject | undefined {
  const bytes = Buffer.from(publicKey, 'base64');
  if (bytes.length !== 32) return undefined;
  return createPublicKey({ key: Buffer.concat([PREFIX, bytes]), format: 'der', type: 'spki' });
}

/** Whether Telnyx sent this body within the last five minutes. */
export function isSigned(
  key: KeyObject,
  { timestamp, signature }: { timestamp: unknown; signature: unknown },
  body: string,
  now = Date.now(),
): boolean {
  if (typeof timestamp !== 'string' || typeof signature !== 'string') return false;
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now / 1_000 - Number(timestamp)) > TOLERANCE_S) return false;
  return verify(null, Buffer.from(`${timestamp}|${body}`), key, Buffer.from(signature, 'base64'));
}

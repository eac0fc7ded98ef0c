import { createPublicKey, type KeyObject, verify } from 'node:crypto';

const TOLERANCE_S = 300;
/** The beginning of a public key of Ed25519 in DER, before its 32 bytes. */
const PREFIX = Buffer.from('302a300506032b6570032100', 'hex');
const MAX_SEEN = 10_000;

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

/** The events of the last minutes, each of which counts once. */
export class SeenEvents {
  private readonly seen = new Map<string, number>();

  /** @returns whether it is new */
  add(id: string, now = Date.now()): boolean {
    for (const [other, at] of this.seen) {
      if (this.seen.size < MAX_SEEN && now - at < 2 * TOLERANCE_S * 1_000) break;
      this.seen.delete(other);
    }
    if (this.seen.has(id)) return false;
    this.seen.set(id, now);
    return true;
  }
}

import { timingSafeEqual } from 'node:crypto';

/** Compares a secret that somebody sent with the right one. The time that it takes tells nothing about them. */
export function isSameSecret(given: unknown, own: string): boolean {
  const [actual, expected] = [Buffer.from(typeof given === 'string' ? given : ''), Buffer.from(own)];
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}

import type { Config } from '../../config';

/** Prefixes of E.164 numbers, without the plus. They are plain data, since another process gets them. */
export interface DestinationRules {
  /** Empty: all destinations are allowed. */
  allowed: string[];
  denied: string[];
}

export const getDestinationRules = (config: Pick<Config, 'ALLOWED_DESTINATIONS' | 'DENIED_DESTINATIONS'>) =>
  ({
    allowed: config.ALLOWED_DESTINATIONS,
    denied: config.DENIED_DESTINATIONS,
  }) satisfies DestinationRules;

/** The length of the longest prefix that matches the digits, or -1. */
function longestMatch(digits: string, prefixes: string[]): number {
  let longest = -1;
  for (const prefix of prefixes) {
    if (prefix.length > longest && digits.startsWith(prefix)) longest = prefix.length;
  }
  return longest;
}

/**
 * Whether a number may be called: the longest matching prefix decides; of two equally long ones, the denied one.
 * @param number E.164
 */
export function isAllowedDestination(number: string, { allowed, denied }: DestinationRules): boolean {
  const digits = number.slice(1);
  const match = allowed.length === 0 ? 0 : longestMatch(digits, allowed);
  return match > longestMatch(digits, denied);
}

import type { Config } from '../config';

/** Prefixes of E.164 numbers, without their plus. Plain data, so that it can be handed to another process. */
export interface DestinationRules {
  /** Empty: everywhere. */
  allowed: string[];
  denied: string[];
}

export const destinationRulesOf = (config: Pick<Config, 'ALLOWED_DESTINATIONS' | 'DENIED_DESTINATIONS'>) =>
  ({
    allowed: config.ALLOWED_DESTINATIONS,
    denied: config.DENIED_DESTINATIONS,
  }) satisfies DestinationRules;

/** The length of the longest prefix that the digits begin with; -1 where none fits. */
const longestFit = (digits: string, prefixes: string[]) =>
  Math.max(-1, ...prefixes.filter((prefix) => digits.startsWith(prefix)).map(({ length }) => length));

/**
 * Whether a number may be called: the longest prefix decides, and of two that are equally long the denied one.
 * @param number E.164
 */
export function isAllowedDestination(number: string, { allowed, denied }: DestinationRules): boolean {
  const digits = number.slice(1);
  const fit = allowed.length === 0 ? 0 : longestFit(digits, allowed);
  return fit > longestFit(digits, denied);
}

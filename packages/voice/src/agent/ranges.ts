import type { Warning } from './plan';

export type Warn = (code: Warning['code'], text: string) => void;

/** A value within its limits, with a warning if it was not. */
export function clamped(
  field: string,
  value: number,
  min: number,
  max: number,
  otherwise: number,
  warn: Warn,
): number {
  if (!Number.isFinite(value)) return otherwise;
  const result = Math.min(max, Math.max(min, value));
  if (result !== value) warn('value_out_of_range', `${field} is ${value}; ${result} is used.`);
  return result;
}

export const positive = (value: number, otherwise: number) => (value > 0 ? value : otherwise);

export function smallestPositive(values: number[], otherwise: number): number {
  const given = values.filter((value) => value > 0);
  return given.length > 0 ? Math.min(...given) : otherwise;
}

/** A switch and its seconds, which the interface allows in either order. 0 seconds: off. */
export function switchPair(pair: readonly [boolean | number, boolean | number]): number {
  const isOn = pair.find((value) => typeof value === 'boolean') ?? Number(pair[0]) > 0;
  const seconds = pair.findLast((value) => typeof value === 'number');
  return isOn ? (seconds ?? 0) : 0;
}

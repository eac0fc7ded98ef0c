import { createHash, randomInt } from 'node:crypto';
import { UUID } from 'uuidv7';

/** Choices that are always the same for a seed (mulberry32). */
export class Random {
  private state: number;

  constructor(seed: string) {
    this.state = createHash('sha256').update(seed).digest().readUInt32LE(0);
  }

  /** Returns a number from 0 to less than 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Returns a whole number; both limits are possible. */
  between([minimum, maximum]: readonly [number, number]): number {
    return minimum + Math.floor(this.next() * (maximum - minimum + 1));
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  pick<Value>(values: readonly Value[]): Value {
    return values[Math.floor(this.next() * values.length)] as Value;
  }

  weighted<Value extends { weight: number }>(values: readonly Value[]): Value {
    let left = this.next() * values.reduce((sum, { weight }) => sum + weight, 0);
    return values.find(({ weight }) => (left -= weight) < 0) ?? (values.at(-1) as Value);
  }
}

/**
 * Returns a new id that sorts as if it had been made at that time. It does not follow from the seed, because two
 * workspaces may have the same one.
 */
export const idAt = (time: Date): string =>
  UUID.fromFieldsV7(time.getTime(), randomInt(2 ** 12), randomInt(2 ** 30), randomInt(2 ** 32)).toString();

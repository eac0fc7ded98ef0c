import { isTimeZoneName } from '../../../platform/validation/time-zone';

/** Recognizes the names of time zones, each in its first spelling, so that a file has no more zones than there are. */
export class ZoneNames {
  /** The zones by their names in lower case; undefined: there is no such zone. */
  private readonly known = new Map<string, string | undefined>([['', '']]);

  /** @returns the zone in its first spelling; undefined for an unknown zone, '' for '' */
  find(name: string): string | undefined {
    const key = name.toLowerCase();
    if (!this.known.has(key)) this.known.set(key, isTimeZoneName(name) ? name : undefined);
    return this.known.get(key);
  }

  /** All names that were found, with ''. */
  get names(): string[] {
    return [...this.known.values()].filter((name) => name !== undefined);
  }
}

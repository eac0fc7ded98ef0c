/** The outcome of a part of the source: where it is now, or why it is nowhere. */
export type Outcome = { to: string } | { why: string };

export interface Report {
  /** The slug of the agent, which is the name of its file. */
  agent: string;
  understood: { path: string; to: string }[];
  not_understood: { path: string; why: string }[];
}

const UNKNOWN: Outcome = { why: 'Parley has no such setting' };
export const NOT_SET = 'nothing: it is off, or not set';

/** The names in a container. */
const namesOf = (value: unknown): string[] =>
  typeof value === 'object' && value !== null ? Object.keys(value) : [];

/** A name that is not plain is quoted, so that no two places have the same path. */
const pathTo = (parent: string, name: string): string => {
  if (!/^[\w-]+$/.test(name)) return `${parent}[${JSON.stringify(name)}]`;
  return parent === '' ? name : `${parent}.${name}`;
};

/**
 * A value of the source at its place. What was read is marked, and the list of outcomes walks over the source itself: each of
 * its leaves, which are the values that contain nothing, is in it under exactly one path.
 */
export class Part {
  private readonly parts = new Map<string, Part>();
  private outcome: Outcome | undefined;

  constructor(
    readonly value: unknown,
    private readonly path = '',
  ) {}

  /** The part at a path of plain names, such as `model.tools.0`. Its value is undefined if the source has none. */
  at(path: string): Part {
    return path.split('.').reduce((part: Part, name) => part.child(name), this);
  }

  /** The parts of an object or a list, by their names. */
  get entries(): [name: string, part: Part][] {
    return namesOf(this.value).map((name) => [name, this.child(name)]);
  }

  /** The parts of a list. There are none in anything else. */
  get items(): Part[] {
    return Array.isArray(this.value) ? this.entries.map(([, part]) => part) : [];
  }

  /** The text of the part; '' if it is something else. */
  get text(): string {
    return typeof this.value === 'string' ? this.value : '';
  }

  /** Says where all of the part is now, whatever was said of its parts before. */
  understood(to: string): void {
    this.settle({ to });
  }

  /** Says where the part is as well, such as in another file. */
  alsoUnderstood(to: string): void {
    const before = this.outcome && 'to' in this.outcome ? `${this.outcome.to}; ` : '';
    this.understood(before + to);
  }

  /** Says why nothing of the part is anywhere, whatever was said of its parts before. */
  refused(why: string): void {
    this.settle({ why });
  }

  report(agent: string): Report {
    const report: Report = { agent, understood: [], not_understood: [] };
    for (const [path, outcome] of this.list(undefined)) {
      if ('to' in outcome) report.understood.push({ path, to: outcome.to });
      else report.not_understood.push({ path, why: outcome.why });
    }
    return report;
  }

  private child(name: string): Part {
    let part = this.parts.get(name);
    if (!part) {
      const isOwn =
        typeof this.value === 'object' &&
        this.value !== null &&
        Object.prototype.propertyIsEnumerable.call(this.value, name);
      const value = isOwn ? (this.value as Record<string, unknown>)[name] : undefined;
      part = new Part(value, pathTo(this.path, name));
      this.parts.set(name, part);
    }
    return part;
  }

  private settle(outcome: Outcome): void {
    this.parts.clear();
    this.outcome = outcome;
  }

  private get isTouched(): boolean {
    return this.outcome !== undefined || [...this.parts.values()].some((part) => part.isTouched);
  }

  /** The outcomes by their paths. One path stands for all of a part that was treated alike. */
  private list(around: Outcome | undefined): [path: string, outcome: Outcome][] {
    const outcome = this.outcome ?? around;
    const names = namesOf(this.value);
    const isWhole = ![...this.parts.values()].some((part) => part.isTouched);
    if (names.length === 0 || (isWhole && (outcome !== undefined || this.path !== '')))
      return [[this.path, outcome ?? (this.value === null ? { to: NOT_SET } : UNKNOWN)]];
    return names.flatMap((name) => this.child(name).list(outcome));
  }
}

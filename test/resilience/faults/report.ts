import { table } from '../harness/table';
import type { Round } from './round';
import type { Outcome } from '../harness/start';

const COLUMNS = [
  'rounds',
  'calls',
  'answered',
  'refused',
  'uncertain',
  'unanswered',
  'dialled',
  'tools',
  'unknown',
  'violations',
] as const;
type Column = (typeof COLUMNS)[number];
type Counts = Record<Column, number>;

const OUTCOMES: Outcome[] = ['answered', 'refused', 'uncertain', 'unanswered'];

/** The results of all faults and mutations. */
export class Report {
  private readonly faults = new Map<string, Counts>();
  /** For each server that was broken on purpose, whether the suite detected it. */
  private readonly mutations = new Map<string, boolean>();

  add(fault: string, round: Round, violations: number): void {
    const counts = this.getCounts(fault);
    counts.rounds += 1;
    counts.calls += round.starts.length;
    for (const name of OUTCOMES) {
      counts[name] += round.starts.filter(({ outcome }) => outcome === name).length;
    }
    counts.dialled += round.dialled().length;
    counts.tools += round.invocations.length;
    counts.unknown += round.invocations.filter(({ state }) => state === 'unknown').length;
    counts.violations += violations;
  }

  /** Adds the violations that were found after all processes had stopped. */
  addEnd(violations: number): void {
    this.getCounts('at the end').violations += violations;
  }

  addMutation(mutation: string, detected: boolean): void {
    this.mutations.set(mutation, detected);
  }

  get failed(): boolean {
    return this.outcomes().includes(false);
  }

  toString(): string {
    const rows = [...this.faults].map(([fault, counts]) => [
      fault,
      ...COLUMNS.map((name) => `${counts[name]}`),
    ]);
    const sum = (name: Column) =>
      [...this.faults.values()].reduce((total, counts) => total + counts[name], 0);
    const outcomes = this.outcomes();
    const count = (value: boolean) => outcomes.filter((outcome) => outcome === value).length;
    return [
      table([['fault', ...COLUMNS], ...rows, ['all', ...COLUMNS.map((name) => `${sum(name)}`)]]),
      ...[...this.mutations].map(
        ([mutation, detected]) => `broken on purpose, ${mutation}: ${detected ? 'detected' : 'NOT DETECTED'}`,
      ),
      `${count(true)} passed, ${count(false)} failed`,
      `${sum('calls')} calls, ${sum('rounds')} faults, ${sum('violations')} violations`,
    ].join('\n');
  }

  private getCounts(fault: string): Counts {
    const known = this.faults.get(fault);
    if (known) return known;
    const counts = Object.fromEntries(COLUMNS.map((name) => [name, 0])) as Counts;
    this.faults.set(fault, counts);
    return counts;
  }

  private outcomes(): boolean[] {
    return [
      ...[...this.faults.values()].map(({ violations }) => violations === 0),
      ...this.mutations.values(),
    ];
  }
}

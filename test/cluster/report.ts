import { table } from '../faults/report';

interface Injected {
  calls: number;
  failed: number;
  /** The longest time without an accepted call, in seconds. */
  gap: number;
  /** The longest one of a server with the role http. */
  gapOfServer: number;
  violations: number;
}

/** The results of all faults. */
export class Report {
  private readonly faults = new Map<string, Injected[]>();
  private readonly losses: string[] = [];
  private calls = 0;
  private violations = 0;
  private deadlocks = 0;

  add(fault: string, injected: Injected): void {
    this.faults.set(fault, [...(this.faults.get(fault) ?? []), injected]);
  }

  /** @param deadlocks since the start of the cluster */
  addLap(calls: number, violations: number, deadlocks: number): void {
    this.calls += calls;
    this.violations += violations;
    this.deadlocks = Math.max(this.deadlocks, deadlocks);
  }

  /** Adds a sentence about what a failover has lost. */
  addLoss(text: string, violations: number): void {
    this.losses.push(text);
    this.violations += violations;
  }

  get failed(): boolean {
    return this.violations > 0 || this.deadlocks > 0;
  }

  toString(): string {
    const rows = [...this.faults].map(([name, rounds]) => {
      const sum = (value: (round: Injected) => number) =>
        rounds.map(value).reduce((total, one) => total + one, 0);
      const gaps = rounds.map(({ gap }) => gap).sort((a, b) => a - b);
      const [median = 0, longest = 0] = [gaps[Math.floor(gaps.length / 2)], gaps.at(-1)];
      return [
        name,
        `${rounds.length}`,
        `${sum(({ calls }) => calls)}`,
        `${sum(({ failed }) => failed)}`,
        median.toFixed(1),
        longest.toFixed(1),
        Math.max(...rounds.map(({ gapOfServer }) => gapOfServer)).toFixed(1),
      ];
    });
    const passed = [...this.faults.values()].flat().filter(({ violations }) => violations === 0).length;
    const injected = [...this.faults.values()].flat().length;
    return [
      table([
        ['fault', 'times', 'calls', 'not accepted', 'seconds without', 'at most', 'at one server'],
        ...rows,
      ]),
      ...this.losses,
      `${this.calls} calls, ${injected} faults, ${this.violations} violations, ${this.deadlocks} deadlocks`,
      `${passed} passed, ${injected - passed || (this.failed ? 1 : 0)} failed`,
    ].join('\n');
  }
}

import { table } from '../harness/table';
import { BOUND, BROKEN, type Service, SERVICES } from './bounds';

const KINDS = Object.keys(SERVICES) as Service[];

/** The longest times without a service, in seconds. */
export interface Gaps {
  /** At all servers of its role together. */
  together: number;
  /** The longest one of a server of its role. */
  atOne: number;
}

export interface Injected {
  /** The duration of the fault, until everything served again. */
  seconds: number;
  calls: number;
  /** The requests that were not answered with 200. */
  failed: number;
  gaps: Record<Service, Gaps>;
  /** The violations of calls that were accepted during this fault. */
  violations: number;
}

interface Lap extends Pick<Injected, 'seconds' | 'calls' | 'failed' | 'violations'> {
  /** Since the start of the cluster. */
  deadlocks: number;
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** Names the services that a fault has stopped for longer than the bound. */
function findExceeded(fault: string, { gaps }: Injected): string[] {
  const broken = BROKEN[fault];
  if (!broken) return [];
  return KINDS.flatMap((kind) => {
    const { role, name } = SERVICES[kind];
    const say = (seconds: number, where: string) =>
      seconds > BOUND ? [`${fault}: ${seconds.toFixed(1)} s without ${name}${where}, not ${BOUND}`] : [];
    const { together, atOne } = gaps[kind];
    return [...say(together, ''), ...(broken.includes(role) ? [] : say(atOne, ' at one server'))];
  });
}

/** The results of all faults. */
export class Report {
  private readonly faults = new Map<string, Injected[]>();
  private readonly losses: string[] = [];
  /** The faults that took longer than their bound. */
  private readonly exceeded: string[] = [];
  private readonly lapSeconds: number[] = [];
  private calls = 0;
  private failedCalls = 0;
  private violations = 0;
  private deadlocks = 0;

  /**
   * @param known the names of all faults
   * @param holdsBounds whether a fault that takes longer than its bound is a failure. Otherwise it is only named.
   */
  constructor(
    private readonly known: string[],
    private readonly holdsBounds: boolean,
  ) {}

  add(fault: string, injected: Injected): void {
    this.faults.set(fault, [...(this.faults.get(fault) ?? []), injected]);
    this.violations += injected.violations;
    this.exceeded.push(...findExceeded(fault, injected));
  }

  /**
   * The load goes on after the last fault, so that a lap has more calls than its faults have. Its violations are those that
   * belong to no fault.
   */
  addLap({ seconds, calls, failed, violations, deadlocks }: Lap): void {
    this.lapSeconds.push(seconds);
    this.calls += calls;
    this.failedCalls += failed;
    this.violations += violations;
    this.deadlocks = Math.max(this.deadlocks, deadlocks);
  }

  /** Adds a sentence about what a failover has lost. */
  addLoss(text: string, violations: number): void {
    this.losses.push(text);
    this.violations += violations;
  }

  /** Whether a call was lost, placed twice or charged incorrectly, or statements waited for each other. */
  get broken(): boolean {
    return this.violations > 0 || this.deadlocks > 0;
  }

  get failed(): boolean {
    return this.broken || (this.holdsBounds && this.exceeded.length > 0);
  }

  toString(): string {
    const rows = [...this.faults].map(([name, rounds]) => {
      const sum = (value: (round: Injected) => number) =>
        rounds.map(value).reduce((total, one) => total + one, 0);
      const showGaps = (kind: Service) => {
        const gaps = rounds.map((round) => round.gaps[kind].together);
        const atOne = rounds.map((round) => round.gaps[kind].atOne);
        return [median(gaps), Math.max(...gaps), Math.max(...atOne)].map((seconds) => seconds.toFixed(1));
      };
      return [
        name,
        `${rounds.length}`,
        median(rounds.map(({ seconds }) => seconds)).toFixed(0),
        `${sum(({ calls }) => calls)}`,
        `${sum(({ failed }) => failed)}`,
        `${sum(({ violations }) => violations)}`,
        ...KINDS.flatMap(showGaps),
      ];
    });
    const hasPassed = (fault: string) => (round: Injected) =>
      round.violations === 0 && (!this.holdsBounds || findExceeded(fault, round).length === 0);
    const passed = [...this.faults].flatMap(([fault, rounds]) => rounds.filter(hasPassed(fault))).length;
    const injected = [...this.faults.values()].flat().length;
    const notRun = this.known.filter((name) => !this.faults.has(name));
    return [
      table([
        [
          'fault',
          'times',
          'seconds each',
          'calls',
          'failed requests',
          'violations',
          ...KINDS.flatMap((kind) => [`s without ${SERVICES[kind].name}`, 'at most', 'at one server']),
        ],
        ...rows,
      ]),
      ...this.losses,
      ...this.exceeded,
      ...(notRun.length > 0 ? [`not run: ${notRun.join(', ')}`] : []),
      `laps: ${this.lapSeconds.length}, each ${median(this.lapSeconds).toFixed(0)} s`,
      `${this.calls} calls, ${this.failedCalls} failed requests, ${injected} faults of ${this.faults.size} kinds, ` +
        `${this.violations} violations, ${this.deadlocks} deadlocks`,
      `${passed} passed, ${injected - passed || (this.failed ? 1 : 0)} failed`,
    ].join('\n');
  }
}

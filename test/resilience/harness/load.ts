import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../../support/until';
import type { PhoneNumbers } from './numbers';
import { type AgentClient, type Outcome, Start } from './start';

/** The number of calls of a burst, so that a kill hits several calls in progress. */
const BURST = 8;
const BURST_EVERY_MS = 100;
/** The limit of concurrent requests, so that a slow machine is not overloaded. */
const MAX_IN_PROGRESS = 3 * BURST;
/** A request that has no answer for this long waits for a part that does not answer, and does not load the machine. */
const STUCK_MS = 1_000;

const RECOVERY_TIMEOUT_MS = 20_000;

/** Starts calls at a steady rate, each to a different number, and records the outcome of each. */
export class Load {
  readonly starts: Start[] = [];
  private readonly inProgress = new Map<Promise<void>, Start>();
  private stopping = false;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly agents: AgentClient[],
    private readonly numbers: PhoneNumbers,
    private readonly webhookUrl: string,
    /** The limit of requests in progress together with those that have no answer for a second, which do not stop the load. */
    private readonly maxOpen = MAX_IN_PROGRESS,
  ) {}

  begin(): void {
    this.running = this.run();
  }

  /** Resolves when every start has an outcome. */
  async stop(): Promise<void> {
    this.stopping = true;
    await this.running;
    await this.settled();
  }

  /** Resolves when every request that was sent until now has its outcome. */
  async settled(): Promise<void> {
    await Promise.all(this.inProgress.keys());
  }

  /** Waits until this many more calls were answered with 200. */
  answered(more: number): Promise<boolean> {
    return this.reaches('answered', more);
  }

  /** Waits until this many more calls were refused. */
  refused(more: number): Promise<boolean> {
    return this.reaches('refused', more);
  }

  /** Repeats the requests that have an Idempotency-Key, like clients that got or kept no answer. */
  async repeatRequests(): Promise<void> {
    const waiting = this.starts.filter(({ isRepeatable }) => isRepeatable);
    const repeatNext = async () => {
      for (let start = waiting.shift(); start; start = waiting.shift()) {
        const repeated = start;
        await until(() => repeated.send(), RECOVERY_TIMEOUT_MS);
      }
    };
    await Promise.all(Array.from({ length: MAX_IN_PROGRESS }, repeatNext));
  }

  start(agent = this.agents[randomInt(this.agents.length)] as AgentClient): void {
    const number = this.numbers.next();
    const webhookUrl = randomInt(5) === 0 ? this.webhookUrl : undefined;
    const start = new Start(agent, number, webhookUrl, randomInt(2) === 0 ? `call ${number}` : undefined);
    const sending = start.send().then(() => {
      // A request that found no listening server started nothing.
      if (!start.answer.includes('ECONNREFUSED')) this.starts.push(start);
      this.inProgress.delete(sending);
    });
    this.inProgress.set(sending, start);
  }

  private get hasRoom(): boolean {
    const { size } = this.inProgress;
    if (size < MAX_IN_PROGRESS) return true;
    if (size >= this.maxOpen) return false;
    const now = Date.now();
    return [...this.inProgress.values()].filter(({ at }) => now - at < STUCK_MS).length < MAX_IN_PROGRESS;
  }

  private reaches(expected: Outcome, more: number): Promise<boolean> {
    const count = () => this.starts.filter(({ outcome }) => outcome === expected).length;
    const enough = count() + more;
    return until(() => count() >= enough, RECOVERY_TIMEOUT_MS);
  }

  private async run(): Promise<void> {
    while (!this.stopping) {
      for (let start = 0; start < BURST && this.hasRoom; start += 1) this.start();
      await pause(BURST_EVERY_MS);
    }
  }
}

import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../support/until';
import type { Numbers } from './numbers';
import { type Line, type Outcome, Start } from './start';

/** So many at once, again and again: kills are to find several under way. */
const BURST = 8;
const BURST_EVERY_MS = 100;
/** Past it, starts wait for answers, so that a slow machine is not overrun. */
const UNDER_WAY = 3 * BURST;

/** After a fault. */
const RECOVERY_TIMEOUT_MS = 20_000;

/** Starts calls at a steady rate, each to a number of its own, and writes down how each came out. */
export class Load {
  readonly starts: Start[] = [];
  private readonly underWay = new Set<Promise<void>>();
  private stopping = false;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly lines: Line[],
    private readonly numbers: Numbers,
    private readonly webhookUrl: string,
  ) {}

  begin(): void {
    this.running = this.run();
  }

  /** Resolves when every start has come out. */
  async stop(): Promise<void> {
    this.stopping = true;
    await this.running;
    await Promise.all(this.underWay);
  }

  /** Waits until so many more calls were answered 200. */
  answered(more: number): Promise<boolean> {
    return this.cameOut('answered', more);
  }

  /** Waits until so many more calls were refused. */
  refused(more: number): Promise<boolean> {
    return this.cameOut('refused', more);
  }

  /** Sends again what has a key, as clients do who have no answer, or have lost it. */
  async sendAgain(): Promise<void> {
    const again = this.starts.filter(({ canBeSentAgain }) => canBeSentAgain);
    await Promise.all(again.map((start) => until(() => start.send(), RECOVERY_TIMEOUT_MS)));
  }

  start(line = this.lines[randomInt(this.lines.length)] as Line): void {
    const number = this.numbers.next();
    const webhookUrl = randomInt(5) === 0 ? this.webhookUrl : undefined;
    const start = new Start(line, number, webhookUrl, randomInt(2) === 0 ? `call ${number}` : undefined);
    const sending = start.send().then(() => {
      // What has found no server listening was never started.
      if (!start.answer.includes('ECONNREFUSED')) this.starts.push(start);
      this.underWay.delete(sending);
    });
    this.underWay.add(sending);
  }

  private cameOut(as: Outcome, more: number): Promise<boolean> {
    const count = () => this.starts.filter(({ outcome }) => outcome === as).length;
    const enough = count() + more;
    return until(() => count() >= enough, RECOVERY_TIMEOUT_MS);
  }

  private async run(): Promise<void> {
    while (!this.stopping) {
      for (let start = 0; start < BURST && this.underWay.size < UNDER_WAY; start += 1) this.start();
      await pause(BURST_EVERY_MS);
    }
  }
}

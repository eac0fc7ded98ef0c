/** An idle process is ended after this time. */
const IDLE_MS = 30_000;

interface PooledProcess {
  readonly isAlive: boolean;
  end(): void;
}

/** Starts a process when there is a task, and keeps it for the next one. */
export class ProcessPool<Process extends PooledProcess> {
  private readonly idle: { process: Process; timer: NodeJS.Timeout }[] = [];
  private readonly working = new Set<Process>();

  constructor(private readonly start: () => Process) {}

  async use<Result>(work: (process: Process) => Promise<Result>): Promise<Result> {
    const process = this.take();
    try {
      return await work(process);
    } finally {
      this.putAway(process);
    }
  }

  endAll(): void {
    for (const { process, timer } of this.idle.splice(0)) {
      clearTimeout(timer);
      process.end();
    }
    for (const process of this.working) process.end();
  }

  private take(): Process {
    const kept = this.idle.pop();
    clearTimeout(kept?.timer);
    const process = kept?.process.isAlive ? kept.process : this.start();
    this.working.add(process);
    return process;
  }

  private putAway(process: Process): void {
    this.working.delete(process);
    if (!process.isAlive) return;
    this.idle.push({ process, timer: setTimeout(() => this.drop(process), IDLE_MS).unref() });
  }

  private drop(process: Process): void {
    const index = this.idle.findIndex((entry) => entry.process === process);
    if (index >= 0) this.idle.splice(index, 1);
    process.end();
  }
}

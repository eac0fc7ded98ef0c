const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** A signal that ends the kit: first the runtimes are ended, and the queues and exchanges deleted. */
export class Interruption {
  /** Rejects when the signal has come. */
  readonly happened: Promise<never>;
  private signal: NodeJS.Signals | undefined;

  constructor() {
    this.happened = new Promise((_, reject) => {
      for (const name of SIGNALS) {
        process.on(name, () => {
          if (this.signal) return;
          this.signal = name;
          console.error(`${name}: the kit ends the runtime and deletes its queues.`);
          reject(new Error(`The kit was interrupted by ${name}.`));
        });
      }
    });
    this.happened.catch(() => undefined); // Between two scenarios, nobody waits for it.
  }

  get hasHappened(): boolean {
    return this.signal !== undefined;
  }

  /** Ends the process by the signal, so that its parent gets the cause. */
  end(): void {
    for (const name of SIGNALS) process.removeAllListeners(name);
    process.kill(process.pid, this.signal);
  }
}

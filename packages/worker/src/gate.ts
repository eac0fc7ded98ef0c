/** A gate that is open while there is a connection. */
export class Gate {
  private isPassable = false;
  private readonly waiting = new Set<() => void>();

  get isOpen(): boolean {
    return this.isPassable;
  }

  open(): void {
    this.isPassable = true;
    for (const pass of this.waiting) pass();
  }

  close(): void {
    this.isPassable = false;
  }

  /** Resolves when the gate is open, at the latest when the signal is aborted or the time is over. */
  async passed(signal: AbortSignal, timeoutMs?: number): Promise<void> {
    if (this.isPassable || signal.aborted) return;
    let timer: NodeJS.Timeout | undefined;
    let pass: () => void = () => undefined;
    await new Promise<void>((resolve) => {
      pass = resolve;
      this.waiting.add(pass);
      signal.addEventListener('abort', pass, { once: true });
      if (timeoutMs !== undefined) timer = setTimeout(pass, timeoutMs);
    });
    clearTimeout(timer);
    this.waiting.delete(pass);
    signal.removeEventListener('abort', pass);
  }
}

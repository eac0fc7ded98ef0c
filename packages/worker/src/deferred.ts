/** A promise that is settled from outside. */
export class Deferred<Value> {
  resolve!: (value: Value) => void;
  reject!: (error: Error) => void;
  readonly promise = new Promise<Value>((resolve, reject) => {
    this.resolve = resolve;
    this.reject = reject;
  });
}

/** Resolves with the promise, or after the time. */
export async function within(milliseconds: number, promise: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise((resolve) => (timer = setTimeout(resolve, milliseconds)));
  await Promise.race([promise, timeout]);
  clearTimeout(timer);
}

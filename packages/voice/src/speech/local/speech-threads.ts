import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { SpeechError } from '../speech';
import type { TaskKind, Tasks, ThreadMessage } from './speech-thread';

/** Far more than a task takes. A thread that needs longer is replaced. */
const TASK_TIMEOUT_MS = 20_000;
const LOAD_TIMEOUT_MS = 60_000;

interface Task<K extends TaskKind> {
  input: Tasks[K]['input'];
  settle: { resolve(output: Tasks[K]['output']): void; reject(error: Error): void };
}

interface Thread<K extends TaskKind> {
  worker: Worker;
  ready: Promise<void>;
  task?: Task<K>;
  timeout?: NodeJS.Timeout;
}

/**
 * A fixed number of threads for one kind of task, and a queue of bounded length. The threads start with the first task
 * or with {@link warm}, and load their model once.
 */
export class SpeechThreads<K extends TaskKind> {
  private readonly threads: Thread<K>[] = [];
  private readonly queue: Task<K>[] = [];
  private closed = false;

  constructor(
    private readonly kind: K,
    private readonly limits: { threads: number; queued: number },
    private readonly file = join(__dirname, 'speech-thread.js'),
  ) {}

  /** Resolves when all threads can work. */
  async warm(): Promise<void> {
    while (this.threads.length < this.limits.threads) this.start();
    await Promise.all(this.threads.map(({ ready }) => ready));
  }

  /** Whether a task would start at once. */
  get isIdle(): boolean {
    return this.queue.length === 0 && this.threads.some(({ task }) => !task);
  }

  /** @throws SpeechError if the queue is full, or the task fails or takes too long; the reason of an aborted signal */
  run(input: Tasks[K]['input'], signal: AbortSignal): Promise<Tasks[K]['output']> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason as Error);
      if (this.closed) return reject(new SpeechError(`The threads that ${this.kind} are closed`));
      if (this.queue.length >= this.limits.queued) {
        return reject(new SpeechError(`More than ${this.limits.queued} tasks wait to ${this.kind}`));
      }
      const aborted = () => {
        this.withdraw(task);
        task.settle.reject(signal.reason as Error);
      };
      const over = () => signal.removeEventListener('abort', aborted);
      const task: Task<K> = {
        input,
        settle: {
          resolve: (output) => (over(), resolve(output)),
          reject: (error) => (over(), reject(error)),
        },
      };
      this.queue.push(task);
      signal.addEventListener('abort', aborted, { once: true });
      this.warm().then(
        () => this.next(),
        (error: Error) => {
          if (this.withdraw(task)) task.settle.reject(new SpeechError(error.message));
        },
      );
    });
  }

  async close(): Promise<void> {
    this.closed = true;
    for (const { settle } of this.queue.splice(0)) settle.reject(new SpeechError('Closed'));
    await Promise.all(this.threads.splice(0).map((thread) => this.end(thread, 'Closed')));
  }

  /** @returns false if the task does not wait, because a thread has it or it is settled */
  private withdraw(task: Task<K>): boolean {
    const index = this.queue.indexOf(task);
    if (index >= 0) this.queue.splice(index, 1);
    return index >= 0;
  }

  private next(): void {
    const thread = this.threads.find(({ task }) => !task);
    const task = thread && this.queue.shift();
    if (!thread || !task) return;
    thread.task = task;
    thread.timeout = setTimeout(
      () => this.replace(thread, `A thread did not ${this.kind} within ${TASK_TIMEOUT_MS / 1_000} s`),
      TASK_TIMEOUT_MS,
    );
    thread.worker.postMessage(task.input);
  }

  private start(): void {
    const worker = new Worker(this.file, { workerData: { kind: this.kind } });
    // Idle threads do not keep the process.
    worker.unref();
    let loaded: { resolve(): void; reject(error: Error): void };
    const ready = new Promise<void>((resolve, reject) => (loaded = { resolve, reject }));
    const thread: Thread<K> = { worker, ready };
    ready.catch(() => undefined);
    this.threads.push(thread);
    const timeout = setTimeout(() => fail('The model was not loaded in time'), LOAD_TIMEOUT_MS);
    timeout.unref();
    const fail = (sentence: string) => {
      clearTimeout(timeout);
      loaded.reject(new SpeechError(sentence));
      this.replace(thread, sentence);
    };
    worker.on('message', (message: ThreadMessage) => {
      if (message.type === 'ready') {
        clearTimeout(timeout);
        loaded.resolve();
      } else if (!thread.task) {
        fail(message.type === 'error' ? message.message : 'A result came without a task');
      } else {
        const { settle } = this.finish(thread, thread.task);
        if (message.type === 'error') settle.reject(new SpeechError(message.message));
        else settle.resolve(message.output);
        this.next();
      }
    });
    worker.on('error', (error) => fail(error.message));
    worker.on('exit', () => fail(`A thread that should ${this.kind} ended`));
  }

  private finish(thread: Thread<K>, task: Task<K>): Task<K> {
    clearTimeout(thread.timeout);
    thread.task = undefined;
    return task;
  }

  /** Another one starts with the next task. */
  private replace(thread: Thread<K>, sentence: string): void {
    const index = this.threads.indexOf(thread);
    if (index < 0) return;
    this.threads.splice(index, 1);
    void this.end(thread, sentence);
    const waiting = this.queue.length > 0;
    if (waiting && !this.closed)
      this.warm().then(
        () => this.next(),
        (error: Error) => this.rejectAll(error),
      );
  }

  private rejectAll({ message }: Error): void {
    for (const { settle } of this.queue.splice(0)) settle.reject(new SpeechError(message));
  }

  private async end(thread: Thread<K>, sentence: string): Promise<void> {
    if (thread.task) this.finish(thread, thread.task).settle.reject(new SpeechError(sentence));
    await thread.worker.terminate();
  }
}

import { systemClock } from '../clock';
import { SpeechError } from '../speech/speech';
import type { RealtimeEvent } from './realtime-socket';

/** More audio in Base64 than the largest answer has: five minutes. */
const MAX_WAITING = 300 * 24_000 * 2 * (4 / 3);

/** The events of one response, in the order in which they come. */
export class RealtimeResponse {
  id?: string;
  /** Resolves when the server does nothing more for it. */
  readonly done: Promise<void>;
  private readonly events: RealtimeEvent[] = [];
  private received = 0;
  private failure?: Error;
  private isOver = false;
  private finish: () => void = () => undefined;
  private wake: () => void = () => undefined;

  constructor() {
    this.done = new Promise((resolve) => (this.finish = resolve));
  }

  get isDone(): boolean {
    return this.isOver;
  }

  push(event: RealtimeEvent): void {
    if (this.isOver) return;
    this.received += typeof event.delta === 'string' ? event.delta.length : 0;
    if (this.received > MAX_WAITING) return this.fail(new SpeechError('OpenAI sent too much audio'));
    if (event.type === 'response.done') this.end();
    this.events.push(event);
    this.wake();
  }

  fail(error: Error): void {
    this.failure ??= error;
    this.end();
    this.wake();
  }

  /** @throws SpeechError, or the reason of the signal. @param until the time by `Date.now()` at which it is late */
  async next(until: number, signal: AbortSignal): Promise<RealtimeEvent> {
    for (;;) {
      signal.throwIfAborted();
      const event = this.events.shift();
      if (event) return event;
      if (this.failure) throw this.failure;
      await this.wait(until - Date.now(), signal);
    }
  }

  private end(): void {
    this.isOver = true;
    this.finish();
  }

  private wait(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (act: () => void) => () => {
        stopTimer();
        signal.removeEventListener('abort', aborted);
        this.wake = () => undefined;
        act();
      };
      const aborted = settle(() => reject(signal.reason as Error));
      const late = settle(() => reject(new SpeechError('OpenAI sent no further word in time')));
      const stopTimer = systemClock.after(Math.max(0, ms), late);
      signal.addEventListener('abort', aborted, { once: true });
      this.wake = settle(resolve);
    });
  }
}

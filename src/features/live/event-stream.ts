import type { Response } from 'express';

/** The time after which a client connects again when the stream has ended. */
const RETRY_MS = 2_000;

/** A response of server-sent events, as https://html.spec.whatwg.org/multipage/server-sent-events.html has them. */
export class EventStream {
  constructor(private readonly response: Response) {
    response.status(200).set({
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-store, no-transform',
      // Without this header, nginx would collect the events.
      'X-Accel-Buffering': 'no',
    });
    response.write(`retry: ${RETRY_MS}\n\n`);
  }

  /** Calls back once the stream is over, whether the client or the server ended it. */
  onClose(callback: () => void): void {
    if (this.response.closed) callback();
    else this.response.once('close', callback);
  }

  send(events: string): void {
    if (this.response.writableEnded) return;
    // Earlier events still wait to be sent: the client reads too slowly, and would cost memory.
    if (this.response.writableNeedDrain) this.response.destroy();
    else this.response.write(events);
  }

  end(): void {
    if (this.response.writableNeedDrain) this.response.destroy();
    else this.response.end();
  }
}

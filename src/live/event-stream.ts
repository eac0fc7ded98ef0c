import type { Response } from 'express';

/** How soon a client connects again after the stream ended. */
const RETRY_MS = 2_000;

/** A response of server-sent events, as https://html.spec.whatwg.org/multipage/server-sent-events.html has them. */
export class EventStream {
  constructor(private readonly response: Response) {
    response.status(200).set({
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-store, no-transform',
      // nginx would collect the events.
      'X-Accel-Buffering': 'no',
    });
    response.write(`retry: ${RETRY_MS}\n\n`);
  }

  /** Calls back once the stream is over, whoever ended it. */
  onClose(callback: () => void): void {
    if (this.response.closed) callback();
    else this.response.once('close', callback);
  }

  send(events: string): void {
    if (this.response.writableEnded) return;
    // What was written before is still waiting: the client reads too slowly, and would cost memory.
    if (this.response.writableNeedDrain) this.response.destroy();
    else this.response.write(events);
  }

  /** A line that clients ignore. It keeps proxies from closing an idle connection. */
  sendComment(): void {
    this.send(':\n\n');
  }

  end(): void {
    if (this.response.writableNeedDrain) this.response.destroy();
    else this.response.end();
  }
}

export const eventText = (name: string, data: object) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

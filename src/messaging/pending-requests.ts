import { randomUUID } from 'node:crypto';
import { IncomingMessage, RequestTimedOut } from './message-broker';

interface ReadRequester {
  resolve: (reply: IncomingMessage) => void;
  reject: (error: Error) => void;
}

/** The requests that wait for their reply. */
export class PendingRequests {
  private readonly askers = new Map<string, ReadRequester>();

  /** @param publish sends the request; its reply must come back with the same id. */
  async ask(
    type: string,
    timeoutMs: number,
    publish: (id: string) => Promise<void>,
  ): Promise<IncomingMessage> {
    const id = randomUUID();
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise<IncomingMessage>((resolve, reject) => {
        this.askers.set(id, { resolve, reject });
        timer = setTimeout(() => {
          reject(new RequestTimedOut(`No reply to ${type} came within ${timeoutMs} ms.`));
        }, timeoutMs);
        publish(id).catch(reject);
      });
    } finally {
      clearTimeout(timer);
      this.askers.delete(id);
    }
  }

  resolve(id: string, reply: IncomingMessage): void {
    this.askers.get(id)?.resolve(reply);
  }

  rejectAll(error: Error): void {
    for (const { reject } of this.askers.values()) reject(error);
  }
}

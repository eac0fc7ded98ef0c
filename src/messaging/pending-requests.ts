import { randomUUID } from 'node:crypto';
import { IncomingMessage, RequestTimeoutError } from './message-broker';

interface PendingRequest {
  resolve: (reply: IncomingMessage) => void;
  reject: (error: Error) => void;
}

/** The requests whose reply has not arrived. */
export class PendingRequests {
  private readonly requests = new Map<string, PendingRequest>();

  /** @param publish sends the request; the reply must have the same id */
  async send(
    type: string,
    timeoutMs: number,
    publish: (id: string) => Promise<void>,
  ): Promise<IncomingMessage> {
    const id = randomUUID();
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise<IncomingMessage>((resolve, reject) => {
        this.requests.set(id, { resolve, reject });
        timer = setTimeout(() => {
          reject(new RequestTimeoutError(`No reply to ${type} came within ${timeoutMs} ms.`));
        }, timeoutMs);
        publish(id).catch(reject);
      });
    } finally {
      clearTimeout(timer);
      this.requests.delete(id);
    }
  }

  resolve(id: string, reply: IncomingMessage): void {
    this.requests.get(id)?.resolve(reply);
  }

  rejectAll(error: Error): void {
    for (const { reject } of this.requests.values()) reject(error);
  }
}

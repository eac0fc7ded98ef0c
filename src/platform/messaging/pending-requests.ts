import { randomUUID } from 'node:crypto';
import { MalformedMessageError } from './malformed-message.error';
import { type BodyLimits, IncomingMessage, RequestTimeoutError } from './message-broker';
import { readBody } from './message-body';

/** The reply for which a request waits. */
export interface Awaited {
  timeoutMs: number;
  /** The limits of the reply. */
  limits: BodyLimits;
}

interface PendingRequest {
  limits: BodyLimits;
  resolve: (reply: IncomingMessage) => void;
  reject: (error: Error) => void;
}

/** The requests whose reply has not arrived. */
export class PendingRequests {
  private readonly requests = new Map<string, PendingRequest>();

  /** @param publish sends the request; the reply must have the same id */
  async send(
    type: string,
    { timeoutMs, limits }: Awaited,
    publish: (id: string) => Promise<void>,
  ): Promise<IncomingMessage> {
    const id = randomUUID();
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise<IncomingMessage>((resolve, reject) => {
        this.requests.set(id, { limits, resolve, reject });
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

  /**
   * Parses a reply only if its request still waits, and drops one that is malformed.
   * @returns the defect of a malformed reply
   */
  resolve(
    id: string,
    content: Buffer,
    createReply: (body: unknown) => IncomingMessage,
  ): MalformedMessageError | undefined {
    const request = this.requests.get(id);
    if (!request) return undefined;
    const body = readBody(content, request.limits);
    if (body instanceof MalformedMessageError) return body;
    request.resolve(createReply(body));
    return undefined;
  }

  rejectAll(error: Error): void {
    for (const { reject } of this.requests.values()) reject(error);
  }
}

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

type Answering = (response: ServerResponse) => void;

/** One received request. */
export class ReceivedWebhook {
  constructor(
    readonly path: string,
    readonly headers: IncomingMessage['headers'],
    readonly body: string,
  ) {}

  get id(): string {
    return String(this.headers['webhook-id']);
  }

  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into all of it
  get payload(): any {
    return JSON.parse(this.body);
  }

  get signatures(): string[] {
    return String(this.headers['webhook-signature']).split(' ');
  }

  /** Verifies the signature like a receiver with this secret. @throws if it is invalid */
  verifyWith(secret: string): void {
    new Webhook(secret).verify(this.body, this.headers as Record<string, string>);
  }
}

export const answeringStatus =
  (status: number, headers: Record<string, string> = {}): Answering =>
  (response) => {
    response.writeHead(status, headers).end();
  };

/** A customer's web server: records requests, and answers each path as a test defines, by default with 204. */
export class WebhookReceiver {
  readonly received: ReceivedWebhook[] = [];
  private readonly answers = new Map<string, Answering[]>();
  private readonly held = new Set<ServerResponse>();

  private constructor(
    private readonly server: Server,
    private readonly port: number,
  ) {}

  static async start(): Promise<WebhookReceiver> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const receiver = new WebhookReceiver(server, (server.address() as AddressInfo).port);
    server.on('request', (request, response) => void receiver.receive(request, response));
    return receiver;
  }

  url(path: string): string {
    return `http://127.0.0.1:${this.port}${path}`;
  }

  /** Sets the answers of a path, one after the other; the last one is repeated. */
  answer(path: string, ...answers: Answering[]): void {
    this.answers.set(path, answers);
  }

  /** Delays the answers to this path until {@link release}. */
  hold(path: string): void {
    this.answer(path, (response) => this.held.add(response));
  }

  /** The number of waiting requests. */
  get holding(): number {
    return this.held.size;
  }

  /** Answers the waiting requests with this status, and further ones at once with 204. */
  release(path: string, status = 204): void {
    this.answers.delete(path);
    this.held.forEach(answeringStatus(status));
    this.held.clear();
  }

  at(path: string): ReceivedWebhook[] {
    return this.received.filter((webhook) => webhook.path === path);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '';
    this.received.push(new ReceivedWebhook(path, request.headers, await text(request)));
    const answers = this.answers.get(path) ?? [answeringStatus(204)];
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    answer?.(response);
  }
}

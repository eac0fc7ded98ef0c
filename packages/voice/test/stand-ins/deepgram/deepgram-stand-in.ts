import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { type DeepgramFault, ListenStream } from './listen-stream';
import { findUnknown, findWrong } from './parameters';

/** Live recognition of Deepgram, as its documents say. It "recognises" the next text of a list in each stretch of speech. */
export class DeepgramStandIn {
  readonly apiKey = 'dg-key-1';
  readonly urls: URL[] = [];
  readonly faults: DeepgramFault[] = [];
  readonly complaints: string[] = [];
  /** The texts of the utterances, over all streams; the last one is repeated. */
  texts = ['A table for two.'];
  /** Decides on the text of an utterance, in the place of {@link texts}. */
  understand?: () => string;
  seconds = 0;
  closedByClients = 0;
  /** The time until a text that was requested is sent. */
  delayMs = 5;
  /** Whether it answers no handshake. */
  isUnreachable = false;
  private readonly held: Duplex[] = [];
  private readonly sockets = new WebSocketServer({ noServer: true });
  private readonly server: Server;

  private constructor() {
    this.server = createServer((_, response) => response.writeHead(404).end());
    this.server.on('upgrade', (request, socket, head: Buffer) => {
      if (this.isUnreachable) {
        socket.on('error', () => undefined);
        return void this.held.push(socket);
      }
      const refusal = this.findRefusal(request);
      if (!refusal)
        return this.sockets.handleUpgrade(request, socket, head, (client) => this.serve(client, request));
      const body = JSON.stringify({
        err_code: refusal.code,
        err_msg: refusal.sentence,
        request_id: 'request-1',
      });
      socket.end(
        `HTTP/1.1 ${refusal.status} Refused\r\ndg-error: ${refusal.sentence}\r\ndg-request-id: request-1\r\n` +
          `Content-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
      );
    });
  }

  static async listen(): Promise<DeepgramStandIn> {
    const deepgram = new DeepgramStandIn();
    deepgram.server.listen(0, '127.0.0.1');
    await once(deepgram.server, 'listening');
    return deepgram;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    for (const client of this.sockets.clients) client.terminate();
    this.server.close();
    for (const socket of this.held) socket.destroy();
  }

  private findRefusal({ url = '', headers }: IncomingMessage) {
    const { pathname, searchParams } = new URL(url, this.baseUrl);
    const fault = this.faults[0];
    if (fault && 'refuses' in fault) {
      this.faults.shift();
      return { status: fault.refuses, code: 'TOO_MANY_REQUESTS', sentence: 'Too many requests' };
    }
    if (headers.authorization !== `Token ${this.apiKey}`)
      return { status: 401, code: 'INVALID_AUTH', sentence: 'Invalid credentials.' };
    if (pathname !== '/v1/listen') return { status: 404, code: 'NOT_FOUND', sentence: 'Not found' };
    const wrong = findWrong(searchParams);
    return wrong === undefined ? undefined : { status: 400, code: 'Bad Request', sentence: wrong };
  }

  private serve(client: WebSocket, request: IncomingMessage): void {
    const url = new URL(request.url ?? '', this.baseUrl);
    this.urls.push(url);
    const complain = (sentence: string) => void this.complaints.push(sentence);
    for (const name of findUnknown(url.searchParams)) complain(`an unknown parameter ${name}`);
    new ListenStream(client, url.searchParams, {
      fault: this.faults.shift(),
      delayMs: () => this.delayMs,
      text: () => this.understand?.() ?? this.texts[0] ?? '',
      next: () => this.texts.length > 1 && this.texts.shift(),
      heard: (seconds) => (this.seconds += seconds),
      closed: () => this.closedByClients++,
      complain,
    });
  }
}

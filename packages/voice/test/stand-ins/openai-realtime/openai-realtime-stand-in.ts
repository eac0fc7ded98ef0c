import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import { type ModelPart, RealtimeConnection, type RealtimeFault } from './realtime-connection';
import { MODELS, type Refusal, toMembers } from './rules';

/** A fault of one connection. Each is used once. */
export type ConnectionFault = { refuses: number } | { reports: string };

const CONCLUSION = JSON.stringify({ summary: 'Done.', outcome: 'completed', variables: {} });

/** The Realtime API of OpenAI over WebSocket, as its reference says. */
export class OpenAiRealtimeStandIn {
  readonly apiKey = 'sk-realtime-1';
  readonly connections: RealtimeConnection[] = [];
  readonly faults: RealtimeFault[] = [];
  readonly connectionFaults: ConnectionFault[] = [];
  readonly complaints: Refusal[] = [];
  /** The answers of the model, then "Goodbye." */
  readonly answers: ModelPart[][] = [];
  /** The answers that are only written, then a summary. */
  readonly conclusions: string[] = [];
  /** The texts of the utterances; the last one is repeated. */
  texts = ['A table for two.'];
  /** The time in which the model makes 200 ms of audio. */
  paceMs = 2;
  private readonly sockets = new WebSocketServer({ noServer: true });
  private readonly server: Server;

  private constructor() {
    this.server = createServer((_, response) => response.writeHead(404).end());
    this.server.on('upgrade', (request, socket, head: Buffer) => {
      const status = this.findRefusal(request);
      if (status !== undefined)
        return void socket.end(
          `HTTP/1.1 ${status} Refused\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
        );
      this.sockets.handleUpgrade(request, socket, head, (client) => {
        const fault = this.connectionFaults.shift();
        if (fault && 'reports' in fault) {
          const error = { type: fault.reports, code: fault.reports, message: this.apiKey, event_id: null };
          client.send(JSON.stringify({ type: 'error', event_id: 'event_0', error }));
          return client.close(1000);
        }
        this.connections.push(
          new RealtimeConnection(client, {
            findFault: (isText) => this.takeFault(isText),
            recognize: () => (this.texts.length > 1 ? this.texts.shift() : this.texts[0]) ?? '',
            think: (response) => this.think(response),
            complain: (refusal) => void this.complaints.push(refusal),
            paceMs: () => this.paceMs,
          }),
        );
      });
    });
  }

  static async listen(): Promise<OpenAiRealtimeStandIn> {
    const openAi = new OpenAiRealtimeStandIn();
    openAi.server.listen(0, '127.0.0.1');
    await once(openAi.server, 'listening');
    return openAi;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  get last(): RealtimeConnection | undefined {
    return this.connections.at(-1);
  }

  get openSockets(): number {
    return this.sockets.clients.size;
  }

  /** Ends all connections. */
  drop(): void {
    for (const client of this.sockets.clients) client.terminate();
  }

  close(): void {
    this.drop();
    this.server.close();
  }

  private findRefusal({ url = '', headers }: IncomingMessage): number | undefined {
    const { pathname, searchParams } = new URL(url, this.baseUrl);
    const [fault] = this.connectionFaults;
    if (fault && 'refuses' in fault) {
      this.connectionFaults.shift();
      return fault.refuses;
    }
    if (pathname !== '/v1/realtime') return 404;
    if (headers.authorization !== `Bearer ${this.apiKey}`) return 401;
    // With this header, the server would speak the protocol of the beta.
    if (headers['openai-beta'] !== undefined) return 400;
    return MODELS.includes(searchParams.get('model') ?? '') ? undefined : 400;
  }

  private takeFault(isText: boolean): RealtimeFault | undefined {
    const [fault] = this.faults;
    return fault && 'recognizes' in fault === isText ? this.faults.shift() : undefined;
  }

  /** A model that is given a text of its own reads it, or summarises it. In the conversation it follows the script. */
  private think({ input, output_modalities: modalities }: Record<string, unknown>): ModelPart[] {
    if (!Array.isArray(input)) return this.answers.shift() ?? [{ text: 'Goodbye.' }];
    if (JSON.stringify(modalities) === '["text"]') return [{ text: this.conclusions.shift() ?? CONCLUSION }];
    const [text = '', begun = ''] = input.map((item) => {
      const { content } = toMembers(item);
      return String(toMembers(Array.isArray(content) ? content[0] : undefined).text);
    });
    return [{ text: text.slice(begun.length).trim() }];
  }
}

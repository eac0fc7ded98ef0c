import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';

/** A fault of one stream. Each is used once. */
export type DeepgramFault =
  | { refuses: number }
  /** Closes the stream after so much audio, in seconds. */
  | { closesAfter: number; code?: number }
  | { isSilent: true }
  | { sendsNonsense: true };

const MODELS = ['nova-3', 'nova-3-general', 'nova-3-medical', 'nova-2', 'nova-2-phonecall'];
const ENCODINGS = new Map([
  ['linear16', 2],
  ['mulaw', 1],
]);
const IDLE_MS = 10_000;
const INTERIM_S = 0.5;

/** Live recognition of Deepgram, as its documents say. It "recognises" the next text of a list in each stretch of speech. */
export class DeepgramStandIn {
  readonly apiKey = 'dg-key-1';
  readonly urls: URL[] = [];
  readonly faults: DeepgramFault[] = [];
  readonly complaints: string[] = [];
  /** The texts of the utterances, over all streams; the last one is repeated. */
  texts = ['A table for two.'];
  seconds = 0;
  closedByClients = 0;
  /** The time until a text that was requested is sent. */
  delayMs = 5;
  private readonly sockets = new WebSocketServer({ noServer: true });
  private readonly server: Server;

  private constructor() {
    this.server = createServer((_, response) => response.writeHead(404).end());
    this.server.on('upgrade', (request, socket, head: Buffer) => {
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
  }

  private findRefusal({ url = '', headers }: IncomingMessage) {
    const parsed = new URL(url, this.baseUrl);
    const query = parsed.searchParams;
    const fault = this.faults[0];
    if (fault && 'refuses' in fault) {
      this.faults.shift();
      return { status: fault.refuses, code: 'TOO_MANY_REQUESTS', sentence: 'Too many requests' };
    }
    const bad = (sentence: string) => ({ status: 400, code: 'Bad Request', sentence });
    if (headers.authorization !== `Token ${this.apiKey}`)
      return { status: 401, code: 'INVALID_AUTH', sentence: 'Invalid credentials.' };
    if (parsed.pathname !== '/v1/listen') return { status: 404, code: 'NOT_FOUND', sentence: 'Not found' };
    if (!MODELS.includes(query.get('model') ?? 'base')) return bad('No such model');
    if (!ENCODINGS.has(query.get('encoding') ?? '')) return bad('Unsupported encoding');
    if (!(Number(query.get('sample_rate')) >= 8_000)) return bad('sample_rate is required for raw audio');
    const [utteranceEnd, interims] = [query.get('utterance_end_ms'), query.get('interim_results')];
    if (utteranceEnd !== null && (Number(utteranceEnd) < 1_000 || interims !== 'true'))
      return bad('utterance_end_ms must be at least 1000, with interim_results');
    const isNova3 = query.get('model')?.startsWith('nova-3');
    if (query.has('keyterm') && !isNova3) return bad('keyterm is for nova-3');
    if (query.has('keywords') && isNova3) return bad('keywords are not for nova-3');
    return undefined;
  }

  private serve(client: WebSocket, request: IncomingMessage): void {
    const url = new URL(request.url ?? '', this.baseUrl);
    this.urls.push(url);
    const fault = this.faults.shift();
    const [isSilent, sendsNonsense] = ['isSilent', 'sendsNonsense'].map((name) => fault && name in fault);
    const rate =
      Number(url.searchParams.get('sample_rate')) *
      (ENCODINGS.get(url.searchParams.get('encoding') ?? '') ?? 2);
    const terms = url.searchParams.getAll('keyterm').join(' ');
    let [audio, from, spoken, interimAt] = [0, 0, false, 0];
    const send = (frame: object) => client.readyState === 1 && client.send(JSON.stringify(frame));
    const close = (code: number, reason: string) => client.close(code, reason);
    let idle = setTimeout(() => close(1011, 'NET-0001'), IDLE_MS);
    const awake = () => {
      clearTimeout(idle);
      idle = setTimeout(() => close(1011, 'NET-0001'), IDLE_MS);
    };
    const text = () => (spoken ? (this.texts[0] ?? '') : '');
    const result = (isFinal: boolean, isFinalized: boolean) => {
      const transcript = isFinal ? text() : text().split(' ').slice(0, 2).join(' ');
      const words = transcript.split(' ').filter((word) => word !== '');
      send({
        ...{ type: 'Results', channel_index: [0, 1], start: from, duration: audio - from },
        ...{ is_final: isFinal, speech_final: false, from_finalize: isFinalized },
        channel: {
          alternatives: [
            {
              ...{ transcript, confidence: transcript ? 0.99 : 0 },
              words: words.map((word) => ({ word, start: from, end: audio, confidence: 0.99 })),
            },
          ],
        },
        metadata: { request_id: 'request-1', model_uuid: 'm', model_info: {} },
      });
    };
    const finalize = (isFinalized: boolean) => {
      result(true, isFinalized);
      if (spoken && this.texts.length > 1) this.texts.shift();
      [from, spoken, interimAt] = [audio, false, audio];
    };
    client.on('message', (data: Buffer, isBinary) => {
      if (client.readyState !== 1) return;
      awake();
      if (isBinary) {
        if (data.length === 0) return close(1008, 'DATA-0000');
        audio += data.length / rate;
        this.seconds += data.length / rate;
        spoken ||= data.some((_, index) => index % 2 === 1 && Math.abs(data.readInt16LE(index - 1)) > 1_000);
        if (fault && 'closesAfter' in fault && audio >= fault.closesAfter)
          return close(fault.code ?? 1011, 'NET-0000');
        // With more than 500 tokens, nothing is ever recognised.
        if (terms.length / 3 > 500 || isSilent) return;
        if (audio - interimAt < INTERIM_S) return;
        interimAt = audio;
        return result(false, false);
      }
      const { type } = JSON.parse(data.toString()) as { type?: string };
      if (type === 'Finalize') {
        if (isSilent) return;
        if (sendsNonsense) return void client.send('<html>502</html>');
        setTimeout(() => finalize(true), this.delayMs);
      } else if (type === 'CloseStream') {
        this.closedByClients++;
        finalize(false);
        send({ type: 'Metadata', request_id: 'request-1', duration: audio, channels: 1 });
        close(1000, '');
      } else if (type !== 'KeepAlive') this.complaints.push(`an unknown message ${String(type)}`);
    });
    client.on('close', () => clearTimeout(idle));
  }
}

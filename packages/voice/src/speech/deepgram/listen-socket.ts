import type { ClientRequest, IncomingMessage } from 'node:http';
import { shorten } from '@parley/worker';
import { WebSocket } from 'ws';
import { toMembers, parseFrame } from '../../json-frames';
import { withoutSecrets } from '../../errors';
import { createRefusal, SpeechError } from '../speech';

const CONNECT_MS = 5_000;
/** Deepgram closes a stream without audio after 10 s. */
const KEEP_ALIVE_MS = 4_000;
const MAX_MESSAGE_BYTES = 1024 * 1024;

/** A part of the text of a stream. Times are seconds of its audio. */
export interface ListenResult {
  text: string;
  isFinal: boolean;
  isFinalized: boolean;
  from: number;
  until: number;
}

export interface ListenListener {
  result(result: ListenResult): void;
  /** The stream ended, and nobody here had closed it. */
  lost(error: SpeechError): void;
}

/** The agent's part of a request. The refusal does not repeat it. */
function describeAsked(url: string): string {
  const { searchParams } = new URL(url);
  return ` (model ${searchParams.get('model')}, language ${searchParams.get('language') ?? 'en'})`;
}

/** One stream to Deepgram. */
export class ListenSocket {
  /** Rejects with a {@link SpeechError} that has Deepgram's own words. */
  readonly opened: Promise<void>;
  private readonly socket: WebSocket;
  private timer?: NodeJS.Timeout;
  private hasAudio = false;
  private isClosed = false;
  private isRefused = false;

  constructor(
    url: string,
    private readonly apiKey: string,
    private readonly listener: ListenListener,
  ) {
    this.socket = new WebSocket(url, {
      headers: { authorization: `Token ${apiKey}` },
      handshakeTimeout: CONNECT_MS,
      maxPayload: MAX_MESSAGE_BYTES,
      perMessageDeflate: false,
    });
    this.opened = new Promise((resolve, reject) => {
      this.socket.once('open', resolve);
      this.socket.once('unexpected-response', (request: ClientRequest, response: IncomingMessage) => {
        request.destroy();
        this.isRefused = true;
        const reason = this.describe(String(response.headers['dg-error'] ?? ''));
        const asked = response.statusCode === 400 ? describeAsked(url) : '';
        const sentence = `Deepgram answered ${response.statusCode}${reason && `: ${reason}`}${asked}`;
        reject(createRefusal(response, sentence));
      });
      this.socket.once('error', (error) => reject(new SpeechError(`Deepgram: ${error.message}`)));
      this.socket.once('close', () => reject(new SpeechError('Deepgram closed the connection')));
    });
    // The sender of audio awaits it. A failure of a stream that is no longer needed is ignored.
    this.opened.catch(() => undefined);
    this.socket.on('open', () => {
      this.timer = setInterval(() => this.keepAlive(), KEEP_ALIVE_MS);
    });
    this.socket.on('message', (data: Buffer, isBinary) => this.receive(data, isBinary));
    this.socket.on('error', () => undefined);
    this.socket.on('close', (code, reason) => this.ended(code, reason.toString()));
  }

  get isOpen(): boolean {
    return this.socket.readyState === WebSocket.OPEN;
  }

  get hasEnded(): boolean {
    return this.isRefused || this.socket.readyState >= WebSocket.CLOSING;
  }

  /** An empty message would end the stream. */
  send(audio: Uint8Array): void {
    if (audio.length === 0) return;
    this.hasAudio = true;
    this.socket.send(audio);
  }

  /** Requests the text of everything that was sent. */
  finalize(): void {
    this.socket.send(JSON.stringify({ type: 'Finalize' }));
  }

  close(): void {
    this.isClosed = true;
    clearInterval(this.timer);
    if (!this.isOpen) return this.socket.terminate();
    this.socket.send(JSON.stringify({ type: 'CloseStream' }));
    this.socket.close(1000);
  }

  /** Ends the stream at once. Its further messages are ignored. */
  abandon(): void {
    this.isClosed = true;
    clearInterval(this.timer);
    this.socket.terminate();
  }

  private keepAlive(): void {
    if (!this.hasAudio && this.isOpen) this.socket.send(JSON.stringify({ type: 'KeepAlive' }));
    this.hasAudio = false;
  }

  private receive(data: Buffer, isBinary: boolean): void {
    if (this.isClosed) return;
    const frame = isBinary ? undefined : parseFrame(data.toString());
    if (!frame) return this.fail('Deepgram sent a message that makes no sense');
    if (frame.type === 'Error')
      return this.fail(
        `Deepgram reported ${typeof frame.code === 'string' ? shorten(frame.code, 100) : 'an error'}`,
      );
    if (frame.type !== 'Results') return;
    const { alternatives } = toMembers(frame.channel);
    const { transcript } = toMembers(Array.isArray(alternatives) ? alternatives[0] : undefined);
    const { start, duration } = frame;
    if (typeof transcript !== 'string' || typeof start !== 'number' || typeof duration !== 'number')
      return this.fail('Deepgram sent a result that makes no sense');
    this.listener.result({
      text: transcript.trim(),
      isFinal: frame.is_final === true,
      isFinalized: frame.from_finalize === true,
      from: start,
      until: start + duration,
    });
  }

  private fail(sentence: string): void {
    this.abandon();
    this.listener.lost(new SpeechError(sentence));
  }

  private ended(code: number, reason: string): void {
    clearInterval(this.timer);
    if (this.isClosed) return;
    this.isClosed = true;
    this.listener.lost(
      new SpeechError(`Deepgram closed the stream: ${code} ${this.describe(reason)}`.trim()),
    );
  }

  private describe(reason: string): string {
    return shorten(withoutSecrets(reason, [this.apiKey]), 200);
  }
}

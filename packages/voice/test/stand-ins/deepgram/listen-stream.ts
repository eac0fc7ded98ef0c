import type { WebSocket } from 'ws';
import { SAMPLE_BYTES } from './parameters';

const IDLE_MS = 10_000;
const INTERIM_S = 0.5;
/** The length of silence that ends an utterance where a request names none, in ms. */
const ENDPOINTING_MS = '10';

/** A fault of one stream. Each is used once. */
export type DeepgramFault =
  | { refuses: number }
  /** Closes the stream after this much audio, in seconds. */
  | { closesAfter: number; code?: number }
  | { isSilent: true }
  | { sendsNonsense: true }
  /** Hears, and answers the request for the text of this utterance, from 0, in this way: `slow` after 1.3 s. */
  | { utterance: number; answers: 'silence' | 'slow' | 'cut' | 'nonsense' | 'error' };

const SLOW_MS = 1_300;

export interface ListenStreamParts {
  fault?: DeepgramFault;
  /** The time until a text that was requested is sent. */
  delayMs: () => number;
  /** The text of the present utterance. */
  text: () => string;
  /** The next utterance has another one. */
  next: () => void;
  heard: (seconds: number) => void;
  closed: () => void;
  complain: (sentence: string) => void;
}

/** One stream. Its messages are those that the parameters of the request select. Times are seconds of its audio. */
export class ListenStream {
  private readonly bytesPerSecond: number;
  private readonly endpointing: number;
  private readonly utteranceEnd: number;
  private readonly sendsStarts: boolean;
  private readonly sendsInterims: boolean;
  private readonly isPlain: boolean;
  private readonly isDeaf: boolean;
  private audio = 0;
  /** The beginning of what is not final. */
  private from = 0;
  private spoken = false;
  private interimAt = 0;
  private voiceAt = -Infinity;
  private wasVoice = false;
  /** The end of the last word, until UtteranceEnd was sent. */
  private lastWordEnd?: number;
  private idle?: NodeJS.Timeout;
  /** The number of utterances that are over. */
  private utterances = 0;

  constructor(
    private readonly client: WebSocket,
    query: URLSearchParams,
    private readonly parts: ListenStreamParts,
  ) {
    const sampleBytes = SAMPLE_BYTES.get(query.get('encoding') ?? '') ?? 2;
    this.bytesPerSecond =
      Number(query.get('sample_rate')) * sampleBytes * Number(query.get('channels') ?? '1');
    const endpointing = query.get('endpointing') ?? ENDPOINTING_MS;
    this.endpointing = endpointing === 'false' ? Infinity : Number(endpointing) / 1_000;
    this.utteranceEnd = Number(query.get('utterance_end_ms') ?? Infinity) / 1_000;
    this.sendsStarts = query.get('vad_events') === 'true';
    this.sendsInterims = query.get('interim_results') === 'true';
    this.isPlain = ['punctuate', 'smart_format'].every((name) => query.get(name) !== 'true');
    const terms = Buffer.byteLength(query.getAll('keyterm').join(' '));
    // With more than 500 tokens, nothing is ever recognised.
    this.isDeaf = terms / 3 > 500 || this.hasFault('isSilent');
    this.awake();
    client.on('message', (data: Buffer, isBinary) => {
      if (client.readyState !== 1) return;
      this.awake();
      if (isBinary) this.listen(data);
      else this.read(data.toString());
    });
    client.on('close', () => clearTimeout(this.idle));
  }

  private hasFault(name: string): boolean {
    return this.parts.fault !== undefined && name in this.parts.fault;
  }

  private awake(): void {
    clearTimeout(this.idle);
    this.idle = setTimeout(() => this.client.close(1011, 'NET-0001'), IDLE_MS);
  }

  private read(text: string): void {
    let message: { type?: string };
    try {
      message = JSON.parse(text) as typeof message;
    } catch {
      return this.client.close(1008, 'DATA-0000');
    }
    this.command(message.type);
  }

  private listen(data: Buffer): void {
    const { fault } = this.parts;
    if (data.length === 0) return this.client.close(1008, 'DATA-0000');
    this.audio += data.length / this.bytesPerSecond;
    this.parts.heard(data.length / this.bytesPerSecond);
    const isVoice = data.some((_, index) => index % 2 === 1 && Math.abs(data.readInt16LE(index - 1)) > 1_000);
    if (fault && 'closesAfter' in fault && this.audio >= fault.closesAfter)
      return this.client.close(fault.code ?? 1011, 'NET-0000');
    if (this.isDeaf) return;
    this.spoken ||= isVoice;
    if (isVoice && !this.wasVoice && this.sendsStarts)
      this.send({ type: 'SpeechStarted', channel: [0, 1], timestamp: this.audio });
    this.wasVoice = isVoice;
    if (isVoice) this.voiceAt = this.audio;
    const silence = this.audio - this.voiceAt;
    if (this.spoken && silence >= this.endpointing) this.finalize({ speech_final: true });
    if (this.lastWordEnd !== undefined && silence >= this.utteranceEnd) {
      this.send({ type: 'UtteranceEnd', channel: [0, 1], last_word_end: this.lastWordEnd });
      this.lastWordEnd = undefined;
    }
    if (!this.sendsInterims || this.audio - this.interimAt < INTERIM_S) return;
    this.interimAt = this.audio;
    this.sendResult({ is_final: false });
  }

  private command(type: string | undefined): void {
    if (type === 'Finalize') {
      if (this.hasFault('isSilent')) return;
      if (this.hasFault('sendsNonsense')) return this.client.send('<html>502</html>');
      const { fault } = this.parts;
      if (fault && 'utterance' in fault && this.utterances === fault.utterance && this.spoken)
        return this.fail(fault.answers);
      setTimeout(() => this.finalize({ from_finalize: true }), this.parts.delayMs());
    } else if (type === 'CloseStream') {
      this.parts.closed();
      this.finalize({});
      this.send({ type: 'Metadata', request_id: 'request-1', duration: this.audio, channels: 1 });
      this.client.close(1000, '');
    } else if (type !== 'KeepAlive') this.parts.complain(`an unknown message ${String(type)}`);
  }

  private fail(way: Extract<DeepgramFault, { utterance: number }>['answers']): void {
    if (way === 'slow') setTimeout(() => this.finalize({ from_finalize: true }), SLOW_MS);
    if (way === 'cut') this.client.close(1011, 'NET-0000');
    if (way === 'nonsense') this.client.send('<html>502</html>');
    if (way === 'error') this.send({ type: 'Error', code: 'INTERNAL_SERVER_ERROR', description: 'No' });
  }

  private finalize(more: { speech_final?: boolean; from_finalize?: boolean }): void {
    this.sendResult({ is_final: true, ...more });
    if (this.spoken) {
      this.lastWordEnd = Math.min(this.voiceAt, this.audio);
      this.utterances++;
      this.parts.next();
    }
    [this.from, this.spoken, this.interimAt] = [this.audio, false, this.audio];
  }

  private sendResult(more: { is_final: boolean; speech_final?: boolean; from_finalize?: boolean }): void {
    const { from: start, audio: end } = this;
    const written = this.spoken ? this.parts.text() : '';
    const text = this.isPlain ? written.toLowerCase().replace(/[^\p{L}\p{N} ]/gu, '') : written;
    const words = text.split(' ').filter((word) => word !== '');
    const known = more.is_final ? words : words.slice(0, 2);
    const transcript = known.join(' ');
    this.send({
      ...{ type: 'Results', channel_index: [0, 1], start, duration: end - start },
      ...{ speech_final: false, from_finalize: false, ...more },
      channel: {
        alternatives: [
          {
            ...{ transcript, confidence: transcript ? 0.99 : 0 },
            words: known.map((word) => ({ word, start, end, confidence: 0.99 })),
          },
        ],
      },
      metadata: { request_id: 'request-1', model_uuid: 'm', model_info: {} },
    });
  }

  private send(frame: object): void {
    if (this.client.readyState === 1) this.client.send(JSON.stringify(frame));
  }
}

import { systemClock } from '../../clock';
import { encodeAudio } from '../../audio/media-format';
import type { Place } from '../account-limit';
import {
  type Account,
  type Recognition,
  RECOGNITION_RATE,
  type RecognitionListener,
  type Recognizer,
  SpeechError,
} from '../speech';
import { type ListenResult, ListenSocket } from './listen-socket';
import { createListenUrl, type ListenOptions } from './listen-url';

/** The time for the text of an utterance that is over. */
const TEXT_MS = 5_000;
/** Without more to recognise, Deepgram may leave a request for the text unanswered. */
const SETTLED_MS = 1_000;
/** A result reaches the end of the audio if it ends no earlier before it, in seconds. */
const TOLERANCE = 0.3;
/** The longest utterance of a conversation is a minute. */
const MAX_BYTES = 70 * RECOGNITION_RATE * 2;
const FORMAT = { encoding: 'audio/l16', sampleRate: 16_000, channels: 1 } as const;

/** Recognises with Deepgram, over one stream for each call. */
export class DeepgramRecognizer implements Recognizer {
  readonly provider: string;

  constructor(
    private readonly account: Account,
    private readonly options: ListenOptions & { provider?: string },
  ) {
    this.provider = options.provider ?? 'deepgram';
  }

  open(listener: RecognitionListener): Recognition {
    const url = createListenUrl(this.account.baseUrl, this.options);
    return new DeepgramRecognition(url, this.account, listener);
  }
}

class DeepgramRecognition implements Recognition {
  seconds = 0;
  private socket?: ListenSocket;
  /** Kept for the whole call, so that a stream which replaces another one need not wait. */
  private readonly place?: Place;
  /** The audio of the utterance, for a stream that replaces one that was cut. */
  private utterance: Uint8Array[] = [];
  private utteranceBytes = 0;
  /** The audio of the stream, in seconds: all of it, and that before the utterance. */
  private sent = 0;
  private before = 0;
  private finals: string[] = [];
  private interim = '';
  private heardUntil = 0;
  private waiting?: { settle: () => void; fail: (error: SpeechError) => void };
  private isClosed = false;

  constructor(
    private readonly url: string,
    private readonly account: Account,
    private readonly listener: RecognitionListener,
  ) {
    this.place = account.limit?.enter();
    void this.begin();
  }

  write(samples: Int16Array): void {
    if (this.utteranceBytes >= MAX_BYTES || samples.length === 0) return;
    const audio = encodeAudio(samples, FORMAT);
    this.utterance.push(audio);
    this.utteranceBytes += audio.length;
    if (this.socket?.isOpen) this.send(this.socket, audio);
  }

  async text(signal: AbortSignal): Promise<string> {
    if (this.utteranceBytes === 0) return '';
    await this.place?.within(signal);
    signal.throwIfAborted();
    const socket = this.socket && !this.socket.hasEnded ? this.socket : this.reconnect();
    await socket.opened;
    signal.throwIfAborted();
    await this.finalized(socket, signal);
    return this.finals.join(' ');
  }

  next(): void {
    this.waiting?.fail(new SpeechError('The utterance is over'));
    this.utterance = [];
    this.utteranceBytes = 0;
    this.before = this.sent;
    this.finals = [];
    this.interim = '';
  }

  close(): void {
    this.isClosed = true;
    this.next();
    this.socket?.close();
    this.place?.leave();
  }

  private async begin(): Promise<void> {
    await this.place?.taken;
    if (!this.isClosed) this.socket ??= this.connect();
  }

  private connect(): ListenSocket {
    const socket = new ListenSocket(this.url, this.account.apiKey, {
      result: (result) => socket === this.socket && this.heard(result),
      lost: (error) => {
        if (socket === this.socket) this.waiting?.fail(error);
      },
    });
    socket.opened.then(
      () => {
        if (socket !== this.socket || this.isClosed) return;
        for (const audio of this.utterance) this.send(socket, audio);
      },
      () => undefined,
    );
    return socket;
  }

  /** The new stream gets the whole utterance again. */
  private reconnect(): ListenSocket {
    this.socket?.abandon();
    [this.sent, this.before, this.heardUntil] = [0, 0, 0];
    [this.finals, this.interim] = [[], ''];
    return (this.socket = this.connect());
  }

  private send(socket: ListenSocket, audio: Uint8Array): void {
    const seconds = audio.length / 2 / RECOGNITION_RATE;
    this.sent += seconds;
    this.seconds += seconds;
    socket.send(audio);
  }

  private heard({ text, isFinal, isFinalized, until }: ListenResult): void {
    // It is about an utterance that is over.
    if (until <= this.before) return;
    this.heardUntil = until;
    if (isFinal && text !== '') this.finals.push(text);
    this.interim = isFinal ? '' : text;
    const all = [...this.finals, this.interim].filter((part) => part !== '').join(' ');
    if (all !== '') this.listener.interim(all);
    if (isFinal && (isFinalized || until >= this.sent - TOLERANCE)) this.waiting?.settle();
  }

  /** Resolves when the text of everything that was sent is there. */
  private async finalized(socket: ListenSocket, signal: AbortSignal): Promise<void> {
    const timers: (() => void)[] = [];
    let aborted = () => undefined as void;
    try {
      await new Promise<void>((resolve, reject) => {
        this.waiting?.fail(new SpeechError('The text was requested again'));
        this.waiting = { settle: resolve, fail: reject };
        const late = () => {
          // A stream that has stalled is replaced for the second attempt.
          socket.abandon();
          reject(new SpeechError(`Deepgram sent no text for ${TEXT_MS / 1_000} s`));
        };
        const settled = () => {
          const isComplete = this.interim === '' && this.heardUntil >= this.sent - 1;
          if (isComplete && this.heardUntil > this.before) resolve();
        };
        timers.push(systemClock.after(TEXT_MS, late), systemClock.after(SETTLED_MS, settled));
        aborted = () => reject(signal.reason as Error);
        signal.addEventListener('abort', aborted, { once: true });
        socket.finalize();
      });
    } finally {
      this.waiting = undefined;
      for (const stop of timers) stop();
      signal.removeEventListener('abort', aborted);
    }
  }
}

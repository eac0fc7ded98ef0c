import { encodeAudio } from '../audio/media-format';
import { Resampler } from '../audio/resampler';
import { systemClock } from '../clock';
import { toMembers } from '../json-frames';
import { type Recognition, RECOGNITION_RATE, type RecognitionListener, SpeechError } from '../speech/speech';
import type { RealtimeEvent, RealtimeSocket } from './realtime-socket';

export const REALTIME_RATE = 24_000;
export const REALTIME_FORMAT = { encoding: 'audio/l16', sampleRate: REALTIME_RATE, channels: 1 } as const;
/** The time for the text of an utterance. */
const TEXT_MS = 5_000;
const BYTES_PER_MS = (REALTIME_RATE * 2) / 1_000;
/** OpenAI refuses less audio than 100 ms. */
const MIN_BYTES = 120 * BYTES_PER_MS;
/** The longest utterance of a conversation is a minute. */
const MAX_BYTES = 70_000 * BYTES_PER_MS;
/** One event has at most 15 MB, which are more than an utterance. */
const PART_BYTES = 1_000 * BYTES_PER_MS;

const COMPLETED = 'conversation.item.input_audio_transcription.completed';

/** Speech of the person that the session has as one item, and its text. */
interface Utterance {
  item?: string;
  text: string;
  /** It is no part of the conversation, and is removed when its item is known. */
  isDropped: boolean;
  settle: (error?: SpeechError) => void;
  /** The server has taken it, and refuses it no more. */
  forget: () => void;
}

/**
 * The person's speech in a session. A pause makes it an item of the conversation, and its text is requested. If the person
 * continues, one longer item replaces it, so that the model hears a turn as a whole.
 */
export class RealtimeRecognition implements Recognition {
  seconds = 0;
  /** The tokens of the texts, which are not those of the model. */
  tokens = 0;
  private readonly resampler = new Resampler(RECOGNITION_RATE, REALTIME_RATE);
  private audio: Buffer[] = [];
  private bytes = 0;
  /** The session that has the audio in its buffer, if it has all of it. */
  private streamed?: RealtimeSocket;
  private current?: Utterance;
  /** The last utterance that is over, until it is known whether it was a turn. */
  private last?: Utterance;
  /** Utterances whose item the server has not named yet, in their order. */
  private readonly committed: Utterance[] = [];
  private written = '';

  constructor(
    /** The present session, if it has begun. */
    private readonly present: () => RealtimeSocket | undefined,
    private readonly connect: (signal: AbortSignal) => Promise<RealtimeSocket>,
    private readonly listener: RecognitionListener,
  ) {}

  write(samples: Int16Array): void {
    const audio = Buffer.from(encodeAudio(this.resampler.process(samples), REALTIME_FORMAT));
    if (audio.length === 0 || this.bytes + audio.length > MAX_BYTES) return;
    const socket = this.present();
    if (this.bytes === 0) this.streamed = socket;
    this.audio.push(audio);
    this.bytes += audio.length;
    if (socket && socket === this.streamed) append(socket, audio);
  }

  async text(signal: AbortSignal): Promise<string> {
    if (this.bytes === 0) return '';
    const socket = await this.connect(signal);
    // The utterance may be over by now.
    if (this.bytes === 0) return '';
    this.current?.settle(new SpeechError('The text was requested again'));
    if (this.streamed !== socket) this.resend(socket);
    this.streamed = undefined;
    const earlier = this.current;
    const { utterance, done } = this.commit(socket, signal);
    if (earlier) this.drop(earlier);
    await done;
    return utterance.text;
  }

  next(): void {
    if (this.last) this.drop(this.last);
    this.last = this.current;
    this.current?.settle(new SpeechError('The utterance is over'));
    this.current = undefined;
    this.present()?.sendOptional({ type: 'input_audio_buffer.clear' });
    [this.audio, this.bytes, this.streamed] = [[], 0, undefined];
  }

  close(): void {
    this.next();
  }

  /** @returns whether the session has this turn of the person. What was heard and is no turn is removed from it. */
  keep(turn: string, correct: (text: string) => string): boolean {
    const { last } = this;
    this.last = undefined;
    if (!last) return false;
    const isTurn = last.item !== undefined && last.text !== '' && correct(last.text) === turn;
    if (!isTurn) this.drop(last);
    return isTurn;
  }

  /** The items of a session that has ended are gone. */
  lost(error: SpeechError): void {
    this.committed.length = 0;
    this.streamed = undefined;
    this.current?.settle(error);
    this.current = undefined;
    this.last = undefined;
  }

  receive(event: RealtimeEvent): void {
    if (event.type === 'input_audio_buffer.committed') return this.named(event.item_id);
    const { total_tokens: tokens } = toMembers(event.usage);
    if (event.type === COMPLETED && typeof tokens === 'number') this.tokens += tokens;
    const { current } = this;
    if (!current || current.item === undefined || event.item_id !== current.item) return;
    switch (event.type) {
      case 'conversation.item.input_audio_transcription.delta':
        this.written += typeof event.delta === 'string' ? event.delta : '';
        if (this.written.trim() !== '') this.listener.interim(this.written.trim());
        return;
      case COMPLETED:
        if (typeof event.transcript !== 'string')
          return current.settle(new SpeechError('OpenAI sent a text that makes no sense'));
        current.text = event.transcript.trim();
        return current.settle();
      case 'conversation.item.input_audio_transcription.failed':
        return current.settle(new SpeechError('OpenAI did not recognise the speech'));
    }
  }

  private resend(socket: RealtimeSocket): void {
    socket.sendOptional({ type: 'input_audio_buffer.clear' });
    const all = Buffer.concat(this.audio);
    for (let at = 0; at < all.length; at += PART_BYTES) append(socket, all.subarray(at, at + PART_BYTES));
  }

  private commit(socket: RealtimeSocket, signal: AbortSignal) {
    if (this.bytes < MIN_BYTES) append(socket, Buffer.alloc(MIN_BYTES - this.bytes));
    const nothing = () => undefined;
    const utterance: Utterance = { text: '', isDropped: false, settle: nothing, forget: nothing };
    const done = new Promise<void>((resolve, reject) => {
      const aborted = () => utterance.settle(signal.reason as SpeechError);
      const stopTimer = systemClock.after(TEXT_MS, () =>
        utterance.settle(new SpeechError(`OpenAI sent no text for ${TEXT_MS / 1_000} s`)),
      );
      utterance.settle = (error) => {
        stopTimer();
        signal.removeEventListener('abort', aborted);
        utterance.settle = nothing;
        if (error) reject(error);
        else resolve();
      };
      signal.addEventListener('abort', aborted, { once: true });
    });
    this.current = utterance;
    this.written = '';
    this.committed.push(utterance);
    this.seconds += Math.max(this.bytes, MIN_BYTES) / BYTES_PER_MS / 1_000;
    utterance.forget = socket.send({ type: 'input_audio_buffer.commit' }, (error) => {
      const at = this.committed.indexOf(utterance);
      if (at >= 0) this.committed.splice(at, 1);
      utterance.settle(error);
    });
    return { utterance, done };
  }

  private named(item: unknown): void {
    const utterance = this.committed.shift();
    if (!utterance || typeof item !== 'string') return;
    utterance.forget();
    utterance.item = item;
    if (utterance.isDropped) this.drop(utterance);
  }

  private drop(utterance: Utterance): void {
    utterance.isDropped = true;
    if (utterance.item === undefined) return;
    this.present()?.sendOptional({ type: 'conversation.item.delete', item_id: utterance.item });
  }
}

const append = (socket: RealtimeSocket, audio: Buffer) =>
  socket.send({ type: 'input_audio_buffer.append', audio: audio.toString('base64') });

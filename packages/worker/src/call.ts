import type { CallStart, Speaker, ToolUse } from './messages';
import type { RecordingSource, RecordOptions } from './recording-upload';
import type { Passage, SearchOptions } from './search';

/** Something that was said, or the use of a tool. */
export interface Turn {
  speaker: Speaker;
  /** A text of more than 8,000 characters is sent with its beginning. */
  text: string;
  /** Default: now. */
  startedAt?: Date;
  endedAt?: Date;
  tool?: ToolUse;
}

export interface Recording {
  /** Begins with `http://` or `https://`. */
  url: string;
  durationSec?: number;
}

/** A call that the worker holds. Promises of reports resolve when the report is kept, not when RabbitMQ has it. */
export interface Call {
  readonly id: string;
  readonly direction: 'outbound' | 'inbound';
  /** What the server says about the call. */
  readonly start: CallStart;
  /** Is aborted when the call is hung up or the worker stops; its reason is a `CallInterrupted`. */
  readonly signal: AbortSignal;

  /**
   * Where the person of a web call can join it, before it is connected. The latest one counts.
   * @param url begins with `ws://`, `wss://`, `http://` or `https://`, and has a secret in it
   * @param expiresAt at most an hour ahead
   */
  joinable(url: string, expiresAt: Date): Promise<void>;

  /** The person answered, or the call was answered for the person. @param at default: now */
  connected(at?: Date): Promise<void>;

  /** Adds a turn to the transcript. Turns are numbered and sent together. */
  turn(turn: Turn): void;

  /** Where the recording is. May also come after the end. */
  recorded(recording: Recording): Promise<void>;

  /**
   * Hands the recording to the server, once: during the call, or up to an hour after its end. Resolves with its address.
   * @param source is sent as it is read
   */
  record(source: RecordingSource, options: RecordOptions): Promise<string>;

  /** What was found out about the call, in up to 50 fields. May also come after the end. */
  analyzed(
    fields: Record<string, boolean | number | string | null>,
    options?: {
      /** The person asked not to be called again. */
      optOut?: boolean;
    },
  ): Promise<void>;

  /**
   * Tells operators something about the call, in its timeline. The server stores 20 warnings of a call.
   * @param code a word that programs can compare
   * @param text a sentence of at most 500 characters
   */
  warn(code: string, text: string): Promise<void>;

  /** Searches the knowledge bases of the agent. */
  search(query: string, options?: SearchOptions): Promise<Passage[]>;
}

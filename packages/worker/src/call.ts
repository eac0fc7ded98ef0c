import type { AnalysisOptions, AnalysisValues } from './analysis';
import type { CallStart, Judgement, RehearsalFacts, Speaker, ToolUse } from './messages';
import type { RecordingSource, RecordOptions } from './recording-upload';
import type { Passage, SearchOptions } from './search';
import type { ToolInvocation, ToolOptions, WaitOptions } from './tools';
import type { AllowedTransfer } from './transfers';

/** A text that a party said, or the use of a tool. */
export interface Turn {
  speaker: Speaker;
  /** A text of more than 8,000 characters is sent with its beginning. */
  text: string;
  /** The start of the turn. Default: now. */
  startedAt?: Date;
  endedAt?: Date;
  tool?: ToolUse;
}

export interface Recording {
  /** The address, which begins with `http://` or `https://`. */
  url: string;
  durationSec?: number;
}

/** A call that the worker holds. Promises of reports resolve when the report is kept, not when RabbitMQ has it. */
export interface Call {
  readonly id: string;
  readonly direction: 'outbound' | 'inbound';
  /** The data of the call from the server. */
  readonly start: CallStart;
  /** The server considers the worker lost if it gets no report or heartbeat of the call for this long. */
  readonly leaseSeconds: number;
  /** A signal that is aborted when the call is hung up or the worker stops; its reason is a `CallInterrupted`. */
  readonly signal: AbortSignal;

  /**
   * Reports the address at which the person of a web call can join it, before it is connected. The latest report
   * counts.
   * @param url begins with `ws://`, `wss://`, `http://` or `https://`, and has a secret in it
   * @param expiresAt at most an hour ahead
   */
  joinable(url: string, expiresAt: Date): Promise<void>;

  /**
   * Reports the address at which users of the workspace hear both sides of the call, until its end. The latest report
   * counts.
   * @param url as of {@link joinable}, with another secret in it
   * @param expiresAt at most a day ahead; a time in the past says that nobody can listen any more
   */
  listenable(url: string, expiresAt: Date): Promise<void>;

  /**
   * Reports that the person answered, or that the call was answered for the person.
   * @param at default: now
   */
  connected(at?: Date): Promise<void>;

  /**
   * Adds a turn to the transcript. Turns are numbered and sent together.
   * @returns the sequence of the turn, as an analysis names it; undefined: the transcript is full
   */
  turn(turn: Turn): number | undefined;

  /** Reports the address of the recording. It may also be called after the end. */
  recorded(recording: Recording): Promise<void>;

  /**
   * Uploads the recording to the server, once: during the call, or up to an hour after its end. Resolves with its
   * address.
   * @param source is sent as it is read
   */
  record(source: RecordingSource, options: RecordOptions): Promise<string>;

  /**
   * Reports the results of an analysis of the call, and the answers to the criteria of `start.analysis`. The latest report
   * counts. It may also be called after the end.
   * @param fields up to 50, of which those of `start.analysis` have their names
   */
  analyzed(fields: AnalysisValues, options?: AnalysisOptions): Promise<void>;

  /**
   * Adds a warning for operators to the timeline of the call. The server stores 20 warnings of a call.
   * @param code a word that programs can compare
   * @param text a sentence of at most 500 characters
   */
  warn(code: string, text: string): Promise<void>;

  /**
   * Reports what has happened in a rehearsal ({@link CallStart.rehearsal}), before its end. The first report counts.
   * @throws TypeError if it is larger than a message may be: 60,000 bytes of JSON
   */
  rehearsed(facts: RehearsalFacts): Promise<void>;

  /**
   * Reports what a model says about a rehearsal that was played (`start.rehearsal.judge`), before the end of the call. The
   * first report counts.
   * @param answers to the criteria in their order, up to one that is not met, or before one that has no answer
   * @param tokens that the model has read and written
   */
  judged(answers: readonly Judgement[], tokens: number): Promise<void>;

  /**
   * Asks the server whether the person may be connected with another number of the agent's actions. The call goes on
   * until both have hung up, or the time is over: the handler returns then, with the reason `call_transfer`.
   * @throws Error with the reason if the number must not be called
   */
  allowTransfer(to: string): Promise<AllowedTransfer>;

  /**
   * Asks the server for a tool of {@link CallStart.tools}, and resolves when it is settled; for one with the mode
   * `background`, when it is accepted. It does not reject for what becomes of the tool: the state says it.
   */
  tool(name: string, given?: object, options?: ToolOptions): Promise<ToolInvocation>;

  /** Resolves when a tool that was `running` is settled. */
  waitForTool(asked: ToolInvocation, options?: WaitOptions): Promise<ToolInvocation>;

  /** Gives back the place of the call in the capacity of the worker, such as when a carrier conducts it from now on. */
  releasePlace(): void;

  /** Takes a place for the call again that gave its place back, also if the worker is full. */
  takePlace(): void;

  /** Searches the knowledge bases of the agent. */
  search(query: string, options?: SearchOptions): Promise<Passage[]>;
}

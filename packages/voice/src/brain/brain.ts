import type { AnalysisOfCall, ReportedCriterion, ToolUse } from '@parley/worker';
import type { Audio } from '../audio/audio';

/** Decides on the agent's words. */
export interface Brain {
  /** The provider, for the page of the call; `local`: nobody hears the words. */
  readonly provider: string;
  /**
   * The answer to the last message, in parts as they come.
   * @throws BrainError, or the reason of the signal
   */
  answer(messages: readonly Message[], signal: AbortSignal): AsyncIterable<AnswerPart>;
  /** Summarises the conversation after its end, and answers the questions of the agent. */
  conclude(messages: readonly Message[], signal: AbortSignal, questions?: Questions): Promise<Conclusion>;
  /** The tokens that the model has read and written. */
  readonly tokens: number;
  /** The parts of {@link tokens}, which have different prices. */
  readonly usage?: TokenUsage;
  /** Says a text that is given, such as the greeting. undefined: the brain has no voice of its own. */
  read?(text: string, messages: readonly Message[], signal: AbortSignal): AsyncIterable<AnswerPart>;
  /** Whether a tool has ended after its answer, and the model has not read its result. */
  readonly hasNews?: boolean;
  /** The person has heard this much of this item of speech, and no more. */
  cut?(item: string, playedMs: number): void;
  /** The call is over. */
  close?(): void;
}

export interface TokenUsage {
  read: number;
  written: number;
  /** The part of both that the provider did not report. It is computed from the length of the texts. */
  estimated?: number;
  /** The audio in them. */
  audioRead?: number;
  audioWritten?: number;
  /** The part of what was read that the provider had kept from before. */
  cached?: number;
  /** Tokens of the model that writes down what the person says. They are not in {@link Brain.tokens}. */
  transcription?: number;
}

export interface Message {
  role: 'user' | 'agent';
  text: string;
}

export type AnswerPart =
  | { type: 'text'; text: string }
  /** The brain speaks by itself. The words come with the audio, a little before or after it. */
  | { type: 'speech'; item: string; text: string; audio?: Audio; isLast?: boolean }
  | { type: 'variable'; name: string; value: string }
  /** A tool was begun. `say` is spoken if it takes long. The result comes, whatever becomes of the answer. */
  | { type: 'tool'; name: string; arguments: unknown; say?: string; result: Promise<unknown> }
  /** The agent ends the call after its words. */
  | { type: 'end' }
  /** The agent connects the person with this number after its words. */
  | { type: 'transfer'; name: string; to: string };

/** The questions of an agent about a call, and the transcript that answers them. */
export interface Questions {
  analysis: AnalysisOfCall;
  turns: readonly TranscriptTurn[];
}

export interface TranscriptTurn {
  /** The number of the turn in the transcript of the call. undefined: the transcript does not have it. */
  sequence?: number;
  speaker: 'agent' | 'user' | 'tool';
  text: string;
  tool?: ToolUse;
}

export interface Conclusion {
  summary: string;
  outcome: string;
  variables: Record<string, string>;
  /** The answers to the questions of the agent, as far as there are any. */
  fields?: Record<string, string | number | boolean>;
  criteria?: Record<string, ReportedCriterion>;
}

/** Finds passages of the knowledge bases, each with the name of its source, if it is known. */
export type Search = (query: string) => Promise<{ text: string; source?: string }[]>;

export class BrainError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BrainError';
  }
}

/** Decides on the agent's words. */
export interface Brain {
  /** The provider, for the page of the call; `local`: nobody hears the words. */
  readonly provider: string;
  /**
   * The answer to the last message, in parts as they come.
   * @throws BrainError, or the reason of the signal
   */
  answer(messages: readonly Message[], signal: AbortSignal): AsyncIterable<AnswerPart>;
  /** Summarises the conversation after its end. */
  conclude(messages: readonly Message[], signal: AbortSignal): Promise<Conclusion>;
  /** The tokens that the model has read and written, if it counts them. */
  readonly tokens: number;
  /** The two parts of {@link tokens}, which have different prices. */
  readonly usage?: { read: number; written: number };
}

export interface Message {
  role: 'user' | 'agent';
  text: string;
}

export type AnswerPart =
  | { type: 'text'; text: string }
  | { type: 'variable'; name: string; value: string }
  | { type: 'tool'; name: string; arguments: unknown; result: unknown }
  /** The agent ends the call after its words. */
  | { type: 'end' }
  /** The agent connects the person with this number after its words. */
  | { type: 'transfer'; name: string; to: string };

export interface Conclusion {
  summary: string;
  outcome: string;
  variables: Record<string, string>;
}

/** A passage of the agent's knowledge bases. */
export type Search = (query: string) => Promise<{ text: string }[]>;

export class BrainError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BrainError';
  }
}

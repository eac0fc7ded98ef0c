/** What decides on the agent's words. */
export interface Brain {
  /** The provider, for the page of the call; `local`: nobody hears the words. */
  readonly provider: string;
  /**
   * The answer to the last message, in parts as they come.
   * @throws BrainError, or the reason of the signal
   */
  answer(messages: readonly Message[], signal: AbortSignal): AsyncIterable<AnswerPart>;
  /** What the conversation was about, after its end. */
  conclude(messages: readonly Message[], signal: AbortSignal): Promise<Conclusion>;
  /** What the model was asked to process and wrote, if it counts that. */
  readonly tokens: number;
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
  | { type: 'end' };

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

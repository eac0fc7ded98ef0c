import { type RehearsedPerson, shorten } from '@parley/worker';
import type { Brain, Message } from '../brain/brain';
import { ChatCompletionsBrain, type ChatModel } from '../brain/chat-completions';

/** Written by a model to hang up. */
const HANG_UP = /\[hang up\]/gi;
/** The longest turn, in characters: that of a line. */
const MAX_SAID = 2_000;

export interface PersonaTurn {
  /** '': nothing. */
  say: string;
  hangsUp: boolean;
}

export interface PersonaParts {
  /** The model of the agent, by whose address and key the persona is asked too. */
  model: ChatModel | undefined;
  provider: string;
  /** The time that an answer takes. */
  modelMs: number;
  /** Ends its requests. */
  signal: AbortSignal;
}

/** The language model that is the person of a rehearsal. Its only instruction is the text of the definition. */
export class Persona {
  readonly modelMs: number;
  readonly maxTurns: number;
  private readonly brain: Brain;
  private readonly signal: AbortSignal;

  private constructor(
    prompt: string,
    { model: named, max_turns = Infinity }: RehearsedPerson,
    { model, provider, modelMs, signal }: PersonaParts,
  ) {
    if (!model) throw new Error('The agent has no language model that could be the person.');
    const asked = named === undefined ? model : { ...model, model: named };
    this.brain = new ChatCompletionsBrain(asked, { provider, prompt, variables: [], hasNoTools: true });
    this.modelMs = modelMs;
    this.maxTurns = max_turns;
    this.signal = signal;
  }

  /** @returns undefined: the person is no model @throws Error if there is no model */
  static of(person: RehearsedPerson, parts: PersonaParts): Persona | undefined {
    return person.persona === undefined ? undefined : new Persona(person.persona, person, parts);
  }

  get tokens(): number {
    return this.brain.tokens;
  }

  /**
   * @param messages of the agent's side, with the roles that the agent's model reads
   * @throws BrainError if the model fails
   */
  async answer(messages: readonly Message[]): Promise<PersonaTurn> {
    const swapped = messages.map(({ role, text }): Message => ({
      ...{ role: role === 'user' ? 'agent' : 'user', text },
    }));
    let written = '';
    for await (const part of this.brain.answer(swapped, this.signal))
      if (part.type === 'text') written += part.text;
    const words = written.replace(HANG_UP, ' ');
    return {
      say: shorten(words.replace(/\s+/g, ' ').trim(), MAX_SAID),
      hangsUp: words !== written,
    };
  }
}

import type { AnswerPart, Brain, Conclusion, Message, Search } from './brain';

const MAX_PASSAGE = 300;

/**
 * Answers without a language model, and says so: asks for the declared variables one by one, looks up what it is asked
 * in the knowledge bases, confirms, and ends.
 */
export class ScriptedBrain implements Brain {
  readonly provider = 'local';
  readonly tokens = 0;
  private readonly values: Record<string, string> = {};
  private asked?: string;
  private introduced = false;

  constructor(
    private readonly variables: readonly string[],
    private readonly search?: Search,
  ) {}

  async *answer(messages: readonly Message[]): AsyncIterable<AnswerPart> {
    const said = messages.at(-1)?.text ?? '';
    if (!this.introduced) {
      this.introduced = true;
      yield text('I am a scripted assistant without a language model. ');
    }
    if (this.asked !== undefined) {
      const name = this.asked;
      this.values[name] = plain(said);
      this.asked = undefined;
      yield { type: 'variable', name, value: plain(said) };
      yield text('Thank you. ');
    } else if (isGoodbye(said)) {
      yield text('Thank you for the call. Goodbye!');
      yield { type: 'end' };
      return;
    } else {
      yield* this.respond(said);
    }
    const next = this.variables.find((name) => this.values[name] === undefined);
    this.asked = next;
    yield text(next === undefined ? this.confirmation() : `Please tell me the ${spoken(next)}.`);
  }

  conclude(messages: readonly Message[]): Promise<Conclusion> {
    const said = messages.filter(({ role }) => role === 'user').map(({ text: words }) => words);
    const summary = said.length === 0 ? 'The person said nothing.' : `The person said: ${said.join(' ')}`;
    return Promise.resolve({
      summary: summary.slice(0, 500),
      outcome: said.length === 0 ? 'no_answer' : 'completed',
      variables: this.values,
    });
  }

  private async *respond(said: string): AsyncIterable<AnswerPart> {
    const found = isQuestion(said) ? await this.search?.(said) : undefined;
    const passage = found?.[0]?.text;
    if (passage) {
      yield { type: 'tool', name: 'search_knowledge', arguments: { query: said }, result: passage };
      yield text(`I found this: ${shortened(passage)} `);
    } else {
      yield text(`You said: ${plain(said)}. `);
    }
  }

  private confirmation(): string {
    const known = Object.entries(this.values).map(([name, value]) => `${spoken(name)}: ${value}`);
    return `${known.length > 0 ? `I noted ${known.join(', ')}. ` : ''}Is there anything else?`;
  }
}

const text = (words: string): AnswerPart => ({ type: 'text', text: words });
const spoken = (name: string) => name.replaceAll(/[_-]+/g, ' ').trim();
const plain = (said: string) => said.trim().replace(/[.!?,]+$/, '');

const shortened = (passage: string) => {
  const flat = passage.replaceAll(/\s+/g, ' ').trim();
  if (flat.length <= MAX_PASSAGE) return flat;
  const cut = flat.slice(0, MAX_PASSAGE);
  return cut.slice(0, cut.lastIndexOf('. ') + 1) || cut;
};

const isQuestion = (said: string) =>
  /\?\s*$|^(what|when|where|who|why|how|which|do|does|is|are|can)\b/i.test(said);

/** The recogniser writes "Good-by", "Good bye." and "Bye bye". */
export function isGoodbye(said: string): boolean {
  const letters = said.toLowerCase().replaceAll(/[^a-z]/g, '');
  return /^(okay|ok|well|no|thankyou|thanks|andso)*(goodbye?|bye|byebye|thatsall|thatisall|nothingelse|nothanks|nothankyou|no)(thankyou|thanks|then|bye|goodbye?)*$/.test(
    letters,
  );
}

import { shorten } from '@parley/worker';
import type { AnswerPart, Brain, Conclusion, Message, Search } from './brain';
import { isGoodbye, isNo, isNothingElse } from './replies';

const MAX_PASSAGE = 300;

/** The subject of the last question. */
type Question = { about: 'variable'; name: string } | { about: 'values' | 'wrong-value' | 'anything-else' };

/**
 * Answers without a language model, and says so: asks for the declared variables one by one, names and quotes what the
 * knowledge bases have about a question, confirms, and ends.
 */
export class ScriptedBrain implements Brain {
  readonly provider = 'local';
  readonly tokens = 0;
  private readonly values: Record<string, string> = {};
  /** The variables to ask for. */
  private missing: string[];
  private question: Question = { about: 'anything-else' };
  private introduced = false;
  private confirmed = false;
  private corrected = false;

  constructor(
    private readonly variables: readonly string[],
    private readonly search?: Search,
  ) {
    this.missing = [...variables];
    this.confirmed = variables.length === 0;
  }

  async *answer(messages: readonly Message[]): AsyncIterable<AnswerPart> {
    const said = messages.at(-1)?.text ?? '';
    if (!this.introduced) {
      this.introduced = true;
      yield text('I am a scripted assistant without a language model. ');
    }
    if (isGoodbye(said) || (this.question.about === 'anything-else' && isNothingElse(said))) {
      yield text('Thank you for the call. Goodbye!');
      yield { type: 'end' };
      return;
    }
    yield* this.understand(said);
    yield text(this.ask());
  }

  conclude(messages: readonly Message[]): Promise<Conclusion> {
    const said = messages.filter(({ role }) => role === 'user').map(({ text: words }) => words);
    const summary = said.length === 0 ? 'The person said nothing.' : `The person said: ${said.join(' ')}`;
    return Promise.resolve({
      summary: shorten(summary, 500),
      outcome: said.length === 0 ? 'no_speech' : 'completed',
      variables: this.values,
    });
  }

  /** Takes what was said as the answer to the last question. */
  private async *understand(said: string): AsyncIterable<AnswerPart> {
    const { question } = this;
    switch (question.about) {
      case 'variable': {
        const { name } = question;
        const value = plain(said);
        this.values[name] = value;
        this.missing = this.missing.filter((other) => other !== name);
        yield { type: 'variable', name, value };
        yield text('Thank you. ');
        return;
      }
      case 'values':
        if (isNo(said) && !this.corrected) return this.correct(said);
        this.confirmed = true;
        yield text('Thank you. ');
        return;
      case 'wrong-value':
        this.missing = this.named(said);
        if (this.missing.length === 0) this.missing = [...this.variables];
        return;
      case 'anything-else':
        yield* this.respond(said);
    }
  }

  /** The next question, in words. */
  private ask(): string {
    const [name] = this.missing;
    if (this.question.about === 'values' && this.corrected && !this.confirmed && name === undefined) {
      this.question = { about: 'wrong-value' };
      return `Which one is wrong: ${this.variables.map(spoken).join(', ')}?`;
    }
    if (name !== undefined) {
      this.question = { about: 'variable', name };
      return `Please tell me the ${spoken(name)}.`;
    }
    if (!this.confirmed) {
      this.question = { about: 'values' };
      const known = this.variables.map((variable) => `${spoken(variable)}: ${this.values[variable] ?? ''}`);
      return `So I have ${known.join(', ')}. Is that right?`;
    }
    this.question = { about: 'anything-else' };
    return 'Is there anything else?';
  }

  /** A wrong value is asked for again, once. */
  private correct(said: string): void {
    this.corrected = true;
    this.missing = this.variables.length === 1 ? [...this.variables] : this.named(said);
  }

  private named(said: string): string[] {
    const heard = ` ${normalise(said)} `;
    return this.variables.filter((name) => heard.includes(` ${normalise(spoken(name))} `));
  }

  private async *respond(said: string): AsyncIterable<AnswerPart> {
    const found = isQuestion(said) ? await this.search?.(said) : undefined;
    const [passage] = found ?? [];
    if (passage) {
      const { text: quoted, source } = passage;
      const result = Promise.resolve(quoted);
      yield { type: 'tool', name: 'search_knowledge', arguments: { query: said }, result };
      yield text(`${source ? `In ${source} I found this` : 'I found this'}: ${shortened(quoted)} `);
    } else if (found) yield text('I found nothing about that. ');
    else if (this.missing.length === 0) yield text('I cannot answer that. ');
  }
}

const text = (words: string): AnswerPart => ({ type: 'text', text: words });
const spoken = (name: string) => name.replaceAll(/[_-]+/g, ' ').trim();
const plain = (said: string) => said.trim().replace(/(?<![.!?,])[.!?,]+$/, '');
const normalise = (said: string) => (said.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ');

const shortened = (passage: string) => {
  const flat = passage.replaceAll(/\s+/g, ' ').trim();
  if (flat.length <= MAX_PASSAGE) return flat;
  const end = flat.lastIndexOf('. ', MAX_PASSAGE - 2) + 1;
  return end > 0 ? flat.slice(0, end) : shorten(flat, MAX_PASSAGE);
};

const isQuestion = (said: string) =>
  /\?\s*$|^(what|when|where|who|why|how|which|do|does|is|are|can)\b/i.test(said);

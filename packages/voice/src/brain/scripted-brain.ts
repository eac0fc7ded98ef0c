import { shorten, type ToolOfCall } from '@parley/worker';
import type { AnswerPart, Brain, Conclusion, Message } from './brain';
import { isGoodbye, isNo, isNothingElse, isOptOut, isYes } from './replies';
import { type Argument, listRequired, toArgument } from './spoken-arguments';
import { OPT_OUT, type ToolContext, toFailure, toResult } from './tools';

const MAX_PASSAGE = 300;

/** The subject of the last question. */
type Question = { about: 'variable'; name: string } | { about: 'values' | 'wrong-value' | 'anything-else' };

/**
 * Answers without a language model, and says so: asks for the declared variables one by one, names and quotes what the
 * knowledge bases have about a question, asks for the arguments of a tool that the person names, confirms, and ends.
 */
export class ScriptedBrain implements Brain {
  readonly provider = 'local';
  readonly tokens = 0;
  private readonly values: Record<string, string> = {};
  /** The tool that is used if the person agrees, and its arguments. */
  private tool?: ToolOfCall;
  private given: Record<string, Argument> = {};
  /** The variables, or the arguments of the tool; and those of them to ask for. */
  private asked: readonly string[];
  private missing: string[];
  private question: Question = { about: 'anything-else' };
  private introduced = false;
  private confirmed = false;
  private corrected = false;

  constructor(
    variables: readonly string[],
    private readonly context: Pick<ToolContext, 'search' | 'tools' | 'ask' | 'optOut'> = {},
  ) {
    this.asked = variables;
    this.missing = [...variables];
    this.confirmed = variables.length === 0;
  }

  async *answer(messages: readonly Message[]): AsyncIterable<AnswerPart> {
    const said = messages.at(-1)?.text ?? '';
    if (!this.introduced) {
      this.introduced = true;
      yield text('I am a scripted assistant without a language model. ');
    }
    if (this.context.optOut && isOptOut(said)) {
      await this.context.optOut();
      yield { type: 'tool', name: OPT_OUT, arguments: {}, result: Promise.resolve({ reported: true }) };
      yield text('I see. You will not be called again. Goodbye!');
      yield { type: 'end' };
      return;
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
      case 'variable':
        yield* this.take(question.name, plain(said));
        return;
      case 'values':
        yield* this.confirm(said);
        return;
      case 'wrong-value':
        this.missing = this.named(said);
        if (this.missing.length === 0) this.missing = [...this.asked];
        return;
      case 'anything-else':
        yield* this.respond(said);
    }
  }

  private *take(name: string, value: string): Iterable<AnswerPart> {
    if (this.tool) {
      const argument = toArgument(this.tool, name, value);
      if (argument === undefined) {
        yield text('I did not understand that. ');
        return;
      }
      this.given[name] = argument;
    } else {
      this.values[name] = value;
      yield { type: 'variable', name, value };
    }
    this.missing = this.missing.filter((other) => other !== name);
    yield text('Thank you. ');
  }

  /** Variables are taken unless the person says no. A tool is used only if the person says yes. */
  private async *confirm(said: string): AsyncIterable<AnswerPart> {
    const { tool } = this;
    const isRight = tool ? isYes(said) : !isNo(said);
    const mayCorrect = !this.corrected && this.asked.length > 0;
    if (!isRight && mayCorrect) return this.correct(said);
    this.confirmed = true;
    this.tool = undefined;
    yield text(tool && !isRight ? 'I leave it, then. ' : 'Thank you. ');
    if (tool && isRight) yield* this.use(tool);
  }

  private async *use({ name, mode, say }: ToolOfCall): AsyncIterable<AnswerPart> {
    const asked = this.context.ask?.(name, this.given, true);
    if (!asked) return;
    yield { type: 'tool', name, arguments: this.given, say, result: asked.then(toResult).catch(toFailure) };
    if (mode === 'background') {
      yield text('I have asked for that. ');
      return;
    }
    const { state, error } = await asked;
    if (state === 'done') yield text('That is done. ');
    else if (state === 'unknown') yield text('I do not know whether that was done. ');
    else yield text(`That was not done: ${(error ?? state).replace(/\.$/, '')}. `);
  }

  /** The next question, in words. */
  private ask(): string {
    const [name] = this.missing;
    if (this.question.about === 'values' && this.corrected && !this.confirmed && name === undefined) {
      this.question = { about: 'wrong-value' };
      return `Which one is wrong: ${this.asked.map(spoken).join(', ')}?`;
    }
    if (name !== undefined) {
      this.question = { about: 'variable', name };
      return `Please tell me the ${spoken(name)}.`;
    }
    if (!this.confirmed) {
      this.question = { about: 'values' };
      const values: Record<string, Argument> = this.tool ? this.given : this.values;
      const known = this.asked.map((asked) => `${spoken(asked)}: ${values[asked] ?? ''}`);
      if (this.tool && known.length === 0) return `Shall I do this: ${spoken(this.tool.name)}?`;
      return `So I have ${known.join(', ')}. Is that right?`;
    }
    this.question = { about: 'anything-else' };
    return 'Is there anything else?';
  }

  /** A wrong value is asked for again, once. */
  private correct(said: string): void {
    this.corrected = true;
    this.missing = this.asked.length === 1 ? [...this.asked] : this.named(said);
  }

  private named(said: string): string[] {
    const heard = ` ${normalise(said)} `;
    return this.asked.filter((name) => heard.includes(` ${normalise(spoken(name))} `));
  }

  /** Asks for the arguments of a tool. */
  private begin(tool: ToolOfCall): void {
    this.tool = tool;
    this.given = {};
    this.asked = listRequired(tool) ?? [];
    this.missing = [...this.asked];
    this.confirmed = false;
    this.corrected = false;
  }

  /** The tool whose name has only words that the person has said, such as in "I would like to book a table". */
  private findTool(said: string): ToolOfCall | undefined {
    const heard = ` ${normalise(said)}`;
    const isNamed = ({ name }: ToolOfCall) =>
      normalise(spoken(name))
        .split(' ')
        .every((word) => heard.includes(` ${word}`));
    return this.context.tools?.find((tool) => isNamed(tool) && listRequired(tool) !== undefined);
  }

  private async *respond(said: string): AsyncIterable<AnswerPart> {
    const tool = this.confirmed ? this.findTool(said) : undefined;
    if (tool) return this.begin(tool);
    const found = isQuestion(said) ? await this.context.search?.(said) : undefined;
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

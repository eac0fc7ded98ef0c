import type { AnswerPart, Brain, Conclusion, Message } from './brain';
import { type ToolContext, Tools } from './tools';

/** Asks for one tool as soon as the person has spoken, as a language model may do. For tests of the runtime contract. */
export class AskingBrain implements Brain {
  readonly provider = 'local';
  readonly tokens = 0;
  private readonly tools: Tools;

  /** @param given the arguments, in JSON */
  constructor(
    context: ToolContext,
    private readonly name: string,
    private readonly given: string,
  ) {
    this.tools = new Tools(context);
  }

  get hasNews(): boolean {
    return this.tools.hasNews;
  }

  async *answer(messages: readonly Message[], signal: AbortSignal): AsyncIterable<AnswerPart> {
    this.tools.beginAnswer(messages);
    this.tools.read();
    const call = { id: '1', name: this.name, arguments: this.given };
    if (this.tools.uses.length === 0) yield* this.tools.useAll([call], messages, signal);
    yield { type: 'text', text: 'I see.' };
  }

  conclude(): Promise<Conclusion> {
    return Promise.resolve({ summary: '', outcome: 'completed', variables: {} });
  }
}

import { systemClock } from '../clock';
import { describeError } from '../errors';
import { Chain } from '../providers/chain';
import { ProviderHealth } from '../providers/provider-health';
import { BusyError, ContentError, readRetryAfter, RefusalError, Retries } from '../retries';
import { type AnswerLimits, GO_ON, LIMITS, MAX_STEPS } from './answer-limits';
import {
  type AnswerPart,
  type Brain,
  BrainError,
  type Conclusion,
  type Message,
  type Questions,
  type TokenUsage,
} from './brain';
import { collect, type Delta, type OpenCall, readContent, writtenIn } from './chat-delta';
import { ChatDialect, findRefused } from './chat-dialect';
import { ANALYSIS_MS, ANALYSIS_TOKENS, askForConclusion, concludeWithin, readConclusion } from './conclusion';
import { Continuation } from './continuation';
import { hasWords } from './sentences';
import { dataOfEvents } from './server-sent-events';
import { Thoughts } from './thoughts';
import {
  type FunctionTool,
  interleave,
  parseObject,
  RUNNING,
  type ToolCall,
  type ToolContext,
  Tools,
  type ToolUse,
} from './tools';

export interface ChatModel {
  /** Such as `https://api.openai.com/v1`. */
  baseUrl: string;
  apiKey: string;
  model: string;
  temperature: number;
  maxTokens: number;
  /** With which the model gives the same answer again, if it can. */
  seed?: number;
}

export interface ChatContext extends ToolContext {
  provider: string;
  prompt: string;
  /** Puts a warning on the timeline of the call. */
  warn?: (code: string, text: string) => void;
  /** The model has no tool at all, not even one to end the call. */
  hasNoTools?: boolean;
  /** Passes on the parts of an answer in a time of its own. */
  pace?: (parts: AsyncIterable<AnswerPart>, signal: AbortSignal) => AsyncIterable<AnswerPart>;
}

const MAX_ANSWER = 8_000;
/** The longest stream of one request, in characters. */
const MAX_STREAM = 4 * 1024 * 1024;
/** The characters of a conversation that a model reads: its end. That is more than is said in an hour. */
const MAX_HISTORY = 100_000;
/** The longest part of a refusal that is read. */
const MAX_REFUSAL_BYTES = 4_096;
const MAX_CONCLUSION_BYTES = 1024 * 1024;
/** The letters of a token, on average in English. */
const TOKEN_LETTERS = 4;

/** A part of the answer of one model. `alive`: it thinks, or writes the arguments of a tool. */
type ModelPart =
  { type: 'text'; text: string } | { type: 'alive' } | { type: 'calls'; calls: readonly ToolCall[] };

type ChatMessage =
  | { role: 'system' | 'user' | 'assistant'; content: string }
  | { role: 'assistant'; content: string | null; tool_calls: object[] }
  | { role: 'tool'; tool_call_id: string; content: string };

/** A language model behind the chat completions of OpenAI, which many servers speak. */
export class ChatCompletionsBrain implements Brain {
  readonly usage: TokenUsage = { read: 0, written: 0 };
  readonly provider: string;
  private readonly tools: Tools;
  /** The models that have refused tools. */
  private readonly withoutTools = new Set<ChatModel>();
  /** The end of the last request to each model. A conversation has one at a time. */
  private readonly lastRequests = new Map<ChatModel, Promise<void>>();
  private readonly chain: Chain<ChatModel>;

  /** @param chain the model and its followers; default: no followers */
  constructor(
    private readonly model: ChatModel,
    private readonly context: ChatContext,
    private readonly limits: AnswerLimits = LIMITS,
    chain?: Chain<ChatModel>,
  ) {
    this.provider = context.provider;
    this.tools = new Tools(context);
    const only = { provider: context.provider, model: model.model, use: model };
    const parts = { health: new ProviderHealth(), clock: systemClock, fellBack: () => undefined };
    this.chain = chain ?? new Chain('language', [only], parts);
  }

  get tokens(): number {
    return this.usage.read + this.usage.written;
  }

  get hasNews(): boolean {
    return this.tools.hasNews;
  }

  async *answer(messages: readonly Message[], signal: AbortSignal): AsyncIterable<AnswerPart> {
    const { answerMs } = this.limits;
    const late = new AbortController();
    const tooLong = new BrainError(`The answer of the model took longer than ${answerMs / 1_000} s`);
    const timer = setTimeout(() => late.abort(tooLong), answerMs);
    try {
      yield* this.answerWithTools(messages, AbortSignal.any([signal, late.signal]));
    } finally {
      clearTimeout(timer);
    }
  }

  private async *answerWithTools(
    messages: readonly Message[],
    signal: AbortSignal,
  ): AsyncIterable<AnswerPart> {
    this.tools.beginAnswer(messages);
    const { pace = (parts) => parts, hasNoTools = false } = this.context;
    const earlier = [...this.tools.uses];
    const steps: Step[] = [];
    for (let step = 0; step <= MAX_STEPS; step++) {
      const calls: ToolCall[] = [];
      let said = '';
      this.tools.read();
      const chat = [...this.tell(messages, earlier), ...steps.flatMap(toStep)];
      // After the last step no tool is offered, so the model must answer.
      const offersTools = step < MAX_STEPS && !hasNoTools;
      for await (const part of pace(this.stream(chat, calls, offersTools, signal), signal)) {
        if (part.type === 'text') said += part.text;
        yield part;
      }
      if (calls.length === 0 || hasNoTools) return;
      const { uses, ends } = yield* this.tools.useAll(calls, messages, signal);
      if (ends) return;
      steps.push({ said, uses });
    }
  }

  /** The messages for a model: the prompt, then the words and the uses of tools. */
  private tell(messages: readonly Message[], uses = this.tools.uses): ChatMessage[] {
    const told = interleave(messages, uses, chatMessage, (use) => toStep({ said: '', uses: [use] }));
    return [{ role: 'system', content: this.context.prompt }, ...keepEnd(told)];
  }

  async conclude(
    messages: readonly Message[],
    signal: AbortSignal,
    questions?: Questions,
  ): Promise<Conclusion> {
    const { variables } = this.context;
    // The transcript of the questions has what was said.
    const said = questions ? this.tell([], []) : this.tell(messages);
    const asked = {
      messages: [...said, { role: 'user' as const, content: askForConclusion(variables, questions) }],
      ...(questions && { max_tokens: Math.max(this.model.maxTokens, ANALYSIS_TOKENS) }),
    };
    return this.askForResult(asked, signal, concludeWithin(questions), (text) =>
      readConclusion(text, variables, this.tools.noted, questions),
    );
  }

  /** Asks a question that has nothing to do with the conversation. @returns JSON, as the model wrote it */
  askForJson(question: string, signal: AbortSignal): Promise<string> {
    const asked = {
      messages: [...this.tell([]), { role: 'user' as const, content: question }],
      max_tokens: Math.max(this.model.maxTokens, ANALYSIS_TOKENS),
    };
    return this.askForResult(asked, signal, ANALYSIS_MS, (text) => text);
  }

  /** A request whose answer is not streamed, and further ones after failures. @param read throws if the answer makes no sense */
  private async askForResult<Result>(
    asked: { messages: ChatMessage[] },
    signal: AbortSignal,
    withinMs: number,
    read: (text: string) => Result,
  ): Promise<Result> {
    const request = async (model: ChatModel, own: AbortSignal) =>
      read(await this.requestJson(model, asked, own, withinMs));
    const retries = new Retries(systemClock, signal);
    for (;;) {
      try {
        return await this.chain.once(request, signal, true);
      } catch (error) {
        if (!(await retries.again(error))) throw error;
      }
    }
  }

  private async requestJson(
    model: ChatModel,
    parameters: { messages: ChatMessage[] },
    signal: AbortSignal,
    withinMs: number,
  ): Promise<string> {
    const asked = { ...parameters, response_format: { type: 'json_object' } };
    const limit = AbortSignal.any([signal, AbortSignal.timeout(withinMs)]);
    const end = await this.beginRequest(model, limit);
    try {
      const response = await this.post(model, asked, limit);
      const body = parseObject(await readBeginning(response, MAX_CONCLUSION_BYTES)) as Chunk & {
        choices?: { message?: { content?: unknown } }[];
      };
      const { said: answer, thought } = readContent(body.choices?.[0]?.message?.content);
      this.count(body.usage, asked, answer.length + thought.length);
      return new Thoughts().push(answer);
    } finally {
      end();
    }
  }

  /** Waits for the end of the request before. @returns a function that ends this one @throws the reason of the signal */
  private async beginRequest(model: ChatModel, signal: AbortSignal): Promise<() => void> {
    const before = this.lastRequests.get(model) ?? Promise.resolve();
    let end: () => void = () => undefined;
    const own = new Promise<void>((resolve) => (end = resolve));
    this.lastRequests.set(
      model,
      before.then(() => own),
    );
    try {
      await new Promise<void>((resolve, reject) => {
        const stop = () => reject(signal.reason as Error);
        if (signal.aborted) return stop();
        signal.addEventListener('abort', stop, { once: true });
        void before.then(resolve).finally(() => signal.removeEventListener('abort', stop));
      });
    } catch (error) {
      end();
      throw error;
    }
    return end;
  }

  /** One request, and further ones after failures. They continue what was said so far. */
  private async *stream(
    messages: ChatMessage[],
    calls: ToolCall[],
    offersTools: boolean,
    signal: AbortSignal,
  ): AsyncIterable<AnswerPart> {
    let said = '';
    const open = (model: ChatModel, own: AbortSignal) =>
      this.continued(model, said, messages, offersTools, own);
    const retries = new Retries(systemClock, signal);
    for (;;) {
      try {
        for await (const part of this.chain.run(open, signal)) {
          if (part.type === 'calls') calls.push(...part.calls);
          if (part.type !== 'text' || part.text === '') continue;
          said += part.text;
          yield part;
        }
        return;
      } catch (error) {
        const isTriedAgain = await retries.again(error);
        if (signal.aborted) throw signal.reason;
        if (!isTriedAgain) throw new BrainError(describeError(error));
      }
    }
  }

  /** A request that continues what was said so far. */
  private async *continued(
    model: ChatModel,
    said: string,
    messages: ChatMessage[],
    offersTools: boolean,
    signal: AbortSignal,
  ): AsyncIterable<ModelPart> {
    const chat =
      said === ''
        ? messages
        : [
            ...messages,
            { role: 'assistant' as const, content: said },
            { role: 'user' as const, content: GO_ON },
          ];
    const parts = this.request(model, chat, offersTools, signal);
    if (!this.chain.follows) {
      yield* parts;
      return;
    }
    const words = new Continuation(said);
    for await (const part of parts) {
      if (part.type === 'calls') yield { type: 'text', text: words.flush() };
      yield part.type === 'text' ? { type: 'text', text: words.push(part.text) } : part;
    }
  }

  /** The words of a model, and at its end the tools that it calls. */
  private async *request(
    model: ChatModel,
    messages: ChatMessage[],
    offersTools: boolean,
    signal: AbortSignal,
  ): AsyncIterable<ModelPart> {
    const end = await this.beginRequest(model, signal);
    const late = new AbortController();
    const expectWithin = (ms: number) =>
      systemClock.after(ms, () => late.abort(new Error(`The model wrote no word for ${ms / 1_000} s`)));
    let stopTimer = expectWithin(this.limits.firstWordMs);
    // Some servers send the usage so far with each chunk, so the last one counts.
    let usage: Chunk['usage'];
    let [hasBegun, written] = [false, 0];
    const tools = offersTools ? { tools: this.tools.describe().map(toTool), tool_choice: 'auto' } : {};
    const asked = { messages, ...tools };
    const calls: ToolCall[] = [];
    try {
      const response = await this.post(
        model,
        { ...asked, stream: true, stream_options: { include_usage: true } },
        AbortSignal.any([signal, late.signal]),
      );
      if (!response.body) throw new Error('The model answered without a body');
      hasBegun = true;
      const thoughts = new Thoughts();
      let [length, received] = [0, 0];
      let lead = '';
      let finished = false;
      const open = new Map<number, OpenCall>();
      for await (const data of dataOfEvents(response.body)) {
        received += data.length;
        if (received > MAX_STREAM) throw new ContentError('The answer of the model is too large');
        if (data === '[DONE]') {
          finished = true;
          break;
        }
        if (data.trim() === '') continue;
        const chunk = JSON.parse(data) as Chunk;
        if (chunk.error) throw new Error(`The model reported an error${codeIn(data)}`);
        usage = chunk.usage ?? usage;
        const choice = chunk.choices?.[0];
        if (choice?.finish_reason || choice?.message) finished = true;
        const delta = choice?.delta ?? choice?.message ?? {};
        for (const called of delta.tool_calls ?? []) collect(calls, open, called);
        const { said, thought } = readContent(delta.content);
        const more = said + thought + writtenIn(delta);
        written += more.length;
        // Empty parts and punctuation alone do not extend the time limit.
        if (choice?.finish_reason || hasWords(more)) {
          stopTimer();
          stopTimer = expectWithin(this.limits.nextWordMs);
          yield { type: 'alive' };
        }
        const text = lead + thoughts.push(said);
        // A request that wrote no word yet may be repeated, so nothing of it is passed on.
        lead = length === 0 && !hasWords(text) ? text : '';
        if (lead !== '' || text === '') continue;
        length += text.length;
        yield { type: 'text', text };
        if (length > MAX_ANSWER) {
          yield { type: 'calls', calls };
          return;
        }
      }
      const last = lead + thoughts.flush();
      length += last.trim().length;
      if (last !== '') yield { type: 'text', text: last };
      if (!finished) throw new Error('The answer of the model ended too early');
      if (length === 0 && calls.length === 0) throw new ContentError('The model answered nothing');
      yield { type: 'calls', calls };
    } finally {
      end();
      stopTimer();
      if (hasBegun) this.count(usage, this.withoutTools.has(model) ? { messages } : asked, written);
    }
  }

  /**
   * Without the usage, the letters count. An answer that was interrupted has none, since its provider sends it at the end, and
   * charges for what was read and written.
   */
  private count(usage: Chunk['usage'], asked: object, letters: number): void {
    if (!usage) {
      const [read, written] = [toTokens(JSON.stringify(asked).length), toTokens(letters)];
      this.usage.read += read;
      this.usage.written += written;
      this.usage.estimated = (this.usage.estimated ?? 0) + read + written;
      return;
    }
    // Some servers say the total only.
    const { total_tokens: total = 0, prompt_tokens: read, completion_tokens: written = 0 } = usage;
    this.usage.read += read ?? Math.max(0, total - written);
    this.usage.written += written;
  }

  /** A request without what this server and this model have refused. */
  private async post(settings: ChatModel, body: object, signal: AbortSignal): Promise<Response> {
    const { baseUrl, apiKey, model, temperature, maxTokens, seed } = settings;
    const url = `${baseUrl.replace(/\/$/, '')}/chat/completions`;
    const dialect = ChatDialect.of(url, model);
    const refused = new Set<string>();
    for (;;) {
      const asked = dialect.adapt(
        { model, temperature, max_tokens: maxTokens, ...(seed !== undefined && { seed }), ...body },
        refused,
      );
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}),
        },
        body: JSON.stringify(asked),
        signal,
      });
      if (response.ok) {
        dialect.learn(refused);
        if ('tools' in body && !('tools' in asked)) this.warnOfTools(settings);
        return response;
      }
      const refusal = await readBeginning(response, MAX_REFUSAL_BYTES);
      const name = [400, 422].includes(response.status) ? findRefused(refusal, asked) : undefined;
      if (name === undefined) throw createRefusal(response, refusal);
      refused.add(name);
    }
  }

  /** Once: without tools, the agent does less than its owner expects. */
  private warnOfTools(model: ChatModel): void {
    if (this.withoutTools.has(model)) return;
    this.withoutTools.add(model);
    const lost =
      'tools, transfers, keys, notes, searches of knowledge and hanging up by the model do not work';
    this.context.warn?.('tools_refused', `The model ${model.model} takes no tools, so ${lost}.`);
  }
}

interface Chunk {
  error?: unknown;
  usage?: { total_tokens?: number; prompt_tokens?: number; completion_tokens?: number } | null;
  choices?: {
    finish_reason?: string | null;
    delta?: Delta;
    /** The whole answer, of a server that does not stream. */
    message?: Delta | null;
  }[];
}

function createRefusal({ status, headers }: Response, body: string): Error {
  const sentence = `The model answered ${status}${codeIn(body)}`;
  return status === 429
    ? new BusyError(sentence, readRetryAfter(headers.get('retry-after')))
    : new RefusalError(sentence, status);
}

/** The code or the type of an error, for the log. Its message may have a part of the key. */
function codeIn(body: string): string {
  let error: { code?: unknown; type?: unknown } | undefined;
  try {
    ({ error } = parseObject(body) as { error?: typeof error });
  } catch {
    // The body is a plain text, or a page.
  }
  const known = [error?.code, error?.type].find(
    (value) => typeof value === 'string' || typeof value === 'number',
  );
  const code = String(known ?? '').replace(/[^\w .-]/g, '');
  return code && `: ${code.slice(0, 100)}`;
}

/** The first bytes of a body. */
async function readBeginning({ body }: Response, maxBytes: number): Promise<string> {
  const parts: Uint8Array[] = [];
  let length = 0;
  // Leaving the loop cancels the rest.
  for await (const part of body ?? []) {
    parts.push(part as Uint8Array);
    length += (part as Uint8Array).length;
    if (length >= maxBytes) break;
  }
  return Buffer.concat(parts).toString('utf8', 0, maxBytes);
}

/** The last messages, without a result whose call is left out. */
function keepEnd(messages: ChatMessage[]): ChatMessage[] {
  let letters = 0;
  let from = messages.length;
  for (; from > 0; from--) {
    const { content, ...rest } = messages[from - 1] as ChatMessage;
    letters += (content ?? '').length + ('tool_calls' in rest ? JSON.stringify(rest.tool_calls).length : 0);
    if (letters > MAX_HISTORY && from < messages.length) break;
  }
  while (messages[from]?.role === 'tool') from++;
  return messages.slice(from);
}

const toTokens = (letters: number) => Math.ceil(letters / TOKEN_LETTERS);

const toTool = (described: FunctionTool) => ({ type: 'function', function: described });

/** The words and the tools of a model, after which it goes on with an answer. */
interface Step {
  said: string;
  uses: readonly ToolUse[];
}

const toStep = ({ said, uses }: Step): ChatMessage[] => [
  {
    role: 'assistant',
    content: said || null,
    tool_calls: uses.map(({ call: { id, ...called } }) => ({ id, type: 'function', function: called })),
  },
  ...uses.map(({ call, result = RUNNING }): ChatMessage => ({
    role: 'tool',
    tool_call_id: call.id,
    content: result,
  })),
];

const chatMessage = ({ role, text }: Message): ChatMessage => ({
  role: role === 'user' ? 'user' : 'assistant',
  content: text,
});

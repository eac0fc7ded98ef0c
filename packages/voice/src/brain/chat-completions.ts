import { describeError } from '../errors';
import { type AnswerPart, type Brain, BrainError, type Conclusion, type Message } from './brain';
import { hasWords } from './sentences';
import { dataOfEvents } from './server-sent-events';
import { Thoughts } from './thoughts';
import { parseObject, type ToolCall, type ToolContext, Tools } from './tools';

export interface ChatModel {
  /** Such as `https://api.openai.com/v1`. */
  baseUrl: string;
  apiKey: string;
  model: string;
  temperature: number;
  maxTokens: number;
}

export interface ChatContext extends ToolContext {
  provider: string;
  prompt: string;
}

/** The time within which a model must answer, in milliseconds. */
export interface AnswerLimits {
  firstWordMs: number;
  nextWordMs: number;
  /** The whole answer, with its tools. */
  answerMs: number;
}

const LIMITS: AnswerLimits = { firstWordMs: 5_000, nextWordMs: 3_000, answerMs: 60_000 };
const MAX_STEPS = 3;
const MAX_ANSWER = 8_000;
/** The longest stream of one request, in characters. */
const MAX_STREAM = 4 * 1024 * 1024;
/** The longest part of a refusal that is read. */
const MAX_REFUSAL_BYTES = 4_096;

type ChatMessage =
  | { role: 'system' | 'user' | 'assistant'; content: string }
  | { role: 'assistant'; content: string | null; tool_calls: object[] }
  | { role: 'tool'; tool_call_id: string; content: string };

const GO_ON = {
  role: 'user',
  content: 'Your answer was cut off. Continue exactly where it ended, and repeat nothing of it.',
} as const;

/** A language model behind the chat completions of OpenAI, which many servers speak. */
export class ChatCompletionsBrain implements Brain {
  readonly usage = { read: 0, written: 0 };
  readonly provider: string;
  private readonly tools: Tools;
  /** Newer models of OpenAI refuse `max_tokens`, and other servers do not know `max_completion_tokens`. */
  private limitName: 'max_tokens' | 'max_completion_tokens' = 'max_tokens';

  constructor(
    private readonly model: ChatModel,
    private readonly context: ChatContext,
    private readonly limits: AnswerLimits = LIMITS,
  ) {
    this.provider = context.provider;
    this.tools = new Tools(context);
  }

  get tokens(): number {
    return this.usage.read + this.usage.written;
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
    const chat: ChatMessage[] = [
      { role: 'system', content: this.context.prompt },
      ...messages.map(chatMessage),
    ];
    for (let step = 0; step <= MAX_STEPS; step++) {
      const calls: ToolCall[] = [];
      let said = '';
      // After the last step no tool is offered, so the model must answer.
      for await (const part of this.stream(chat, calls, step < MAX_STEPS, signal)) {
        if (part.type === 'text') said += part.text;
        yield part;
      }
      if (calls.length === 0) return;
      chat.push({
        role: 'assistant',
        content: said || null,
        tool_calls: calls.map(({ id, ...called }) => ({ id, type: 'function', function: called })),
      });
      let ends = false;
      for (const call of calls) {
        const { result, part } = await this.tools.use(call, signal);
        if (part.type === 'end' || part.type === 'transfer') ends = true;
        yield part;
        chat.push({ role: 'tool', tool_call_id: call.id, content: result });
      }
      if (ends) return;
    }
  }

  async conclude(messages: readonly Message[], signal: AbortSignal): Promise<Conclusion> {
    try {
      return await this.askForConclusion(messages, signal);
    } catch (error) {
      if (signal.aborted) throw error;
      return await this.askForConclusion(messages, signal);
    }
  }

  private async askForConclusion(messages: readonly Message[], signal: AbortSignal): Promise<Conclusion> {
    const ask =
      'The conversation is over. Answer with JSON: {"summary": one or two sentences, "outcome": one or two words, ' +
      `"variables": an object with what is known of ${JSON.stringify(this.context.variables)}}`;
    const response = await this.post(
      {
        messages: [
          { role: 'system', content: this.context.prompt },
          ...messages.map(chatMessage),
          { role: 'user', content: ask },
        ],
        response_format: { type: 'json_object' },
      },
      AbortSignal.any([signal, AbortSignal.timeout(10_000)]),
    );
    const body = (await response.json()) as Chunk & { choices?: { message?: { content?: unknown } }[] };
    this.count(body);
    const content = body.choices?.[0]?.message?.content;
    const written = new Thoughts().push(typeof content === 'string' ? content : '');
    // Some servers put the object between lines of Markdown.
    const answer = parseObject(written.slice(written.indexOf('{'), written.lastIndexOf('}') + 1));
    const variables =
      typeof answer.variables === 'object' && answer.variables !== null ? answer.variables : {};
    const found = Object.entries(variables).filter(
      ([name, value]) =>
        this.context.variables.includes(name) && ['string', 'number', 'boolean'].includes(typeof value),
    );
    return {
      summary: typeof answer.summary === 'string' ? answer.summary : '',
      outcome: typeof answer.outcome === 'string' ? answer.outcome : 'completed',
      variables: {
        ...Object.fromEntries(found.map(([name, value]) => [name, String(value)])),
        ...this.tools.noted,
      },
    };
  }

  /** One request, and a second one if the first failed. The second one continues what the first had begun to say. */
  private async *stream(
    messages: ChatMessage[],
    calls: ToolCall[],
    offersTools: boolean,
    signal: AbortSignal,
  ): AsyncIterable<AnswerPart> {
    let said = '';
    for (let attempt = 1; ; attempt++) {
      const chat =
        said === '' ? messages : [...messages, { role: 'assistant' as const, content: said }, GO_ON];
      try {
        for await (const part of this.request(chat, calls, offersTools, signal)) {
          if (part.type === 'text') said += part.text;
          yield part;
        }
        return;
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        if (attempt === 2) throw new BrainError(describeError(error));
        calls.length = 0;
      }
    }
  }

  private async *request(
    messages: ChatMessage[],
    calls: ToolCall[],
    offersTools: boolean,
    signal: AbortSignal,
  ): AsyncIterable<AnswerPart> {
    const late = new AbortController();
    const expectWithin = (ms: number) =>
      setTimeout(() => late.abort(new Error(`The model wrote no word for ${ms / 1_000} s`)), ms);
    let timer = expectWithin(this.limits.firstWordMs);
    try {
      const tools = offersTools ? { tools: this.tools.declarations(), tool_choice: 'auto' } : {};
      const response = await this.post(
        { messages, ...tools, stream: true, stream_options: { include_usage: true } },
        AbortSignal.any([signal, late.signal]),
      );
      if (!response.body) throw new Error('The model answered without a body');
      const thoughts = new Thoughts();
      let [length, received] = [0, 0];
      let lead = '';
      let finished = false;
      for await (const data of dataOfEvents(response.body)) {
        received += data.length;
        if (received > MAX_STREAM) throw new Error('The answer of the model is too large');
        if (data === '[DONE]') {
          finished = true;
          break;
        }
        const chunk = JSON.parse(data) as Chunk;
        if (chunk.error) throw new Error(`The model reported an error${codeIn(data)}`);
        this.count(chunk);
        const choice = chunk.choices?.[0];
        if (choice?.finish_reason) finished = true;
        for (const delta of choice?.delta?.tool_calls ?? []) collect(calls, delta);
        // Empty parts and punctuation alone do not extend the time limit.
        if (choice?.finish_reason || hasWords(writtenIn(choice?.delta))) {
          clearTimeout(timer);
          timer = expectWithin(this.limits.nextWordMs);
        }
        const text = lead + thoughts.push(choice?.delta?.content ?? '');
        // A request that wrote no word yet may be repeated, so nothing of it is passed on.
        lead = length === 0 && !hasWords(text) ? text : '';
        if (lead !== '' || text === '') continue;
        length += text.length;
        yield { type: 'text', text };
        if (length > MAX_ANSWER) return;
      }
      const last = lead + thoughts.flush();
      length += last.trim().length;
      if (last !== '') yield { type: 'text', text: last };
      if (!finished) throw new Error('The answer of the model ended too early');
      if (length === 0 && calls.length === 0) throw new Error('The model answered nothing');
    } finally {
      clearTimeout(timer);
    }
  }

  /** Some servers say the total only. */
  private count({ usage }: Chunk): void {
    const { total_tokens: total = 0, prompt_tokens: read, completion_tokens: written = 0 } = usage ?? {};
    this.usage.read += read ?? Math.max(0, total - written);
    this.usage.written += written;
  }

  private async post(body: object, signal: AbortSignal): Promise<Response> {
    const { baseUrl, apiKey, model, temperature, maxTokens } = this.model;
    const send = () =>
      fetch(`${baseUrl.replace(/\/$/, '')}/chat/completions`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}),
        },
        body: JSON.stringify({ model, temperature, [this.limitName]: maxTokens, ...body }),
        signal,
      });
    let response = await send();
    if (response.status === 400 && this.limitName === 'max_tokens') {
      const refusal = await readBeginning(response);
      if (!refusal.includes('max_completion_tokens')) throw createRefusal(400, refusal);
      this.limitName = 'max_completion_tokens';
      response = await send();
    }
    if (!response.ok) throw createRefusal(response.status, await readBeginning(response));
    return response;
  }
}

interface Chunk {
  error?: unknown;
  usage?: { total_tokens?: number; prompt_tokens?: number; completion_tokens?: number } | null;
  choices?: {
    finish_reason?: string | null;
    delta?: Delta;
  }[];
}

interface Delta {
  content?: string | null;
  /** The thoughts of a model have one of two names. */
  reasoning_content?: string | null;
  reasoning?: string | null;
  tool_calls?: ToolCallDelta[];
}

interface ToolCallDelta {
  index?: number;
  id?: string;
  function?: { name?: string; arguments?: string };
}

function writtenIn({ content, reasoning, reasoning_content, tool_calls = [] }: Delta = {}): string {
  const called = tool_calls.map(({ function: call }) => `${call?.name ?? ''}${call?.arguments ?? ''}`);
  return [content, reasoning, reasoning_content, ...called].join('');
}

/** Servers differ: some send no id, some send everything at once. */
function collect(calls: ToolCall[], { index = 0, id, function: called }: ToolCallDelta): void {
  const call = (calls[index] ??= { id: id || `call_${index}`, name: '', arguments: '' });
  if (id) call.id = id;
  if (called?.name) call.name = called.name;
  call.arguments += called?.arguments ?? '';
}

const createRefusal = (status: number, body: string) =>
  new Error(`The model answered ${status}${codeIn(body)}`);

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

/** The first bytes of a body, which says why a request was refused. */
async function readBeginning({ body }: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let length = 0;
  // Leaving the loop cancels the rest.
  for await (const part of body ?? []) {
    parts.push(part as Uint8Array);
    length += (part as Uint8Array).length;
    if (length >= MAX_REFUSAL_BYTES) break;
  }
  return Buffer.concat(parts).toString('utf8', 0, MAX_REFUSAL_BYTES);
}

const chatMessage = ({ role, text }: Message): ChatMessage => ({
  role: role === 'user' ? 'user' : 'assistant',
  content: text,
});

import { describeError } from '../errors';
import { type AnswerPart, type Brain, BrainError, type Conclusion, type Message, type Search } from './brain';
import { dataOfEvents } from './server-sent-events';

export interface ChatModel {
  /** Such as `https://api.openai.com/v1`. */
  baseUrl: string;
  apiKey: string;
  model: string;
  temperature: number;
  maxTokens: number;
}

export interface ChatContext {
  provider: string;
  prompt: string;
  variables: readonly string[];
  search?: Search;
}

const FIRST_PART_MS = 5_000;
const NEXT_PART_MS = 3_000;
const MAX_STEPS = 3;
const MAX_ANSWER = 8_000;

type ChatMessage =
  | { role: 'system' | 'user' | 'assistant'; content: string }
  | { role: 'assistant'; content: string | null; tool_calls: object[] }
  | { role: 'tool'; tool_call_id: string; content: string };

interface ToolCall {
  id: string;
  name: string;
  arguments: string;
}

/** A language model behind the chat completions of OpenAI, which many servers speak. */
export class ChatCompletionsBrain implements Brain {
  tokens = 0;
  readonly provider: string;
  private readonly variables: Record<string, string> = {};
  /** Newer models of OpenAI refuse `max_tokens`, and other servers do not know `max_completion_tokens`. */
  private limitName: 'max_tokens' | 'max_completion_tokens' = 'max_tokens';

  constructor(
    private readonly model: ChatModel,
    private readonly context: ChatContext,
  ) {
    this.provider = context.provider;
  }

  async *answer(messages: readonly Message[], signal: AbortSignal): AsyncIterable<AnswerPart> {
    const chat: ChatMessage[] = [
      { role: 'system', content: this.context.prompt },
      ...messages.map(chatMessage),
    ];
    for (let step = 0; step <= MAX_STEPS; step++) {
      const calls: ToolCall[] = [];
      // After the last step no tool is offered, so the model must answer.
      yield* this.stream(chat, calls, step < MAX_STEPS, signal);
      if (calls.length === 0) return;
      chat.push({
        role: 'assistant',
        content: null,
        tool_calls: calls.map(({ id, ...called }) => ({ id, type: 'function', function: called })),
      });
      let ends = false;
      for (const call of calls) {
        const { result, part } = await this.use(call);
        if (part.type === 'end') ends = true;
        yield part;
        chat.push({ role: 'tool', tool_call_id: call.id, content: JSON.stringify(result) });
      }
      if (ends) return;
    }
  }

  async conclude(messages: readonly Message[], signal: AbortSignal): Promise<Conclusion> {
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
    const body = (await response.json()) as { choices?: { message?: { content?: unknown } }[] };
    const content = body.choices?.[0]?.message?.content;
    const answer = parseObject(typeof content === 'string' ? content : '');
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
        ...this.variables,
      },
    };
  }

  /** One request, and a second one if the first failed before it said anything. */
  private async *stream(
    messages: ChatMessage[],
    calls: ToolCall[],
    offersTools: boolean,
    signal: AbortSignal,
  ): AsyncIterable<AnswerPart> {
    for (let attempt = 1; ; attempt++) {
      let said = false;
      try {
        for await (const part of this.request(messages, calls, offersTools, signal)) {
          said = true;
          yield part;
        }
        return;
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        const isFinal = error instanceof ModelRefusal && !error.mayPass;
        if (said || attempt === 2 || isFinal) throw new BrainError(describeError(error));
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
      setTimeout(() => late.abort(new Error(`The model sent nothing for ${ms / 1_000} s`)), ms);
    let timer = expectWithin(FIRST_PART_MS);
    try {
      const tools = offersTools ? { tools: this.tools(), tool_choice: 'auto' } : {};
      const response = await this.post(
        { messages, ...tools, stream: true, stream_options: { include_usage: true } },
        AbortSignal.any([signal, late.signal]),
      );
      if (!response.body) throw new Error('The model answered without a body');
      let length = 0;
      let finished = false;
      for await (const data of dataOfEvents(response.body)) {
        clearTimeout(timer);
        timer = expectWithin(NEXT_PART_MS);
        if (data === '[DONE]') {
          finished = true;
          break;
        }
        const chunk = JSON.parse(data) as Chunk;
        if (chunk.error) throw new Error(chunk.error.message ?? 'The model reported an error');
        this.tokens += chunk.usage?.total_tokens ?? 0;
        const choice = chunk.choices?.[0];
        if (choice?.finish_reason) finished = true;
        for (const delta of choice?.delta?.tool_calls ?? []) collect(calls, delta);
        const text = choice?.delta?.content;
        if (!text) continue;
        length += text.length;
        yield { type: 'text', text };
        if (length > MAX_ANSWER) return;
      }
      if (!finished) throw new Error('The answer of the model ended too early');
      if (length === 0 && calls.length === 0) throw new Error('The model answered nothing');
    } finally {
      clearTimeout(timer);
    }
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
      const refusal = await response.text();
      if (!refusal.includes('max_completion_tokens')) throw new ModelRefusal(400, refusal);
      this.limitName = 'max_completion_tokens';
      response = await send();
    }
    if (!response.ok) throw new ModelRefusal(response.status, await response.text());
    return response;
  }

  private tools(): object[] {
    const tool = (name: string, description: string, properties: Record<string, object>) => ({
      type: 'function',
      function: {
        name,
        description,
        parameters: { type: 'object', properties, required: Object.keys(properties) },
      },
    });
    const text = { type: 'string' };
    const { search, variables } = this.context;
    return [
      tool('end_call', 'Ends the call, after you have said goodbye.', {}),
      ...(search ? [tool('search_knowledge', 'Finds passages in the documents.', { query: text })] : []),
      ...(variables.length > 0
        ? [tool('note_variable', 'Notes what the person said.', { name: { enum: variables }, value: text })]
        : []),
    ];
  }

  private async use({ name, arguments: written }: ToolCall): Promise<{ result: unknown; part: AnswerPart }> {
    if (name === 'end_call') return { result: {}, part: { type: 'end' } };
    let given: Record<string, unknown> = {};
    let result: unknown;
    try {
      given = parseObject(written || '{}');
      const { query, name: variable, value } = given;
      if (
        name === 'note_variable' &&
        typeof variable === 'string' &&
        this.context.variables.includes(variable)
      ) {
        this.variables[variable] = String(value);
        return { result: { noted: true }, part: { type: 'variable', name: variable, value: String(value) } };
      }
      result =
        name === 'search_knowledge' && this.context.search
          ? await this.context.search(String(query))
          : { error: `There is no tool ${name} for that` };
    } catch (error) {
      result = { error: describeError(error) };
    }
    return { result, part: { type: 'tool', name, arguments: given, result } };
  }
}

interface Chunk {
  error?: { message?: string };
  usage?: { total_tokens?: number } | null;
  choices?: {
    finish_reason?: string | null;
    delta?: { content?: string | null; tool_calls?: ToolCallDelta[] };
  }[];
}

interface ToolCallDelta {
  index?: number;
  id?: string;
  function?: { name?: string; arguments?: string };
}

/** Servers differ: some send no id, some send everything at once. */
function collect(calls: ToolCall[], { index = 0, id, function: called }: ToolCallDelta): void {
  const call = (calls[index] ??= { id: id || `call_${index}`, name: '', arguments: '' });
  if (id) call.id = id;
  if (called?.name) call.name = called.name;
  call.arguments += called?.arguments ?? '';
}

class ModelRefusal extends Error {
  readonly mayPass: boolean;

  constructor(status: number, body: string) {
    let message = body.slice(0, 200);
    try {
      const { error } = JSON.parse(body) as { error?: { message?: string } | string };
      message = (typeof error === 'string' ? error : error?.message) ?? message;
    } catch {
      // The body is a plain text, or a page.
    }
    super(`The model answered ${status}: ${message}`);
    this.mayPass = status === 429 || status >= 500;
  }
}

const chatMessage = ({ role, text }: Message): ChatMessage => ({
  role: role === 'user' ? 'user' : 'assistant',
  content: text,
});

function parseObject(text: string): Record<string, unknown> {
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error('This is not an object');
  return value as Record<string, unknown>;
}

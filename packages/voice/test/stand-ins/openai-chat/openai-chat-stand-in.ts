import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { findWrong, type Refusal, toMembers } from './rules';

export type ModelPart =
  | { type: 'text'; text: string }
  | { type: 'tool'; name: string; arguments: object }
  /** The connection is lost. */
  | { type: 'cut' }
  /** The model writes no more. */
  | { type: 'stall' }
  /** The model writes this text over and over. */
  | { type: 'endless'; text: string }
  | { type: 'error'; code: string; message: string };

/** A fault of one request. Each is used once. */
export interface ChatFault {
  refuses: number;
  code?: string;
  message?: string;
  /** In seconds. */
  retryAfter?: string;
}

/** The answer of a server that differs from the reference, byte by byte. */
export type ForeignAnswer = (response: ServerResponse) => void;

export interface ChatRequest {
  model: string;
  temperature?: number;
  max_tokens?: number;
  seed?: number;
  max_completion_tokens?: number;
  stream?: boolean;
  stream_options?: { include_usage?: boolean };
  tools?: { function: { name: string } }[];
  tool_choice?: unknown;
  messages: { role: string; content: string | null; tool_call_id?: string; tool_calls?: object[] }[];
  authorization?: string;
}

const ENDLESS_MS = 20;
const CONCLUSION = JSON.stringify({ summary: 'Done.', outcome: 'completed', variables: {} });

/** The chat completions of OpenAI, as their reference says. A word is a token. */
export class OpenAiChatStandIn {
  /** undefined: a server without keys */
  apiKey?: string = 'sk-chat-1';
  /** The requests that were not refused. */
  readonly requests: ChatRequest[] = [];
  /** All requests. */
  received = 0;
  /** The requests that the documents do not allow. */
  readonly complaints: Refusal[] = [];
  readonly faults: ChatFault[] = [];
  /** The milliseconds for which the next requests wait. */
  readonly delays: number[] = [];
  /** The answers of the model, then "Goodbye." */
  readonly answers: (ModelPart[] | ForeignAnswer)[] = [];
  /** Decides on an answer by the messages, if there is none in {@link answers}. */
  policy?: (request: ChatRequest) => ModelPart[];
  /** The answers that are not streamed, then a summary. */
  readonly conclusions: (string | ForeignAnswer)[] = [];
  /** The tokens of the answers that were complete. */
  readonly charged = { read: 0, written: 0 };
  /** Requests that the client ended before their end. */
  aborted = 0;
  private readonly server: Server;
  private counted = 0;

  private constructor() {
    this.server = createServer((request, response) => {
      this.answer(request, response).catch(() => response.destroy());
    });
  }

  static async listen(answers: (ModelPart[] | ForeignAnswer)[] = []): Promise<OpenAiChatStandIn> {
    const chat = new OpenAiChatStandIn();
    chat.answers.push(...answers);
    chat.server.listen(0, '127.0.0.1');
    await once(chat.server, 'listening');
    return chat;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  /** The address and the key, by the agent's word for the provider. */
  get models() {
    return new Map([['openai', { baseUrl: this.baseUrl, apiKey: this.apiKey ?? '' }]]);
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = Buffer.concat((await request.toArray()) as Buffer[]).toString();
    const { authorization } = request.headers;
    this.received++;
    const delay = this.delays.shift();
    if (delay !== undefined) await pause(delay);
    const fault = this.faults.shift();
    const refusal = fault ? toRefusal(fault) : (this.findKeyRefusal(authorization) ?? findIn(request, text));
    if (refusal) {
      if (!fault && refusal.status !== 401) this.complaints.push(refusal);
      const { status, ...error } = refusal;
      const type = status === 429 ? 'requests' : status >= 500 ? 'server_error' : 'invalid_request_error';
      const headers = fault?.retryAfter === undefined ? {} : { 'retry-after': fault.retryAfter };
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      return void response.end(JSON.stringify({ error: { type, ...error } }));
    }
    const body = JSON.parse(text) as ChatRequest;
    this.requests.push({ ...body, authorization });
    response.once('close', () => {
      if (!response.writableFinished) this.aborted++;
    });
    const read = countWords(JSON.stringify([body.messages, body.tools]));
    if (body.stream !== true) return this.complete(body, read, response);
    const chosen = this.answers.shift() ?? this.policy?.(body) ?? [{ type: 'text', text: 'Goodbye.' }];
    if (typeof chosen === 'function') return chosen(response);
    this.stream(body, chosen, read, response);
  }

  private findKeyRefusal(authorization: string | undefined): Refusal | undefined {
    const [status, param] = [401, null];
    if (this.apiKey === undefined || authorization === `Bearer ${this.apiKey}`) return undefined;
    const [, key] = /^Bearer (.+)$/.exec(authorization ?? '') ?? [];
    return key === undefined
      ? { status, param, code: null, message: "You didn't provide an API key." }
      : { status, param, code: 'invalid_api_key', message: `Incorrect API key provided: ${key}.` };
  }

  private complete({ model }: ChatRequest, read: number, response: ServerResponse): void {
    const content = this.conclusions.shift() ?? CONCLUSION;
    if (typeof content === 'function') return content(response);
    const completion = {
      ...{ id: `chatcmpl-${++this.counted}`, object: 'chat.completion', created: 1_790_000_000, model },
      choices: [{ index: 0, message: { role: 'assistant', content, refusal: null }, finish_reason: 'stop' }],
      usage: this.charge(read, countWords(content)),
    };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(completion));
  }

  private stream(
    { model, stream_options: options }: ChatRequest,
    parts: readonly ModelPart[],
    read: number,
    response: ServerResponse,
  ): void {
    const saysUsage = options?.include_usage === true;
    const id = `chatcmpl-${++this.counted}`;
    const about = { id, object: 'chat.completion.chunk', created: 1_790_000_000, model };
    const send = (members: object) => {
      const chunk = { ...about, ...(saysUsage && { usage: null }), ...members };
      response.write(`data: ${JSON.stringify(chunk)}\n\n`);
    };
    const write = (delta: object, finish_reason: string | null = null) =>
      send({ choices: [{ index: 0, delta, logprobs: null, finish_reason }] });
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    write({ role: 'assistant', content: '', refusal: null });
    let [tools, written] = [0, 0];
    for (const part of parts) {
      if (part.type === 'cut') return void setImmediate(() => response.destroy());
      if (part.type === 'stall') return;
      if (part.type === 'error') {
        const { code, message } = part;
        response.end(`data: ${JSON.stringify({ error: { code, message, type: 'server_error' } })}\n\n`);
        return;
      }
      if (part.type === 'endless') {
        const timer = setInterval(() => write({ content: part.text }), ENDLESS_MS);
        return void response.once('close', () => clearInterval(timer));
      }
      if (part.type === 'tool') written += this.call(part, tools++, write);
      else {
        written += countWords(part.text);
        for (const piece of part.text.match(/\s*\S+|\s+$/g) ?? []) write({ content: piece });
      }
    }
    write({}, tools > 0 ? 'tool_calls' : 'stop');
    const usage = this.charge(read, written);
    if (saysUsage) send({ choices: [], usage });
    response.end('data: [DONE]\n\n');
  }

  /** A call of a tool, whose arguments come in pieces. @returns its tokens */
  private call(
    part: Extract<ModelPart, { type: 'tool' }>,
    index: number,
    write: (delta: object) => void,
  ): number {
    const given = JSON.stringify(part.arguments);
    const called = { name: part.name, arguments: '' };
    const id = `call_${++this.counted}`;
    write({ tool_calls: [{ index, id, type: 'function', function: called }] });
    for (const piece of given.match(/.{1,8}/gs) ?? [])
      write({ tool_calls: [{ index, function: { arguments: piece } }] });
    return 1 + countWords(given);
  }

  private charge(read: number, written: number) {
    this.charged.read += read;
    this.charged.written += written;
    return { prompt_tokens: read, completion_tokens: written, total_tokens: read + written };
  }
}

function toRefusal({ refuses: status, code, message = 'No' }: ChatFault): Refusal {
  return { status, code: code ?? null, param: null, message };
}

function findIn({ method, url, headers }: IncomingMessage, text: string): Refusal | undefined {
  const refuse = (status: number, message: string) => ({ status, code: null, param: null, message });
  if (url !== '/v1/chat/completions') return refuse(404, `Invalid URL (${method} ${url})`);
  if (method !== 'POST') return refuse(405, `Not allowed to ${method} on ${url}`);
  if (!/^application\/json\b/.test(headers['content-type'] ?? ''))
    return refuse(400, 'Invalid Content-Type header, expected application/json.');
  try {
    const body: unknown = JSON.parse(text);
    return findWrong(toMembers(body));
  } catch {
    return refuse(400, 'We could not parse the JSON body of your request.');
  }
}

const countWords = (text: string) => text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;

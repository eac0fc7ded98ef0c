import {
  type CallToolResult,
  Client,
  type FetchLike,
  ProtocolError,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { shorten } from '@parley/worker';
import { fetch as fetchGuarded } from 'undici';
import { CONFIG, type Config } from '../../config';
import { outboundAgent } from '../../platform/outbound-http/outbound-agent';
import {
  answersWithStatus,
  toOutboundRequestError,
} from '../../platform/outbound-http/outbound-request.error';
import { type AddressRule, createAddressRule } from '../../platform/outbound-http/public-address';
import { MAX_BODY_BYTES, type ToolAnswer, type ToolFailure } from './tool-client';

/** The bytes of one answer of a server that are read: a list of tools, or a result as structure and as text. */
const MAX_ANSWER_BYTES = 1024 * 1024;

/** The pages of a list of tools that are read. */
const MAX_PAGES = 10;

export interface McpServer {
  url: string;
  /** The headers of a request with this body. */
  getHeaders: (body: string) => Record<string, string>;
}

/** A tool as its server describes it. */
export interface DescribedTool {
  name: string;
  description: string;
  parameters: Record<string, unknown>;
  annotations: { readOnlyHint?: boolean; idempotentHint?: boolean };
}

/** The result of a tool, as JSON or as its texts. */
export interface McpResult {
  text: string;
  /** Whether the tool says that it was not done. */
  isError: boolean;
}

/** The facts about the last HTTP request, which the errors of the library do not tell. */
interface Progress {
  isConnected: boolean;
  answer: Response | undefined;
  isTooLarge: boolean;
  error: unknown;
}

/**
 * Speaks the Model Context Protocol with servers that users name, over streamable HTTP and never to a private address. A
 * connection is for one list or one call: a server has no way to send anything else.
 */
@Injectable()
export class McpClient implements OnApplicationShutdown {
  private readonly stopping = new AbortController();
  private readonly isAddressAllowed: AddressRule;

  constructor(@Inject(CONFIG) config: Config) {
    this.isAddressAllowed = createAddressRule(config);
  }

  onApplicationShutdown(): void {
    this.stopping.abort();
  }

  /** @returns the tools, or why they cannot be listed */
  async listTools(server: McpServer, timeoutMs: number): Promise<DescribedTool[] | ToolFailure> {
    return this.connected(server, timeoutMs, async (client, options) => {
      const tools: DescribedTool[] = [];
      let cursor: string | undefined;
      for (let pages = 0; pages < MAX_PAGES; pages += 1) {
        const page = await client.request({ method: 'tools/list', params: { cursor } }, options);
        for (const { name, description = '', inputSchema, annotations = {} } of page.tools)
          tools.push({ name, description, parameters: inputSchema, annotations: pickHints(annotations) });
        cursor = page.nextCursor;
        if (cursor === undefined) break;
      }
      return tools;
    });
  }

  /** @returns undefined if this server stops before the answer */
  async call(
    server: McpServer,
    { name, arguments: given }: { name: string; arguments: Record<string, unknown> },
    timeoutMs: number,
  ): Promise<McpResult | ToolAnswer | ToolFailure | undefined> {
    let wasAsked = false;
    const outcome = await this.connected(server, timeoutMs, async (client, options, progress) => {
      wasAsked = true;
      try {
        const params = { name, arguments: given };
        return toResult(await client.request({ method: 'tools/call', params }, options));
      } catch (error) {
        const result = readFailure(error, progress);
        if (result) return result;
        throw error;
      }
    });
    if (this.stopping.signal.aborted) return undefined;
    // Before the tool was asked for, nothing can have been done.
    return 'wasSent' in outcome ? { ...outcome, wasSent: wasAsked && outcome.wasSent } : outcome;
  }

  private async connected<Result>(
    { url, getHeaders }: McpServer,
    timeoutMs: number,
    work: (client: Client, options: object, progress: Progress) => Promise<Result>,
  ): Promise<Result | ToolFailure> {
    const progress = createProgress();
    const agent = outboundAgent({
      isAddressAllowed: this.isAddressAllowed,
      connectTimeoutMs: timeoutMs,
      onConnected: () => (progress.isConnected = true),
    });
    const time = AbortSignal.timeout(timeoutMs);
    const enough = new AbortController();
    const signal = AbortSignal.any([time, enough.signal, this.stopping.signal]);
    const send: FetchLike = async (address, { method = 'GET', headers, body: content } = {}) => {
      // A stream of what a server sends without a request is not read.
      if (method === 'GET') return new Response(null, { status: 405 });
      // A notification, such as that a request was given up, says nothing about the request.
      const body = typeof content === 'string' ? content : '';
      const facts = isNotification(body) ? createProgress() : progress;
      Object.assign(facts, createProgress());
      try {
        const answer = await fetchGuarded(address, {
          ...{ method, body: body || null, dispatcher: agent, redirect: 'manual', signal },
          headers: { ...getHeaders(body), ...Object.fromEntries(new Headers(headers)) },
        });
        facts.answer = limitBody(answer, () => {
          facts.isTooLarge = true;
          enough.abort();
        });
        return facts.answer;
      } catch (error) {
        facts.error = (error as Error).cause ?? error;
        throw error;
      }
    };
    const transport = new StreamableHTTPClientTransport(new URL(url), {
      fetch: send,
      // With another value the library would follow a redirect by itself.
      requestInit: { redirect: 'manual' },
      reconnectionOptions: {
        ...{ initialReconnectionDelay: 1, maxReconnectionDelay: 1, reconnectionDelayGrowFactor: 1 },
        maxRetries: 0,
      },
    });
    const client = new Client({ name: 'parley', version: '1' });
    const options = { signal, timeout: timeoutMs };
    try {
      await client.connect(transport, options);
      return await work(client, options, progress);
    } catch (error) {
      const { error: cause = error, answer, isConnected } = progress;
      const isAnswered = answer && !time.aborted;
      const known = isAnswered ? null : toOutboundRequestError(cause, { signal: time, timeoutMs });
      return { wasSent: isConnected, message: known?.message ?? describe(cause, answer) };
    } finally {
      // A server that keeps sessions forgets this one; nobody waits for it.
      await client.close().catch(() => undefined);
      await agent.destroy();
    }
  }
}

const createProgress = (): Progress => ({
  ...{ isConnected: false, isTooLarge: false, answer: undefined, error: undefined },
});

const isNotification = (body: string) =>
  body !== '' && (JSON.parse(body) as { id?: unknown }).id === undefined;

/** Fails the body of an answer that is too large. */
function limitBody(answer: Response, onTooLarge: () => void): Response {
  if (!answer.body) return answer;
  let bytes = 0;
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      bytes += chunk.length;
      if (bytes <= MAX_ANSWER_BYTES) return controller.enqueue(chunk);
      onTooLarge();
      controller.error(new Error('The answer is too large'));
    },
  });
  return new Response(answer.body.pipeThrough(limit), { status: answer.status, headers: answer.headers });
}

const pickHints = ({ readOnlyHint, idempotentHint }: DescribedTool['annotations']) => ({
  ...(readOnlyHint !== undefined && { readOnlyHint }),
  ...(idempotentHint !== undefined && { idempotentHint }),
});

function toResult({ structuredContent, content, isError = false }: CallToolResult): McpResult {
  const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  const isStructured = structuredContent !== undefined && !isError;
  return { text: isStructured ? JSON.stringify(structuredContent) : texts.join('\n'), isError };
}

/** @returns what an answer says that is no result. undefined: no answer came */
function readFailure(error: unknown, { answer, isTooLarge }: Progress): McpResult | ToolAnswer | undefined {
  if (!answer) return undefined;
  if (error instanceof ProtocolError) return { text: error.message, isError: true };
  const { status, headers, ok } = answer;
  const isStream = headers.get('content-type')?.startsWith('text/event-stream');
  if (isTooLarge) return { text: ' '.repeat(MAX_BODY_BYTES + 1), isError: false };
  if (ok && isStream) return undefined;
  return { status, retryAfter: headers.get('retry-after') ?? undefined, text: undefined };
}

const describe = (error: unknown, answer: Response | undefined) =>
  answer && !answer.ok
    ? answersWithStatus(answer.status)
    : `it does not speak the Model Context Protocol (${shorten(String((error as Error).message), 200)})`;

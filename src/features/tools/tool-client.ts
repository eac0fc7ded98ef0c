import type { OnApplicationShutdown } from '@nestjs/common';
import type { ToolMethod } from './tool-definition';
import { type Dispatcher, request } from 'undici';
import { outboundAgent } from '../../platform/outbound-http/outbound-agent';
import { toOutboundRequestError } from '../../platform/outbound-http/outbound-request.error';
import type { AddressRule } from '../../platform/outbound-http/public-address';
import { rejectOnAbort } from '../../platform/outbound-http/reject-on-abort';

export const MAX_BODY_BYTES = 64 * 1024;

export interface ToolRequest {
  url: string;
  method: ToolMethod;
  headers: Record<string, string>;
  /** undefined: the arguments are in the query */
  body: string | undefined;
}

export interface ToolAnswer {
  status: number;
  /** The value of `Retry-After`. */
  retryAfter: string | undefined;
  /** Its body, or a little more than is kept of a larger one. undefined: it is broken */
  text: string | undefined;
}

export interface ToolFailure {
  /** Whether the request may have arrived. */
  wasSent: boolean;
  message: string;
}

/** Sends each request on a connection of its own, never to a private address. Redirects are not followed. */
export class ToolClient implements OnApplicationShutdown {
  private readonly stopping = new AbortController();

  constructor(private readonly isAddressAllowed: AddressRule) {}

  onApplicationShutdown(): void {
    this.stopping.abort();
  }

  /** @returns undefined if the server stops before the answer */
  async send(
    { url, method, headers, body }: ToolRequest,
    timeoutMs: number,
  ): Promise<ToolAnswer | ToolFailure | undefined> {
    let isConnected = false;
    const agent = outboundAgent({
      isAddressAllowed: this.isAddressAllowed,
      connectTimeoutMs: timeoutMs,
      onConnected: () => (isConnected = true),
    });
    const time = AbortSignal.timeout(timeoutMs);
    const signal = AbortSignal.any([time, this.stopping.signal]);
    try {
      const pending = request(url, { method, headers, body: body ?? null, dispatcher: agent, signal });
      return await readAnswer(await Promise.race([pending, rejectOnAbort(signal)]), signal);
    } catch (error) {
      if (this.stopping.signal.aborted) return undefined;
      const { message } = toOutboundRequestError(error, { signal: time, timeoutMs }) ?? {
        message: `it cannot be reached (${String(error)})`,
      };
      return { wasSent: isConnected, message };
    } finally {
      await agent.destroy();
    }
  }
}

async function readAnswer(
  { statusCode, headers, body }: Dispatcher.ResponseData,
  signal: AbortSignal,
): Promise<ToolAnswer> {
  const text = await readStart(body, signal).catch(() => undefined);
  return { status: statusCode, retryAfter: headers['retry-after']?.toString(), text };
}

/** Reads a little more than is kept. @throws if the body is cut */
async function readStart(body: AsyncIterable<Buffer>, signal: AbortSignal): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    signal.throwIfAborted();
    chunks.push(chunk);
    size += chunk.length;
    if (size > MAX_BODY_BYTES) break;
  }
  return new TextDecoder('utf-8', { fatal: size <= MAX_BODY_BYTES }).decode(Buffer.concat(chunks));
}

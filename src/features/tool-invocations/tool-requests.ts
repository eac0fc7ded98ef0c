import { Injectable } from '@nestjs/common';
import { McpClient, type McpResult } from '../tools/mcp-client';
import { type ToolAnswer, ToolClient, type ToolFailure } from '../tools/tool-client';
import { createHeaders, createToolRequest, listArguments, type WorkToSend } from './tool-request';

/** A shorter value is a common word, or a part of one. */
const MIN_SECRET_LENGTH = 8;

/** Replaces the secrets of a tool by their names, because an answer goes to the model and is kept with the call. */
function withoutSecrets(text: string, secrets: Record<string, string>): string {
  return Object.entries(secrets)
    .filter(([, value]) => value.length >= MIN_SECRET_LENGTH)
    .flatMap(([name, value]) =>
      [value, JSON.stringify(value).slice(1, -1)].map((shown) => [name, shown] as const),
    )
    .reduce((shown, [name, value]) => shown.replaceAll(value, `[${name}]`), text);
}

/** Sends the request of an invocation to the address of its tool, or to its server. */
@Injectable()
export class ToolRequests {
  constructor(
    private readonly client: ToolClient,
    private readonly servers: McpClient,
  ) {}

  /**
   * @param signing the secrets of the workspace
   * @param more further headers
   * @returns undefined if this server stops before the answer
   */
  async send(
    work: WorkToSend,
    signing: string[],
    timeoutMs: number,
    more: Record<string, string> = {},
  ): Promise<ToolAnswer | ToolFailure | McpResult | undefined> {
    const answer = await this.ask(work, signing, timeoutMs, more);
    return answer && 'text' in answer && answer.text !== undefined
      ? { ...answer, text: withoutSecrets(answer.text, work.secrets ?? {}) }
      : answer;
  }

  private ask(work: WorkToSend, signing: string[], timeoutMs: number, more: Record<string, string>) {
    const { url, server_tool: name } = work.tool;
    if (name === null) {
      const request = createToolRequest(work, signing);
      return this.client.send({ ...request, headers: { ...request.headers, ...more } }, timeoutMs);
    }
    const getHeaders = (body: string) => ({ ...createHeaders(work, signing, body), ...more });
    return this.servers.call({ url, getHeaders }, { name, arguments: listArguments(work) }, timeoutMs);
  }
}

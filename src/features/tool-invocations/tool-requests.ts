import { Injectable } from '@nestjs/common';
import { McpClient, type McpResult } from '../tools/mcp-client';
import { type ToolAnswer, ToolClient, type ToolFailure } from '../tools/tool-client';
import { createHeaders, createToolRequest, listArguments, type WorkToSend } from './tool-request';

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
  send(
    work: WorkToSend,
    signing: string[],
    timeoutMs: number,
    more: Record<string, string> = {},
  ): Promise<ToolAnswer | ToolFailure | McpResult | undefined> {
    const { url, server_tool: name } = work.tool;
    if (name === null) {
      const request = createToolRequest(work, signing);
      return this.client.send({ ...request, headers: { ...request.headers, ...more } }, timeoutMs);
    }
    const getHeaders = (body: string) => ({ ...createHeaders(work, signing, body), ...more });
    return this.servers.call({ url, getHeaders }, { name, arguments: listArguments(work) }, timeoutMs);
  }
}

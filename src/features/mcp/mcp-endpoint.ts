import { createMcpHandler, type McpHttpHandler, McpServer } from '@modelcontextprotocol/server';
import { Injectable } from '@nestjs/common';
import type { Request as HttpRequest } from 'express';
import { agentsInScope, mayActOverMcp } from '../../platform/http/access';
import { getAbortSignal } from '../../platform/http/client-abort-signal';
import { ActingTools } from './acting-tools';
import { AgentTools } from './agent-tools';
import { CallTools } from './call-tools';
import { CampaignTools } from './campaign-tools';
import { INSTRUCTIONS, limitInstructions } from './instructions';
import { ReportTools } from './report-tools';
import type { Tool, ToolRequest } from './tool';
import { showArguments } from './tool-arguments';
import { ToolRunner } from './tool-runner';

const SERVER = { name: 'parley', title: 'Parley', version: '1' };

/** Nothing that is listed changes, so no notice of a change is announced. */
const CAPABILITIES = { tools: { listChanged: false } };

/** The headers that the protocol reads. Those with credentials stay outside. */
const HEADERS = [
  'accept',
  'content-type',
  'mcp-protocol-version',
  'mcp-session-id',
  'mcp-method',
  'mcp-name',
];

/** Answers requests of the Model Context Protocol. Each has a server of its own, so nothing is kept between them. */
@Injectable()
export class McpEndpoint {
  private readonly tools: Tool[];
  private readonly handler: McpHttpHandler;

  constructor(
    calls: CallTools,
    reports: ReportTools,
    agents: AgentTools,
    campaigns: CampaignTools,
    acting: ActingTools,
    private readonly runner: ToolRunner,
  ) {
    this.tools = [calls, reports, agents, campaigns, acting].flatMap((set) => set.tools);
    this.handler = createMcpHandler(
      ({ authInfo }) => this.createServer(authInfo?.extra?.request as ToolRequest),
      // Nothing that is listed changes, so no stream of changes is opened.
      { maxSubscriptions: 0 },
    );
  }

  async answer(http: HttpRequest, message: object, request: ToolRequest): Promise<Response> {
    const headers = Object.fromEntries(
      Object.entries(http.headers).filter(
        (entry): entry is [string, string] => HEADERS.includes(entry[0]) && typeof entry[1] === 'string',
      ),
    );
    return this.handler.fetch(
      new Request('http://localhost/mcp', {
        method: 'POST',
        headers,
        signal: getAbortSignal(request.response),
      }),
      // The guard has authenticated the request. The library only passes this on.
      { parsedBody: message, authInfo: { token: '', clientId: '', scopes: [], extra: { request } } },
    );
  }

  private createServer(request: ToolRequest): McpServer {
    const agents = agentsInScope(request.caller);
    const instructions = agents ? `${INSTRUCTIONS} ${limitInstructions(agents)}` : INSTRUCTIONS;
    const server = new McpServer(SERVER, { instructions, capabilities: CAPABILITIES });
    const mayAct = mayActOverMcp(request.caller);
    for (const tool of this.tools) {
      if (tool.change && !mayAct) continue;
      server.registerTool(
        tool.name,
        {
          title: tool.title,
          description: tool.description,
          inputSchema: showArguments(tool.input),
          outputSchema: tool.output,
          annotations: {
            readOnlyHint: tool.change === undefined,
            destructiveHint: tool.isDestructive ?? false,
            idempotentHint: tool.change === undefined || (tool.isIdempotent ?? false),
            openWorldHint: tool.name === 'start_call' || tool.name === 'resume_campaign',
          },
        },
        (given: unknown) => this.runner.run(tool, given, request),
      );
    }
    return server;
  }
}

import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

type Described = Parameters<McpServer['registerTool']>[1];
type Run = (given: Record<string, unknown>) => unknown;

export interface ServedTool extends Described {
  name: string;
  run: Run;
}

/** A JSON Schema as the library takes it. */
export const toSchema = (schema: object) =>
  ({
    '~standard': {
      ...{ version: 1, vendor: 'test', validate: (value: unknown) => ({ value }) },
      jsonSchema: { input: () => schema, output: () => schema },
    },
  }) as never;

/** A server of the Model Context Protocol, made with its official library, whose answers to calls a test may replace. */
export class ToolServer {
  /** The requests for tools, with their headers and arguments. */
  readonly calls: {
    headers: IncomingMessage['headers'];
    body: string;
    arguments: Record<string, unknown>;
  }[] = [];
  tools: ServedTool[] = [];
  /** Answers the next requests for tools instead, one after the other. */
  readonly instead: ((response: ServerResponse) => void)[] = [];
  private readonly handler = createMcpHandler(() => this.createServer(), { maxSubscriptions: 0 });

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(): Promise<ToolServer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const tools = new ToolServer(server, `http://127.0.0.1:${port}/mcp`);
    server.on('request', (request, response) => void tools.answer(request, response));
    return tools;
  }

  stop(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  private createServer(): McpServer {
    const server = new McpServer({ name: 'shop', version: '1' }, { capabilities: { tools: {} } });
    for (const { name, run, ...described } of this.tools)
      server.registerTool(name, described, ((given: Record<string, unknown>) => run(given)) as never);
    return server;
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const message =
      body === '' ? {} : (JSON.parse(body) as { method?: string; params?: { arguments?: object } });
    if (message.method === 'tools/call') {
      const given = { ...message.params?.arguments } as Record<string, unknown>;
      this.calls.push({ headers: request.headers, body, arguments: given });
      const instead = this.instead.shift();
      if (instead) return instead(response);
    }
    const answer = await this.handler.fetch(
      new Request(this.url, {
        method: request.method,
        headers: request.headers as Record<string, string>,
        ...(body !== '' && { body }),
      }),
    );
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
  }
}

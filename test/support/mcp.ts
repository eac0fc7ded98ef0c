import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

/** The revisions of the protocol: one without a handshake and one that begins with `initialize`. */
export const REVISIONS = {
  '2026-07-28': { pin: '2026-07-28' },
  '2025-11-25': 'legacy',
} as const;
export type Revision = keyof typeof REVISIONS;

/** The answer of a tool. */
export interface ToolAnswer {
  isError: boolean;
  text: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into results of every shape
  data: any;
}

/** The official client of the protocol, with one credential. */
export class McpClient {
  private constructor(readonly client: Client) {}

  static async connect(
    url: string,
    headers: Record<string, string>,
    revision: Revision = '2026-07-28',
  ): Promise<McpClient> {
    const client = new Client(
      { name: 'test', version: '1' },
      { versionNegotiation: { mode: REVISIONS[revision] } },
    );
    const transport = new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit: { headers } });
    await client.connect(transport);
    return new McpClient(client);
  }

  async toolNames(): Promise<string[]> {
    return (await this.client.listTools()).tools.map(({ name }) => name);
  }

  async call(name: string, args: Record<string, unknown> = {}): Promise<ToolAnswer> {
    const {
      isError = false,
      content,
      structuredContent,
    } = await this.client.callTool({ name, arguments: args });
    const [first] = content;
    return { isError, text: first?.type === 'text' ? first.text : '', data: structuredContent };
  }

  /** Calls a tool, which must succeed. @returns its structured result */
  async use(name: string, args: Record<string, unknown> = {}): Promise<ToolAnswer['data']> {
    const { isError, text, data } = await this.call(name, args);
    if (isError) throw new Error(`${name} was refused: ${text}`);
    return data;
  }

  close(): Promise<void> {
    return this.client.close();
  }
}

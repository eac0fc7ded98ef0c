import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

/** The revisions of the protocol: one without a handshake and one that begins with `initialize`. */
export const REVISIONS = {
  '2026-07-28': { pin: '2026-07-28' },
  '2025-11-25': 'legacy',
} as const;
export type Revision = keyof typeof REVISIONS;

/** The way in which a client finds the revision, and the revisions that it knows. Default: those of its library. */
export type Negotiation = Pick<ClientOptions, 'versionNegotiation' | 'supportedProtocolVersions'>;

const pin = (revision: Revision): Negotiation => ({ versionNegotiation: { mode: REVISIONS[revision] } });

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
    wanted: Revision | Negotiation = '2026-07-28',
  ): Promise<McpClient> {
    const negotiation = typeof wanted === 'string' ? pin(wanted) : wanted;
    const client = new Client({ name: 'test', version: '1' }, negotiation);
    const transport = new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit: { headers } });
    await client.connect(transport);
    return new McpClient(client);
  }

  async toolNames(): Promise<string[]> {
    return (await this.client.listTools()).tools.map(({ name }) => name);
  }

  async call(
    name: string,
    args: Record<string, unknown> = {},
    options: { signal?: AbortSignal } = {},
  ): Promise<ToolAnswer> {
    const {
      isError = false,
      content,
      structuredContent,
    } = await this.client.callTool({ name, arguments: args }, options);
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

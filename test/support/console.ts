import type { BrowserContext, Page } from 'playwright-core';
import { freePorts } from '../../launch/process/free-ports.cjs';
import { TestBrowser } from './browser';
import type { ApiClient } from './client';
import { createDatabase } from './database';
import { OperatorProcess } from './operator-process';
import { ServerProcess } from './server-process';

const JWT_SECRET = 'a secret of thirty-two bytes or more';

/** A server with a workspace, a browser, and a user who signs in by links of the operator. */
export class TestConsole {
  private constructor(
    readonly server: ServerProcess,
    readonly browser: TestBrowser,
    readonly operator: OperatorProcess,
    readonly workspaceId: string,
    readonly api: ApiClient,
    private readonly apiKey: string,
  ) {}

  static async start(settings: Record<string, string> = {}, ofBrowser: string[] = []): Promise<TestConsole> {
    const { url: DATABASE_URL } = await createDatabase();
    // The simulated runtime reports its recordings under an address that is known before the start.
    const [port] = await freePorts(1);
    const server = await ServerProcess.start({ DATABASE_URL, JWT_SECRET, PORT: String(port), ...settings });
    const { demo } = server;
    if (!demo) throw new Error('The server has created no workspace.');
    const operator = new OperatorProcess({ DATABASE_URL, JWT_SECRET, PUBLIC_URL: server.url });
    const api = server.api.with({ 'x-api-key': demo.apiKey });
    const browser = await TestBrowser.start(ofBrowser);
    return new TestConsole(server, browser, operator, demo.workspaceId, api, demo.apiKey);
  }

  /** A link that signs in once. */
  async signInLink(workspaceId = this.workspaceId): Promise<string> {
    const { url } = (await this.operator.json('console', 'link', '--workspace', workspaceId)) as {
      url: string;
    };
    return url;
  }

  /** A page of a user who has signed in by a link with this name. */
  async openAs(name: string, context: BrowserContext, path: string): Promise<Page> {
    const link = ['--workspace', this.workspaceId, '--name', name];
    const { url } = (await this.operator.json('console', 'link', ...link)) as { url: string };
    const data = { token: url.split('#token=')[1] };
    await context.request.post(`${this.server.url}/api/session`, { data });
    return this.browser.open(context, this.server.url + path);
  }

  /** A page of a user who has signed in with the key of the workspace. */
  async open(context: BrowserContext, path: string): Promise<Page> {
    const headers = { 'x-api-key': this.apiKey };
    await context.request.post(`${this.server.url}/api/session`, { headers, data: {} });
    return this.browser.open(context, this.server.url + path);
  }

  /** Returns and removes the errors and warnings of the pages so far. */
  complaints(): string[] {
    return this.browser.complaints.splice(0);
  }

  async stop(): Promise<void> {
    await this.browser.stop();
    await this.operator.finish();
    await this.server.stop();
  }
}

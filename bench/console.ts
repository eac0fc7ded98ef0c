import type { BrowserContext } from 'playwright-core';
import { createAgent } from '../test/support/agents';
import { TestBrowser } from '../test/support/browser';
import { ApiClient } from '../test/support/client';
import { OperatorProcess } from '../test/support/operator-process';
import { signInWith } from '../test/support/signed-in';
import type { Bench } from './benchmark';
import type { MeasuredServer } from './measured-server';
import { JWT_SECRET, startParley } from './parley';
import { withServers } from './rounds';
import type { Services } from './services';

const CALLS = 20_000;
const AGENTS = 25;
const SEED_MS = 600_000;

/** A server whose first workspace has the data of some weeks, and a browser that is signed in there. */
export interface Console {
  parley: MeasuredServer;
  services: Services;
  api: ApiClient;
  /** The names and ids of the agents. */
  agents: Map<string, string>;
  /** A person whose browser has nothing in its cache. */
  newContext(): Promise<BrowserContext>;
  browser: TestBrowser;
}

async function seed({ url, databaseUrl }: MeasuredServer, workspaceId: string): Promise<void> {
  const operator = new OperatorProcess({ DATABASE_URL: databaseUrl, JWT_SECRET, PUBLIC_URL: url });
  const command = ['demo', 'seed', '--workspace', workspaceId, '--calls', String(CALLS)];
  const { code, stderr } = await operator.run(command, {}, SEED_MS);
  await operator.finish();
  if (code !== 0) throw new Error(`The demo data could not be added: ${stderr}`);
}

/** Starts the server and the browser, and ends them after the work. @throws if a page reports an error */
export async function withConsole(bench: Bench, work: (site: Console) => Promise<void>): Promise<void> {
  await withServers([startParley(bench)], async (parley) => {
    const [workspace] = bench.workspaces;
    if (!workspace) throw new Error('There is no workspace.');
    await seed(parley, workspace.workspaceId);
    const api = new ApiClient(parley.url, { 'x-api-key': workspace.apiKey });
    const answer = await api.get('/api/agents?limit=100');
    const known = (answer.body as { data: { id: string; name: string }[] }).data;
    const agents = new Map(known.map(({ id, name }) => [name, id]));
    while (agents.size < AGENTS) {
      const name = `Agent ${agents.size}`;
      agents.set(name, await createAgent({ api }, { name, prompt: 'Ask for the day of the appointment.' }));
    }
    await parley.sql.query('VACUUM ANALYZE');
    const browser = await TestBrowser.start();
    try {
      const first = await browser.newContext({ width: 1_440 });
      await signInWith(first, parley.url, workspace.apiKey);
      const cookies = await first.cookies();
      const newContext = async () => {
        const context = await browser.newContext({ width: 1_440 });
        await context.addCookies(cookies);
        return context;
      };
      await work({ parley, services: bench.services, api, agents, newContext, browser });
      if (browser.complaints.length > 0) throw new Error(browser.complaints.join('\n'));
    } finally {
      await browser.stop();
    }
  });
}

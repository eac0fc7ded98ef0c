import type { Page } from 'playwright-core';
import { freePorts } from '../../scripts/free-ports.cjs';
import { createAgent } from '../support/agents';
import { describeInBrowser, TestBrowser } from '../support/browser';
import { AgentCalls } from '../support/calls';
import { JWT_SECRET, TestParley } from '../support/parley';
import { rabbitmqUrl } from '../support/rabbitmq';
import { ServerProcess } from '../support/server-process';
import { useStarted } from '../support/use-started';

(rabbitmqUrl ? describeInBrowser : describe.skip)('An open page of the console', () => {
  const parley = useStarted(() => TestParley.start({ RABBITMQ_URL: rabbitmqUrl ?? '' }));
  const browser = useStarted(() => TestBrowser.start());
  let servers: ServerProcess[] = [];

  const startServers = async (ports: number[]) => {
    servers = await Promise.all(
      ports.map((port) =>
        ServerProcess.start({
          DATABASE_URL: parley.database.url,
          RABBITMQ_URL: rabbitmqUrl ?? '',
          BROKER_PREFIX: parley.topology.calls.replace(/\.calls$/, ''),
          ROLES: 'http',
          JWT_SECRET,
          LOG_LEVEL: 'warn',
          PORT: String(port),
        }),
      ),
    );
  };
  const onEach = (pages: Page[], act: (page: Page) => Promise<void>) => Promise.all(pages.map(act));
  afterAll(() => Promise.all(servers.map((server) => server.kill())));

  test('goes on by itself after the servers were killed and started again, and misses no call', async () => {
    const ports = await freePorts(2);
    await startServers(ports);
    const workspace = await parley.workspace();
    const calls = new AgentCalls(workspace.api, await createAgent(workspace));
    await calls.start({ customer_name: 'Ada' });
    const pages = await Promise.all(
      servers.map(async ({ url }) => {
        const page = await browser.open(await browser.newContext(), `${url}/calls`);
        await page.getByLabel('API key or token').fill(workspace.apiKey);
        await page.getByRole('button', { name: 'Sign in' }).click();
        await page.getByRole('link', { name: 'Ada' }).waitFor();
        return page;
      }),
    );

    await Promise.all(servers.map((server) => server.kill()));
    await onEach(pages, async (page) => {
      await page.getByText('Live updates are interrupted').waitFor();
      await page.getByLabel('Outcome').fill('booked');
      await page.keyboard.press('Enter');
      await page.getByText('The server did not answer').waitFor({ timeout: 30_000 });
    });
    await calls.start({ customer_name: 'Grace' });
    await startServers(ports);

    await onEach(pages, async (page) => {
      await page.getByText('Live updates are interrupted').waitFor({ state: 'detached', timeout: 20_000 });
      await page.getByText('1 new call').waitFor();
      await page.getByRole('button', { name: 'Clear filters' }).click();
      await page.getByRole('button', { name: 'Show' }).click();
      await page.getByRole('link', { name: 'Grace' }).waitFor();
    });
  }, 90_000);
});

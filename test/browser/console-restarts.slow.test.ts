import type { Page } from 'playwright-core';
import { freePorts } from '../../launch/process/free-ports.cjs';
import { createAgent } from '../support/agents';
import { describeInBrowser, TestBrowser } from '../support/browser';
import { AgentCalls } from '../support/calls';
import { removeFilter, typeFilter } from '../support/filter-bar';
import { JWT_SECRET, TestParley } from '../support/parley';
import { rabbitmqUrl } from '../support/rabbitmq';
import { ServerProcess } from '../support/server-process';
import { until } from '../support/until';
import { useStarted } from '../support/use-started';

/** The page may or may not have noticed the restart. */
const LOST = /Live updates are interrupted|The server can’t be reached/;

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

  test('continues by itself after the servers were killed and started again, and misses no call', async () => {
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
    await onEach(pages, (page) => page.getByText(LOST).waitFor());
    const [, asking] = pages;
    if (asking) await typeFilter(asking, 'External ID', 'crm-1');
    await asking?.getByText('The server did not answer').waitFor({ timeout: 30_000 });
    await calls.start({ customer_name: 'Grace' });
    await startServers(ports);

    await onEach(pages, async (page) => {
      await page.getByText(LOST).waitFor({ state: 'detached', timeout: 20_000 });
      if (page === asking) await removeFilter(page, 'External ID');
      const grace = page.getByRole('link', { name: 'Grace' });
      // The button can go while it is clicked: the page may load the list by itself.
      const show = page.getByRole('button', { name: 'Show' });
      await until(async () => {
        await show.evaluateAll((buttons: { click(): void }[]) => buttons.forEach((button) => button.click()));
        return grace.count();
      });
    });
  });
});

import type { BrowserContext, Page } from 'playwright-core';
import { createAgent } from '../support/agents';
import { accessibilityProblems, describeInBrowser, TestBrowser } from '../support/browser';
import { AgentCalls } from '../support/calls';
import { createDatabase } from '../support/database';
import { typeFilter } from '../support/filter-bar';
import { JWT_SECRET, type TestWorkspace, useOwnParley } from '../support/parley';
import { ServerProcess } from '../support/server-process';
import { signInWith } from '../support/signed-in';
import { TcpProxy } from '../support/tcp-proxy';
import { until } from '../support/until';
import { useStarted } from '../support/use-started';

const CUT = 'Live updates are interrupted.';
const AWAY = 'The server can’t be reached.';

describeInBrowser('A console that does not hear from its server', () => {
  const parley = useOwnParley();
  const browser = useStarted(() => TestBrowser.start());
  let proxy: TcpProxy;
  let context: BrowserContext;
  let workspace: TestWorkspace;
  let agentId: string;

  beforeEach(async () => {
    workspace = await parley.workspace();
    agentId = await createAgent(workspace, { name: 'Front desk' });
    proxy = await TcpProxy.to(parley.url);
    context = await browser.newContext();
    await signInWith(context, new URL(proxy.url).origin, workspace.apiKey);
  });
  afterEach(async () => {
    await context.close();
    await proxy.cut();
    browser.complaints.splice(0);
  });

  const open = (path: string) => browser.open(context, new URL(path, proxy.url).href);

  /** The elements that cover the middle of a visible control, so that a click would hit them. */
  const coveredControls = (page: Page) =>
    page.evaluate<string[]>(`
      [...document.querySelectorAll('main button, main a, main input, main select, nav a')].flatMap((control) => {
        const { left, top, width, height } = control.getBoundingClientRect();
        const x = left + width / 2, y = top + height / 2;
        const bar = document.querySelector('header').getBoundingClientRect().bottom;
        if (!control.checkVisibility() || width === 0 || y < bar || y > innerHeight) return [];
        const hit = document.elementFromPoint(x, y);
        return control.contains(hit) || hit?.contains(control) ? [] : [control.textContent + ': ' + hit?.className];
      })`);

  test.each([1_440, 390])('shows that in its header, and covers no control: %i px wide', async (width) => {
    const calls = new AgentCalls(workspace.api, agentId);
    await Promise.all(Array.from({ length: 27 }, () => calls.start()));
    const page = await open('/calls');
    await page.setViewportSize({ width, height: 900 });
    await page.getByText('27 total').waitFor();
    await context.route('**/api/live', (route) => route.abort());
    await page.reload();
    await page.getByText(CUT).waitFor();

    const next = page.getByRole('button', { name: 'Next' });
    await next.scrollIntoViewIfNeeded();
    expect(await coveredControls(page)).toEqual([]);
    expect(await accessibilityProblems(page)).toEqual([]);
    await next.click();
    await page.getByText('Page 2 of 2').first().waitFor();

    const editor = await open(`/agents/${agentId}`);
    await editor.setViewportSize({ width, height: 900 });
    await editor.getByLabel(/^Greeting/).fill('Good evening');
    await editor.getByText(CUT).waitFor();
    // Fields scroll behind the bar with Save until the end of the page, where it has a place of its own.
    await editor.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
    expect(await coveredControls(editor)).toEqual([]);
    await editor.getByRole('button', { name: 'Save', exact: true }).click();
    await editor.getByText('Saved.').waitFor();
  });

  test('keeps its navigation when the code of a page cannot be loaded, and opens the page later', async () => {
    const page = await open('/calls');
    await page.getByText('No calls yet').waitFor();
    await proxy.cut();

    await page.getByRole('link', { name: 'Webhooks' }).click();
    await page.getByRole('heading', { name: 'Webhooks' }).waitFor();
    await page.getByRole('alert').getByText('The server did not answer.').waitFor();
    expect(await page.title()).toContain('Webhooks');
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('alert').getByText('The server did not answer.').waitFor();
    await page.getByRole('link', { name: 'Calls', exact: true }).click();
    await page.getByText('No calls yet').waitFor();
    await page.getByRole('link', { name: 'Templates' }).click();
    await page.getByRole('alert').waitFor();

    await proxy.restore();
    await page.getByRole('link', { name: 'New template' }).or(page.getByText('New template')).waitFor();
    await page.getByText(AWAY).waitFor({ state: 'detached' });
  });

  test('is loaded again, once, when an upgrade has removed the code of a page', async () => {
    const page = await open('/calls');
    await page.getByText('No calls yet').waitFor();
    const loads: string[] = [];
    page.on('load', () => loads.push(page.url()));
    await context.route('**/assets/webhooks-*.js', (route) => route.fulfill({ status: 404, body: '' }));

    await page.getByRole('link', { name: 'Webhooks' }).click();
    await page.getByText('Parley has been updated since you opened the console.').waitFor();
    expect(loads).toHaveLength(1);
    expect(new URL(page.url()).pathname).toBe('/webhooks');

    await context.unroute('**/assets/webhooks-*.js');
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.getByText('No webhooks yet.').waitFor();
  });

  test('is not loaded again by itself while changes are not saved', async () => {
    const page = await open(`/agents/${agentId}`);
    await page.getByLabel(/^Greeting/).fill('Good evening');
    await page.getByText('1 unsaved change').waitFor();
    const loads: string[] = [];
    page.on('load', () => loads.push(page.url()));
    await context.route('**/assets/webhooks-*.js', (route) => route.fulfill({ status: 404, body: '' }));

    await page.getByRole('link', { name: 'Webhooks' }).click();
    await page.getByText('Your unsaved changes are kept in this tab').waitFor();
    expect(loads).toHaveLength(0);
    await page.goBack();
    expect(await page.getByLabel(/^Greeting/).inputValue()).toBe('Good evening');
  });

  test('does not send failed requests later without a network, and opens a page once there is one', async () => {
    const page = await open(`/agents/${agentId}`);
    await page.getByLabel(/^Greeting/).fill('Good evening');
    await context.setOffline(true);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('alert').getByText('Your change was not confirmed').waitFor();
    await page.getByRole('link', { name: 'Webhooks' }).click();
    await page.getByRole('alert').getByText('The server did not answer.').waitFor();

    await context.setOffline(false);
    await page.getByText('No webhooks yet.').waitFor();
    await page.getByText(AWAY).waitFor({ state: 'detached' });
    const { body } = await workspace.api.get(`/api/agents/${agentId}`);
    expect(body.data).not.toMatchObject([{ greeting: 'Good evening' }]);
  });

  test('shows that a change may not be saved, and saves it again', async () => {
    const page = await open(`/agents/${agentId}`);
    await page.getByLabel(/^Greeting/).fill('Good evening');
    await proxy.cut();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('alert').getByText('Your change was not confirmed').waitFor();
    expect(await page.getByText('loads by itself').count()).toBe(0);

    await proxy.restore();
    await page.getByText(AWAY).waitFor({ state: 'detached' });
    const { body } = await workspace.api.get(`/api/agents/${agentId}`);
    expect(body.data).not.toMatchObject([{ greeting: 'Good evening' }]);
    await page.getByRole('button', { name: 'Save again' }).click();
    await page.getByText('Saved.').waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).waitFor();
  });

  test('shows that it cannot reach the server at its start, and continues once it can', async () => {
    await context.route('**/api/**', (route) => route.abort());
    const page = await open('/calls');
    await page.getByRole('alert').getByText('The server did not answer.').waitFor();
    await page.getByRole('heading', { name: 'Parley' }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    const again = page.waitForRequest('**/api/session');
    await page.getByRole('button', { name: 'Try again' }).click();
    await again;
    expect(await page.getByRole('alert').count()).toBe(1);

    await context.unroute('**/api/**');
    await page.getByText('No calls yet').waitFor();
  });

  test('shows that a list will be read again, and reads it', async () => {
    const page = await open('/calls');
    await page.getByText('No calls yet').waitFor();
    await proxy.cut();
    await typeFilter(page, 'External ID', 'crm-1');
    await page.getByText('This loads by itself as soon as the server is back.').waitFor();

    await proxy.restore();
    await page.getByText('No call matches these filters.').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  test('shows the time of the calls in progress, and not that there are none', async () => {
    const page = await open('/live');
    await page.getByText('No calls in progress.').waitFor();
    expect(await page.getByText('As of').count()).toBe(0);
    await proxy.cut();

    await page.getByText(/^As of \d\d:\d\d:\d\d$/).waitFor();
    await page.getByText('Calls in progress cannot be loaded.').waitFor();
    expect(await page.getByText('No calls in progress.').count()).toBe(0);
    expect(await accessibilityProblems(page)).toEqual([]);

    await proxy.restore();
    await page.getByText('No calls in progress.').waitFor();
    await until(async () => (await page.getByText('As of').count()) === 0);
  });
});

describeInBrowser('A console whose server is silent on open connections', () => {
  const browser = useStarted(() => TestBrowser.start());
  let server: ServerProcess;

  beforeAll(async () => {
    const { url } = await createDatabase();
    server = await ServerProcess.start({ DATABASE_URL: url, JWT_SECRET });
  });
  afterAll(() => server?.kill());

  test('notices it after 35 seconds without an event, and follows the server again', async () => {
    const context = await browser.newContext();
    await signInWith(context, server.url, server.demo?.apiKey ?? '');
    await context.clock.install();
    const page = await browser.open(context, `${server.url}/live`);
    await page.getByText('No calls in progress.').waitFor();

    // The stream of the page began before this one, and has had its event before.
    await page.evaluate(`new Promise((resolve) => {
      const other = new EventSource('/api/live');
      other.addEventListener('alive', ({ data }) => resolve(data) ?? other.close());
    })`);
    await context.clock.fastForward(25_000);
    await page.evaluate('new Promise((resolve) => requestIdleCallback(resolve))');
    expect(await page.getByText(CUT).or(page.getByText(AWAY)).count()).toBe(0);

    server.pause();
    await context.clock.fastForward(36_000);
    await page.getByText(AWAY).waitFor();
    await page.getByText(/^As of \d\d:\d\d:\d\d$/).waitFor();
    await page.getByText('Calls in progress cannot be loaded.').waitFor();

    server.resume();
    await page.getByText('No calls in progress.').waitFor();
    await until(async () => (await page.getByText('As of').count()) === 0);
    expect(await page.getByText(CUT).or(page.getByText(AWAY)).count()).toBe(0);
    await context.close();
  });
});

import type { Page, Request } from 'playwright-core';
import { createAgent } from '../support/agents';
import { accessibilityProblems, describeInBrowser } from '../support/browser';
import { AgentCalls } from '../support/calls';
import { type TestWorkspace, useOwnParley } from '../support/parley';
import { signInWith } from '../support/signed-in';
import { useSignedInBrowser } from '../support/signed-in-browser';
import { until } from '../support/until';

const isStream = (request: Request) => new URL(request.url()).pathname === '/api/live';

describeInBrowser('Calls in progress in the console', () => {
  const parley = useOwnParley();
  let workspace: TestWorkspace;
  let calls: AgentCalls;

  const site = useSignedInBrowser(parley, async () => {
    workspace = await parley.workspace();
    calls = new AgentCalls(workspace.api, await createAgent(workspace, { name: 'Front desk' }));
    return workspace;
  });

  const { open } = site;
  const findDialog = (page: Page) => page.getByRole('dialog');

  test('are hung up from the list, and the focus goes to the next row', async () => {
    await Promise.all(
      Array.from({ length: 27 }, (_, index) => calls.start({ customer_name: `Person ${index + 1}` })),
    );
    const page = await open('/live');
    await page.getByText('0 connected, 0 dialing, 27 waiting for a runtime').waitFor();
    await page.getByText('27 calls', { exact: true }).waitFor();
    expect(await page.locator('tr[data-row]').count()).toBe(27);
    expect(await accessibilityProblems(page)).toEqual([]);

    const row = page.locator('tr[data-row]').nth(25);
    const name = (await row.getByRole('link').first().textContent()) as string;
    const next = (await page.locator('tr[data-row]').nth(26).getAttribute('data-row')) as string;
    await row.hover();
    await row.getByRole('button', { name: `Hang up ${name}` }).click();
    await findDialog(page).getByText(`The call with ${name} (+15551234567) ends.`).waitFor();
    await findDialog(page).getByRole('button', { name: 'Hang up' }).click();

    await page.getByText('26 calls', { exact: true }).waitFor();
    await page.locator(`tr[data-row="${next}"]:focus`).waitFor();
    expect(await page.getByRole('link', { name, exact: true }).count()).toBe(0);
    const { body } = await workspace.api.get('/api/calls?status=failed');
    expect(body.data).toMatchObject([{ customer_name: name, disconnect_reason: 'cancelled' }]);
  });

  test('are shown to a credential with scopes: those of its agents, by polling, without a button to hang up', async () => {
    const other = new AgentCalls(workspace.api, await createAgent(workspace));
    await calls.start({ customer_name: 'Ada' });
    await other.start({ customer_name: 'Grace' });
    const { body } = await workspace.api.post('/api/auth/api-keys', { scope: [`agent:${calls.agentId}`] });
    await signInWith(site.context, parley.url, body.data.apiKey as string);
    site.browser.requests.splice(0);
    const page = await open('/live');

    await page.getByRole('link', { name: 'Ada' }).waitFor();
    await page.getByText('0 connected, 0 dialing, 1 waiting for a runtime').waitFor();
    expect(await page.getByRole('link', { name: 'Grace' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: /Hang up/ }).count()).toBe(0);
    const entries = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
    expect(await entries.allTextContents()).toEqual(['Calls', 'Live', 'Settings', 'API reference']);

    await calls.start({ customer_name: 'Hedy' });
    await page.getByRole('link', { name: 'Hedy' }).waitFor();
    await page.getByText('2 waiting for a runtime').waitFor();
    expect(site.browser.requests.splice(0).filter((url) => url.endsWith('/api/live'))).toEqual([]);
  });

  test('are hung up on their page, which then calls the number again', async () => {
    const id = await calls.start({ customer_name: 'Ada', dynamic_variables: { day: 'Monday' } });
    const page = await open(`/calls/${id}`);
    await page.getByRole('heading', { name: 'Front desk called Ada' }).waitFor();
    await page
      .getByText(/^The API key “….{4}” started a call to \+15551234567/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Hang up' }).click();
    await findDialog(page).getByRole('button', { name: 'Hang up' }).click();
    await page
      .getByText(/^Somebody with the API key “….{4}” hung up from the console, and the call was/)
      .first()
      .waitFor();

    await page.getByRole('button', { name: 'Call again' }).click();
    await findDialog(page).getByText('Front desk calls +15551234567 now').waitFor();
    await findDialog(page).getByRole('button', { name: 'Call again' }).click();
    await page.waitForURL((url) => !url.pathname.endsWith(id));
    await page.getByRole('button', { name: 'Hang up' }).waitFor();
    const again = new URL(page.url()).pathname.split('/').at(-1) as string;
    const { body } = await workspace.api.get(`/api/calls/${again}`);
    expect(body.data).toMatchObject({
      to_number: '+15551234567',
      customer_name: 'Ada',
      dynamic_variables: { day: 'Monday' },
    });
  });

  test('reach all tabs of a browser over one stream, which another tab takes over', async () => {
    const first = await open('/calls');
    const streams: Request[] = [];
    await first.getByText('No calls yet').waitFor();
    await until(() => site.browser.requests.some((url) => url.endsWith('/api/live')));
    site.context.on('request', (request) => isStream(request) && streams.push(request));
    const others = [await open('/calls'), await open('/calls')];
    for (const page of others) await page.getByText('No calls yet').waitFor();

    await calls.start({ customer_name: 'Ada' });
    for (const page of [first, ...others]) await page.getByText('1 new call').waitFor();
    expect(streams).toHaveLength(0);

    await first.close();
    await until(() => streams.length === 1);
    await calls.start({ customer_name: 'Grace' });
    for (const page of others) await page.getByText('2 new calls').waitFor();
    expect(streams).toHaveLength(1);
  });

  test('are followed over a stream that is closed while the page is hidden', async () => {
    const page = await site.context.newPage();
    const begun: Request[] = [];
    const ended: Request[] = [];
    page.on('request', (request) => isStream(request) && begun.push(request));
    page.on('requestfailed', (request) => isStream(request) && ended.push(request));
    await page.goto(`${parley.url}/calls`);
    await page.getByText('No calls yet').waitFor();
    await until(() => begun.length === 1);
    const show = (isShown: boolean) =>
      page.evaluate(`Object.defineProperty(document, 'hidden', { value: ${!isShown}, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'))`);

    await show(false);
    await until(() => ended.length === 1);
    await calls.start({ customer_name: 'Ada' });
    expect(begun).toHaveLength(1);
    await show(true);
    await until(() => begun.length === 2);
    await page
      .getByText('1 new call')
      .or(page.getByRole('link', { name: 'Ada' }))
      .waitFor();
  });
});

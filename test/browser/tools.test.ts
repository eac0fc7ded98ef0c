import type { ServerResponse } from 'node:http';
import type { BrowserContext, Page, Route } from 'playwright-core';
import { createAgent } from '../support/agents';
import { accessibilityProblems, describeInBrowser, TestBrowser } from '../support/browser';
import { EventListener } from '../support/event-listener';
import { ToolServer } from '../support/mcp-server';
import { signInWith } from '../support/signed-in';
import { answeringJson, MONDAY, useToolShop } from '../support/tool-shop';
import { until } from '../support/until';
import { useStarted } from '../support/use-started';
import { answeringStatus } from '../support/webhook-receiver';

describeInBrowser('The tools in the console', () => {
  const { tried, parley, shop, createTool, takeCall, asked, bookings } = useToolShop();
  const browser = useStarted(() => TestBrowser.start());
  const server = useStarted(() => ToolServer.start());
  let context: BrowserContext;

  beforeEach(async () => {
    context = await browser.newContext();
    await signInWith(context, parley.url, tried.workspace.apiKey);
  });
  afterEach(async () => {
    await context.close();
    expect(browser.complaints.splice(0)).toEqual([]);
  });

  const open = (path: string) => browser.open(context, parley.url + path);
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- data as the API shows them
  const read = async (path: string): Promise<any> => (await tried.workspace.api.get(path)).body.data;
  const save = async (page: Page) => {
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Agents that name the tool have a new version').waitFor();
  };

  test('are created, changed, tested and deleted', async () => {
    const page = await open('/tools');
    await page.getByText('No tools yet.').waitFor();
    await page.getByRole('button', { name: 'Create a tool' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('book_table');
    await dialog.getByLabel('Description').fill('Books a table.');
    await dialog.getByLabel('Address').fill(shop.url(tried.path));
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('heading', { name: 'book_table', level: 1 }).waitFor();

    const schema = '{"type":"object","properties":{"day":{"type":"string"}},"required":["day"]}';
    await page.getByLabel('Parameters (JSON Schema)').fill(schema);
    await page.getByLabel('Headers (JSON)').fill('{"X-Key": "{{secret:KEY}}"}');
    await page.getByLabel('Secrets (JSON)').fill('{"KEY": "a key"}');
    await page.getByLabel('Say after a second').fill('One moment.');
    await save(page);
    await page.getByText('Stored: KEY.').waitFor();
    const [stored] = await read('/api/tools');
    expect(stored).toMatchObject({
      ...{ parameters: JSON.parse(schema) as object, secrets: ['KEY'], say: 'One moment.', once_by: null },
    });
    await page.getByRole('region', { name: 'book_table' }).getByText('"day"').first().waitFor();

    await page.getByLabel('Arguments (JSON)').fill('{"day": "1"}');
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await page.getByRole('definition').filter({ hasText: '204' }).waitFor();
    expect(bookings()[0]?.headers).toMatchObject({ 'x-key': 'a key', 'x-parley-test': 'true' });
    await page.evaluate('window.scrollTo(0, 0)');
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await accessibilityProblems(page, { rules: ['color-contrast'] })).toEqual([]);

    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('No tools yet.').waitFor();
  });

  test('of a server are ticked after it was asked for them', async () => {
    for (const name of ['search', 'cancel'])
      server.tools.push({ name, description: `Does ${name}.`, run: () => ({ content: [] }) });
    const fields = { name: 'shop', kind: 'mcp', description: 'A shop.', url: server.url, tools: ['search'] };
    const { body } = await tried.workspace.api.post('/api/tools', fields);
    const page = await open(`/tools/${body.data.tool_id}`);
    await page.getByRole('button', { name: 'Discover' }).click();
    await page.getByText('The server has 2 tools.').waitFor();
    await page.getByRole('checkbox', { name: 'cancel' }).check();
    await save(page);
    await page.getByRole('region', { name: 'shop_cancel' }).waitFor();
    expect(await read('/api/tools')).toMatchObject([{ tools: ['search', 'cancel'], effect: null }]);
  });

  test('are ticked on the page of an agent, beside its other actions', async () => {
    await createTool();
    const agentId = await createAgent(tried.workspace, { actions: ['transfer tel:+15550000001'] });
    const page = await open(`/agents/${agentId}`);
    await page.locator('#actions summary').click();
    await page.getByRole('checkbox', { name: 'book_table' }).check();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await until(async () => {
      const [{ actions }] = await read(`/api/agents/${agentId}`);
      return (actions as string[]).join() === 'book_table,transfer tel:+15550000001';
    });
  });

  test('that an agent used are shown in the call, and are settled by a person', async () => {
    shop.answer(tried.path, ...[500, 500, 200].map((status) => answeringStatus(status)));
    await createTool();
    const call = await takeCall();
    const path = `/api/calls/${call.conversationId}/tools`;
    const page = await open('/');
    const problems = page.getByRole('list', { name: 'Needs attention' }).getByRole('listitem');
    const unknown = problems.filter({ hasText: 'It is not known whether book_table was done' });
    await page.getByText('Nothing needs your attention.').waitFor();
    for (const day of ['1', '2']) expect(await asked(call, { day })).toMatchObject({ state: 'unknown' });
    await until(async () => (await unknown.count()) === 2);
    expect(await accessibilityProblems(page)).toEqual([]);

    await unknown.first().getByRole('button', { name: 'Ask again' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('An address that does not honour the key may do it twice.').waitFor();
    await dialog.getByRole('button', { name: 'Ask again' }).click();
    await until(async () => (await unknown.count()) === 1);
    await unknown.getByRole('button', { name: 'It was not' }).click();
    await until(async () => (await unknown.count()) === 0);
    const states = ((await read(path)) as { state: string }[]).map(({ state }) => state);
    expect(states).toEqual(['refused', 'done']);

    await page.goto(`${parley.url}/calls/${call.conversationId}`);
    const items = page.getByRole('listitem').filter({ hasText: 'Arguments' });
    await until(async () => (await items.count()) === 2);
    expect(await items.first().innerText()).toMatch(/^book_table\s+!\s*refused\s+A person said so\./);
    await items.nth(1).getByText('"day": "2"').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
  });

  test('are shown in a call while they are at work, and when they were done', async () => {
    // The first answer that the page gets is older than the asking, of which the page hears before.
    let deliver: (() => void) | undefined;
    const isHeard = new Promise<void>((resolve) => (deliver = resolve));
    const hold = async (route: Route) => {
      const response = await route.fetch();
      await isHeard;
      await route.fulfill({ response });
    };
    await context.route('**/api/calls/*/tools', hold, { times: 1 });
    const shopAnswers = new Promise<ServerResponse>((resolve) => shop.answer(tried.path, resolve));
    await createTool();
    const call = await takeCall();
    const page = await open(`/calls/${call.conversationId}`);
    await page.getByText('Nothing has been said yet.').waitFor();
    const listener = await EventListener.open(parley.url, tried.workspace);
    await until(() => listener.of('counts').length > 0);
    await asked(call, MONDAY, { wait_ms: 0 });
    await until(() => listener.of('tool').length > 0);
    listener.close();
    await page.waitForRequest(/\/transcript$/);
    deliver?.();
    const item = page.getByRole('listitem').filter({ hasText: 'Arguments' });
    await item.getByText('in progress').waitFor();
    answeringJson({ booking: 'b-7' })(await shopAnswers);
    await item.getByText('"booking": "b-7"').waitFor();
    await until(async () => /^book_table\s+✓\s*done/.test(await item.innerText()));
  });

  test('have the number of unknown invocations of the last seven days', async () => {
    shop.answer(tried.path, answeringStatus(500));
    await createTool();
    const call = await takeCall();
    const page = await open('/tools');
    await page.getByRole('cell', { name: '0', exact: true }).waitFor();
    await asked(call);
    await page.getByRole('cell', { name: '1', exact: true }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
  });
});

import { readFileSync } from 'node:fs';
import type { BrowserContext, Page } from 'playwright-core';
import { describeInBrowser } from '../support/browser';
import { McpClient } from '../support/mcp';
import { TestConsole } from '../support/console';
import { chooseFilter } from '../support/filter-bar';
import { until } from '../support/until';

describeInBrowser('The settings of the console', () => {
  let site: TestConsole;
  let context: BrowserContext;

  beforeAll(async () => {
    site = await TestConsole.start();
  });
  beforeEach(async () => {
    context = await site.browser.newContext();
  });
  afterEach(async () => {
    await context.close();
    expect(site.complaints()).toEqual([]);
  });
  afterAll(() => site?.stop());

  const findDialog = (page: Page) => page.getByRole('dialog');

  test('list who is signed in, end the session of somebody else, and then the own one', async () => {
    const { body } = await site.api.post('/api/auth/api-keys', { name: 'Laptop' });
    const { apiKey } = (body as { data: { apiKey: string } }).data;
    const elsewhere = await site.browser.newContext();
    const other = await site.browser.open(elsewhere, `${site.server.url}/live`);
    await other.getByLabel('API key or token').fill(apiKey);
    await other.getByRole('button', { name: 'Sign in' }).click();
    await other.getByRole('heading', { name: 'Live' }).waitFor();
    // The browser itself reports that nobody was signed in.
    site.complaints();
    const page = await site.browser.open(context, await site.signInLink());
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('row', { name: /Unnamed console link .*this session.*127\.0\.0\.1/ }).waitFor();

    await page.getByRole('button', { name: /^End the session of Laptop/ }).click();
    await findDialog(page).getByText('Its browser is signed out within a few seconds').waitFor();
    await findDialog(page).getByRole('button', { name: 'End', exact: true }).click();
    await page.getByText('The session of “Laptop” has ended.').waitFor();
    await page.getByRole('row', { name: /Laptop/ }).waitFor({ state: 'detached' });
    // Nobody uses this page.
    await other.getByRole('button', { name: 'Sign in' }).waitFor();
    await elsewhere.close();
    site.complaints();

    await page.getByRole('button', { name: /^End the session of Unnamed console link/ }).click();
    await findDialog(page).getByRole('heading', { name: 'End your own session?' }).waitFor();
    await findDialog(page).getByRole('button', { name: 'End', exact: true }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await context.cookies()).toEqual([]);
    // The browser reports what was refused meanwhile, until its page is closed.
    await context.close();
    site.complaints();
  });

  test('create a key for an agent that is shown once, and revoke it with its descendants', async () => {
    const { body } = await site.api.post('/api/agents', { type: 'outbound', name: 'Front desk' });
    const agentId = (body as { data: { _id: string } }).data._id;
    const page = await site.open(context, '/settings/keys');
    await page.getByRole('button', { name: 'Create a key' }).click();
    await findDialog(page).getByLabel('Name').fill('Booking page');
    await findDialog(page).getByLabel('Selected agents only').check();
    await findDialog(page).getByLabel('Front desk').check();
    await findDialog(page).getByRole('button', { name: 'Create a key' }).click();

    const apiKey = await page.getByLabel('The new API key').inputValue();
    const key = site.server.api.with({ 'x-api-key': apiKey });
    expect((await key.get(`/api/agents/${agentId}`)).status).toBe(200);
    expect((await key.get('/api/agents')).status).toBe(403);
    await page.getByRole('button', { name: 'I’ve saved it' }).click();
    expect(await page.getByLabel('The new API key').count()).toBe(0);
    expect(await page.content()).not.toContain(apiKey);

    await page.getByRole('button', { name: 'Revoke Booking page' }).click();
    await findDialog(page).getByText('No other key was created with it.').waitFor();
    await findDialog(page).getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('The key “Booking page” has been revoked.').waitFor();
    await page.getByRole('row', { name: /Booking page.*revoked/ }).waitFor();
    expect((await key.get(`/api/agents/${agentId}`)).status).toBe(401);
  });

  test('create a key that runs calls and campaigns, and changes nothing else', async () => {
    const page = await site.open(context, '/settings/keys');
    await page.getByRole('button', { name: 'Create a key' }).click();
    await findDialog(page).getByLabel('Name').fill('Dialler');
    await findDialog(page).getByLabel('Run calls and campaigns').check();
    await findDialog(page).getByRole('button', { name: 'Create a key' }).click();

    const apiKey = await page.getByLabel('The new API key').inputValue();
    const key = site.server.api.with({ 'x-api-key': apiKey });
    expect((await key.post('/api/do-not-call', { phone_number: '+15551230199' })).status).toBe(201);
    expect((await key.post('/api/agents', { type: 'outbound' })).status).toBe(403);
    await page.getByRole('row', { name: /Dialler.*calls and campaigns/ }).waitFor();
  });

  test('connect an assistant with a key that only reads, or that may act', async () => {
    const page = await site.open(context, '/settings/assistants');
    const file = page.getByLabel('Configuration file');
    expect(await file.inputValue()).toContain('YOUR-API-KEY');

    await page.getByRole('button', { name: 'Create a key for an assistant' }).click();
    const readingKey = await page.getByLabel('The key of the assistant').inputValue();
    const { mcpServers } = JSON.parse(await file.inputValue()) as {
      mcpServers: { parley: { type: string; url: string; headers: Record<string, string> } };
    };
    const { url, headers } = mcpServers.parley;
    expect(headers).toEqual({ 'X-API-Key': readingKey });
    const reader = await McpClient.connect(new URL(url).origin, headers);
    expect(await reader.toolNames()).toContain('explain_call');
    expect(await reader.toolNames()).not.toContain('start_call');
    await reader.close();

    await page.getByLabel('Read and act').check();
    expect(await page.getByLabel('Max calls per day').inputValue()).toBe('20');
    await page.getByLabel('Max calls per day').fill('7');
    await page.getByRole('button', { name: 'Create a key for an assistant' }).click();
    await until(async () => (await page.getByLabel('The key of the assistant').inputValue()) !== readingKey);
    const actingKey = await page.getByLabel('The key of the assistant').inputValue();
    const actor = await McpClient.connect(site.server.url, { 'x-api-key': actingKey });
    expect(await actor.toolNames()).toContain('start_call');
    await actor.close();
    expect(await page.getByLabel('With Claude Code').inputValue()).toContain(actingKey);

    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByRole('row', { name: /Assistant.*read only/ }).waitFor();
    await page.getByRole('row', { name: /Assistant.*assistants may act.*0 of 7/ }).waitFor();
    expect(await page.content()).not.toContain(actingKey);
  });

  test('show the ledger of credits in pages, and the quotas with what is used', async () => {
    for (let amount = 1; amount <= 26; amount += 1) {
      await site.operator.json('credits', 'add', '--workspace', site.workspaceId, '--amount', String(amount));
    }
    const page = await site.open(context, '/settings/credits');
    await page.getByRole('row', { name: /added \+26/ }).waitFor();
    expect(await page.getByRole('row').count()).toBe(26);
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('Page 2 of 2', { exact: true }).waitFor();
    await until(async () => (await page.getByRole('row', { name: /added \+1 / }).count()) === 1);

    const { body } = await site.api.get('/api/workspace/quotas');
    const quotas = body as { data: { name: string; used: number; limit: number }[] };
    const keys = quotas.data.find(({ name }) => name === 'api_keys');
    await page.getByRole('link', { name: 'Workspace' }).click();
    const limit = keys?.limit.toLocaleString('en-GB');
    await page.getByRole('row', { name: new RegExp(`^API keys ${keys?.used} ${limit} `) }).waitFor();
  });

  test('show the ledger of credits by type and time with the persons of calls, and save it', async () => {
    const { body } = await site.api.post('/api/agents', { type: 'outbound', name: 'Ledger' });
    const agentId = (body as { data: { _id: string } }).data._id;
    const call = { to_number: '+15551234510', customer_name: 'Ada Brandt' };
    await site.api.post(`/api/agents/${agentId}/calls`, call);
    const page = await site.open(context, '/settings/credits');
    await page.getByRole('list', { name: 'Credits' }).getByText('Used this month').waitFor();
    await chooseFilter(page, 'Type', 'held');
    await page.waitForURL(/kind=hold/);
    await page.getByRole('row', { name: /held -1 .*Ada Brandt \+15551234510$/ }).waitFor();
    await until(async () => (await page.getByRole('row').count()) === 2);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export as CSV' }).click(),
    ]);
    expect(readFileSync(await file.path(), 'utf8').split('\r\n')).toEqual([
      'at,kind,amount,balance,call_id,customer_name,customer_number',
      expect.stringMatching(/,hold,-1,\d+,[-0-9a-f]{36},Ada Brandt,\+15551234510$/),
      '',
    ]);
    await page.getByRole('link', { name: 'Ada Brandt' }).click();
    await page.getByRole('heading', { name: 'Ledger called Ada Brandt', level: 1 }).waitFor();

    await page.goto(`${site.server.url}/settings/credits?end_date=2020-01-01T00:00`);
    await page.getByText('No entry matches these filters.').waitFor();
  });
});

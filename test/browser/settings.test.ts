import type { BrowserContext, Page } from 'playwright-core';
import { describeInBrowser } from '../support/browser';
import { McpClient } from '../support/mcp';
import { TestConsole } from '../support/console';
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
    await page.getByRole('row', { name: /Unnamed console link .*this one.*127\.0\.0\.1/ }).waitFor();

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
    await findDialog(page).getByLabel('Only some agents').check();
    await findDialog(page).getByLabel('Front desk').check();
    await findDialog(page).getByRole('button', { name: 'Create a key' }).click();

    const apiKey = await page.getByLabel('The new API key').inputValue();
    const key = site.server.api.with({ 'x-api-key': apiKey });
    expect((await key.get(`/api/agents/${agentId}`)).status).toBe(200);
    expect((await key.get('/api/agents')).status).toBe(403);
    await page.getByRole('button', { name: 'I have kept it' }).click();
    expect(await page.getByLabel('The new API key').count()).toBe(0);
    expect(await page.content()).not.toContain(apiKey);

    await page.getByRole('button', { name: 'Revoke Booking page' }).click();
    await findDialog(page).getByText('No other key was created with it.').waitFor();
    await findDialog(page).getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('The key “Booking page” is revoked.').waitFor();
    await page.getByRole('row', { name: /Booking page.*revoked/ }).waitFor();
    expect((await key.get(`/api/agents/${agentId}`)).status).toBe(401);
  });

  test('connect an assistant with a key that only reads, or that may act', async () => {
    const page = await site.open(context, '/settings/assistants');
    const file = page.getByLabel('For a settings file');
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
    await page.getByRole('button', { name: 'Create a key for an assistant' }).click();
    await until(async () => (await page.getByLabel('The key of the assistant').inputValue()) !== readingKey);
    const actingKey = await page.getByLabel('The key of the assistant').inputValue();
    const actor = await McpClient.connect(site.server.url, { 'x-api-key': actingKey });
    expect(await actor.toolNames()).toContain('start_call');
    await actor.close();
    expect(await page.getByLabel('For Claude Code').inputValue()).toContain(actingKey);

    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByRole('row', { name: /Assistant.*only reading/ }).waitFor();
    await page.getByRole('row', { name: /Assistant.*assistants may act/ }).waitFor();
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
});

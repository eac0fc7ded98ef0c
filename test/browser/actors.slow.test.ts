import type { BrowserContext } from 'playwright-core';
import { accessibilityProblems, describeInBrowser } from '../support/browser';
import { AgentCalls } from '../support/calls';
import type { ApiClient } from '../support/client';
import { TestConsole } from '../support/console';

describeInBrowser('The console shows who did it', () => {
  let site: TestConsole;
  let context: BrowserContext;

  beforeAll(async () => {
    // No runtime claims the call, so that it can be hung up at any time.
    site = await TestConsole.start({ ROLES: 'http,background' });
  });
  beforeEach(async () => {
    context = await site.browser.newContext();
  });
  afterEach(async () => {
    await context.close();
    expect(site.complaints()).toEqual([]);
  });
  afterAll(() => site?.stop());

  const open = (path: string) => site.openAs('Ada Lovelace', context, path);
  const createAgent = async (api: ApiClient) => {
    const { body } = await api.post('/api/agents', { type: 'outbound', name: 'Front desk' });
    return (body as { data: { _id: string } }).data._id;
  };

  test('in a call that was started and hung up in the console', async () => {
    const page = await open('/settings');
    const api = site.api.with(await readSession(context));
    const callId = await new AgentCalls(api, await createAgent(api)).start();

    await page.goto(`${site.server.url}/calls/${callId}`);
    await page
      .getByText(/^Ada Lovelace started a call to \+15551234567 from the console/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Hang up' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Hang up' }).click();
    await page
      .getByText(/^Ada Lovelace hung up from the console, and the call was cancelled/)
      .first()
      .waitFor();
  });

  test('beside a listed number', async () => {
    const page = await open('/do-not-call');
    await page.getByRole('button', { name: 'Add a number' }).click();
    await page.getByRole('dialog').getByLabel('Number').fill('+15552000101');
    await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('row', { name: /\+15552000101 .*added by Ada Lovelace/ }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
  });

  test('with an agent and its versions', async () => {
    const page = await open('/settings');
    const agentId = await createAgent(site.api.with(await readSession(context)));
    await page.goto(`${site.server.url}/agents/${agentId}`);
    await page.getByText('Details', { exact: true }).click();
    await page.locator('dt:has-text("Created by") + dd', { hasText: 'Ada Lovelace' }).waitFor();
    await page.goto(`${site.server.url}/agents/${agentId}/versions`);
    await page.getByRole('row', { name: /Ada Lovelace/ }).waitFor();
  });

  test('in the lists of keys, sessions and changes', async () => {
    const page = await open('/settings/keys');
    await page.getByRole('button', { name: 'Create a key' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Booking page');
    await page.getByRole('dialog').getByRole('button', { name: 'Create a key' }).click();
    await page.getByRole('row', { name: /Booking page .*Ada Lovelace/ }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.goto(`${site.server.url}/settings/audit`);
    await page.getByRole('row', { name: /Ada Lovelace.* Booking page/ }).waitFor();
    await page.goto(`${site.server.url}/settings`);
    await page.getByRole('row', { name: /Ada Lovelace .*this session.*sign-in link/ }).waitFor();
  });
});

/** The headers with the credential of the page, for direct requests. */
async function readSession(context: BrowserContext): Promise<Record<string, string>> {
  const [cookie] = await context.cookies();
  return {
    cookie: `${cookie?.name}=${cookie?.value}`,
    'x-parley-session': '1',
    'sec-fetch-site': 'same-origin',
  };
}

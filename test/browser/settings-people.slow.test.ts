import type { BrowserContext, Page } from 'playwright-core';
import { freePorts } from '../../launch/process/free-ports.cjs';
import { accessibilityProblems, describeInBrowser, type TestBrowser } from '../support/browser';
import { closedNow } from '../support/calling-windows';
import { createCampaign, recipientsFile } from '../support/campaigns';
import { TestConsole } from '../support/console';
import { OpenIdProvider } from '../support/openid-provider';

const findDialog = (page: Page) => page.getByRole('dialog');

describeInBrowser('The people of a workspace', () => {
  let site: TestConsole;
  let provider: OpenIdProvider;
  const contexts: BrowserContext[] = [];

  beforeAll(async () => {
    const [port] = await freePorts(1);
    const PUBLIC_URL = `http://127.0.0.1:${port}`;
    provider = new OpenIdProvider(`${PUBLIC_URL}/oidc/callback`);
    await provider.start();
    site = await TestConsole.start({ PORT: String(port), PUBLIC_URL, ...provider.settings });
  });
  afterEach(async () => {
    for (const context of contexts.splice(0)) await context.close();
  });
  afterAll(async () => {
    await site?.stop();
    await provider?.stop();
  });

  const newContext = async (look: Parameters<TestBrowser['newContext']>[0] = {}) => {
    const context = await site.browser.newContext(look);
    contexts.push(context);
    return context;
  };

  test('are invited with a role by a link, and are offered what the role includes', async () => {
    const { body } = await site.api.post('/api/agents', { type: 'outbound', name: 'Front desk' });
    const agentId = (body as { data: { _id: string } }).data._id;
    const windows = JSON.stringify(closedNow());
    const campaignId = await createCampaign(site.api, agentId, recipientsFile(1), { windows });
    await site.api.post(`/api/campaign/${campaignId}/pause`);
    const admin = await site.openAs('Olga', await newContext(), '/settings/people');
    await admin.getByText('Invite the first person.').waitFor();
    await admin.getByRole('button', { name: 'Invite a person' }).press('Enter');
    await findDialog(admin).getByLabel('Name').fill('Ada');
    await findDialog(admin).getByLabel('Operator').press('ArrowUp');
    await admin.keyboard.press('Enter');
    const link = await admin.getByLabel('The link').inputValue();
    await admin.getByRole('row', { name: /Ada Viewer invited/ }).waitFor();

    const context = await newContext();
    const page = await site.browser.open(context, link);
    await page.getByRole('heading', { name: 'Sign in to Demo?' }).waitFor();
    await page.getByText('Your role there: Viewer.').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Agents' }).click();
    await page.getByRole('link', { name: 'Front desk' }).click();
    await page.getByText('You can view this agent, but not change it.').waitFor();
    for (const name of ['Test call', 'Delete agent', 'Assign a number', 'Save'])
      expect(await page.getByRole('button', { name }).count()).toBe(0);
    await page.goto(`${site.server.url}/campaigns/new`);
    await page.getByText('Your role does not include this.').waitFor();
    const later = await newContext({ storageState: await context.storageState(), daysAhead: 2 });
    const overview = await site.browser.open(later, site.server.url);
    const problem = overview.getByRole('listitem').filter({ hasText: 'The campaign “Test” is paused.' });
    await problem.getByRole('link', { name: 'Open' }).waitFor();
    expect(await problem.getByRole('button').count()).toBe(0);

    await admin.getByRole('button', { name: 'I’ve saved it' }).click();
    await admin.getByRole('button', { name: 'Change Ada' }).click();
    await findDialog(admin).getByLabel('Admin').check();
    await findDialog(admin).getByRole('button', { name: 'Change' }).click();
    await admin.getByText('“Ada” was changed.').waitFor();
    await page.goto(`${site.server.url}/agents`);
    await page.getByRole('button', { name: 'New agent' }).click();
    await findDialog(page).getByLabel('Name').fill('Night desk');
    await findDialog(page).getByRole('button', { name: 'Create agent' }).click();
    await page.getByRole('heading', { name: 'Night desk' }).waitFor();

    await admin.getByRole('link', { name: 'Audit' }).click();
    await admin.getByRole('row', { name: /Ada \(person\) agent created Night desk/ }).waitFor();
    await admin.getByRole('row', { name: /person updated Ada .*role: admin|role: viewer → admin/ }).waitFor();
    expect(site.complaints()).toEqual([]);
  });

  test('sign in with the identity provider, which leads back with a reason if it cannot', async () => {
    provider.user = { sub: 'bob', name: 'Bob', email: 'bob@example.com', email_verified: true };
    await site.api.post('/api/people', { name: 'Bob', role: 'operator', email: 'bob@example.com' });
    const page = await site.browser.open(await newContext(), `${site.server.url}/login`);
    provider.user = null;
    await page.getByRole('link', { name: 'Sign in with Acme' }).click();
    await page.getByText('You did not sign in at the identity provider.').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);

    provider.user = { sub: 'bob', name: 'Bob', email: 'bob@example.com', email_verified: true };
    await page.getByRole('link', { name: 'Sign in with Acme' }).press('Enter');
    await page.getByText('Your role there: Operator.').waitFor();
    expect(page.url()).not.toContain('token');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('link', { name: 'People' }).click();
    await page
      .getByRole('row', { name: /Bob you bob@example.com Operator joined identity provider/ })
      .waitFor();
    expect(await page.getByRole('button', { name: 'Invite a person' }).count()).toBe(0);
    expect(site.complaints()).toEqual([]);
  });
});

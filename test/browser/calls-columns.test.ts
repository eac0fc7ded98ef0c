import type { BrowserContext, Page } from 'playwright-core';
import { createAgent } from '../support/agents';
import { accessibilityProblems, describeInBrowser, TestBrowser } from '../support/browser';
import { AgentCalls } from '../support/calls';
import { createCampaign, recipientsFile } from '../support/campaigns';
import { chooseFilter, removeFilter } from '../support/filter-bar';
import { type TestWorkspace, useOwnParley } from '../support/parley';
import { signInWith } from '../support/signed-in';
import { until } from '../support/until';
import { useStarted } from '../support/use-started';
import { TestWorker } from '../support/worker';

const USUAL = [
  'Person',
  'Number',
  'Status',
  'Agent',
  'Created',
  'Duration',
  'Credits',
  'End reason',
  'Outcome',
];

describeInBrowser('The columns of the calls in the console', () => {
  const parley = useOwnParley();
  const browser = useStarted(() => TestBrowser.start());
  let context: BrowserContext;
  let workspace: TestWorkspace;
  let calls: AgentCalls;

  const signIn = async () => {
    const signedIn = await browser.newContext();
    await signInWith(signedIn, parley.url, workspace.apiKey);
    return signedIn;
  };
  beforeEach(async () => {
    workspace = await parley.workspace();
    calls = new AgentCalls(workspace.api, await createAgent(workspace));
    await calls.start({ customer_name: 'Ada', external_id: 'crm-4711' });
    context = await signIn();
  });
  afterEach(async () => {
    await context.close();
    expect(browser.complaints.splice(0)).toEqual([]);
  });

  const open = (inContext: BrowserContext) => browser.open(inContext, `${parley.url}/calls`);
  const readHeaders = async (page: Page) =>
    (await page.getByRole('columnheader').allTextContents()).map((text) => text.replace(/\s*[↕↑↓]$/, ''));
  // The first column has the checkboxes that choose two calls to compare.
  const has = (page: Page, headers: string[]) =>
    until(async () => (await readHeaders(page)).join() === ['Choice', ...headers].join());

  test('are chosen with the keyboard, and kept in this browser only', async () => {
    const page = await open(context);
    await has(page, USUAL);
    await page.getByRole('button', { name: 'Columns' }).focus();
    await page.keyboard.press('Enter');
    expect(await page.getByRole('checkbox', { name: 'Number' }).and(page.locator(':focus')).count()).toBe(1);
    await page.keyboard.press('Space');
    await page.getByRole('checkbox', { name: 'External ID' }).focus();
    await page.keyboard.press('Space');
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.keyboard.press('Escape');
    expect(await page.getByRole('button', { name: 'Columns' }).and(page.locator(':focus')).count()).toBe(1);

    const chosen = [...USUAL.filter((name) => name !== 'Number'), 'External ID'];
    await has(page, chosen);
    await page.getByRole('cell', { name: 'crm-4711' }).waitFor();
    await page.reload();
    await has(page, chosen);
    const other = await signIn();
    await has(await open(other), USUAL);
    await other.close();

    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('button', { name: 'Default columns' }).click();
    await has(page, USUAL);
    await page.reload();
    await has(page, USUAL);
  });

  test('have two lines on a phone, and stay those of a table', async () => {
    const page = await open(context);
    await page.setViewportSize({ width: 390, height: 800 });
    const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: 'Ada', exact: true }) });
    await row.waitFor();
    const headers = await readHeaders(page);
    expect(headers).toEqual(['Choice', 'Person', 'Status', 'Agent', 'Created', 'Duration']);
    expect(await row.getByRole('cell').count()).toBe(headers.length);
    const getTop = async (cell: number) => (await row.getByRole('cell').nth(cell).boundingBox())?.y ?? NaN;
    expect(await getTop(3)).toBeGreaterThan(await getTop(1));
    expect(await getTop(3)).toBeGreaterThan(await getTop(2));
  });

  test('include the campaign, whose name leads to its page', async () => {
    const fields = { campaignName: 'Spring reminders' };
    const campaign = await createCampaign(workspace.api, calls.agentId, recipientsFile(1), fields);
    await until(async () => {
      const { body } = await workspace.api.get(`/api/calls?campaign_id=${campaign}`);
      return (body as { data: unknown[] }).data.length === 1;
    });
    const page = await open(context);
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('checkbox', { name: 'Campaign' }).check();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Spring reminders' }).click();
    await page.waitForURL((url) => url.pathname === `/campaigns/${campaign}`);
  });

  test('open the call wherever its row is clicked, but not with the checkbox', async () => {
    const page = await open(context);
    await page.getByRole('row', { name: /Ada/ }).getByRole('checkbox').check();
    const cell = page.getByRole('row', { name: /Ada/ }).getByRole('cell').nth(5);
    const [tab] = await Promise.all([
      context.waitForEvent('page'),
      cell.click({ modifiers: ['ControlOrMeta'] }),
    ]);
    await tab.getByRole('heading', { name: /Ada/ }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/calls');
    await cell.click();
    await page.waitForURL(/\/calls\/[\w-]+$/);
    expect(page.url()).toBe(tab.url());
  });

  test('stand below filters that offer campaigns by name, and the outcomes of calls', async () => {
    const campaign = await createCampaign(workspace.api, calls.agentId, recipientsFile(1), {
      campaignName: 'Spring reminders',
    });
    const worker = await TestWorker.start(parley);
    const call = await (await worker.findOffer(await calls.start({ customer_name: 'Grace' }))).take();
    await call.connected();
    await call.ended({ outcome: 'booked' });
    await calls.reached(call.conversationId, 'disconnected');
    await worker.stop();
    const page = await open(context);

    await chooseFilter(page, 'Outcome', 'booked 1');
    await page.waitForURL((url) => url.searchParams.get('outcome') === 'booked');
    await removeFilter(page, 'Outcome');
    await chooseFilter(page, 'Campaign', 'Spring reminders 1');
    await page.waitForURL((url) => url.searchParams.get('campaign_id') === campaign);
  });

  test('are the usual ones if what the browser keeps is not readable', async () => {
    const page = await open(context);
    await page.evaluate(`localStorage.setItem('parley.columns.calls', '{"number"')`);
    await page.reload();
    await has(page, USUAL);
  });
});

import type { BrowserContext, Page } from 'playwright-core';
import { createAgent } from '../support/agents';
import { accessibilityProblems, describeInBrowser, TestBrowser } from '../support/browser';
import { AgentCalls } from '../support/calls';
import { chooseFilter, filterChip, removeFilter } from '../support/filter-bar';
import { type TestWorkspace, useParley } from '../support/parley';
import { signInWith } from '../support/signed-in';
import { until } from '../support/until';
import { useStarted } from '../support/use-started';

const CALLS = 30;

describeInBrowser('A list of the console', () => {
  const parley = useParley();
  const browser = useStarted(() => TestBrowser.start());
  let context: BrowserContext;
  let workspace: TestWorkspace;
  let agentId: string;

  beforeAll(async () => {
    workspace = await parley.workspace();
    agentId = await createAgent(workspace, { name: 'Night desk' });
    const calls = new AgentCalls(workspace.api, agentId);
    for (let number = 1; number <= CALLS; number += 1)
      await calls.start({ customer_name: `Person ${String(number).padStart(2, '0')}` });
  });
  beforeEach(async () => {
    context = await browser.newContext();
    await signInWith(context, parley.url, workspace.apiKey);
  });
  afterEach(async () => {
    await context.close();
    expect(browser.complaints.splice(0)).toEqual([]);
  });

  const open = (path = '/calls') => browser.open(context, parley.url + path);
  const countRows = (page: Page) => page.locator('tr[data-row]').count();
  const shows = (page: Page, rows: number) => until(async () => (await countRows(page)) === rows);

  test('has as many rows as its reader chooses, on every page of this browser', async () => {
    const page = await open();
    await shows(page, 25);
    await page.getByText('Page 1 of 2').waitFor();
    await page.getByLabel('Rows per page').selectOption('50');

    await shows(page, CALLS);
    expect(await page.getByText('Page 1 of').count()).toBe(0);
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.reload();
    await shows(page, CALLS);
    expect(await page.getByLabel('Rows per page').inputValue()).toBe('50');
  });

  test('leads from one of its calls to the next one by j and k, and Back leads to it', async () => {
    const page = await open('/calls?sortBy=created_at&sortOrder=asc');
    await page.getByRole('link', { name: 'Person 02', exact: true }).click();
    await page.getByRole('heading', { level: 1 }).waitFor();
    const isOf = (name: string) => page.getByRole('main').getByText(name, { exact: true }).first().waitFor();
    await isOf('Person 02');
    await page.keyboard.press('j');
    await isOf('Person 03');
    await page.keyboard.press('k');
    await isOf('Person 02');
    await page.getByRole('link', { name: 'Previous call' }).click();
    await isOf('Person 01');
    expect(await page.getByRole('link', { name: 'Previous call' }).count()).toBe(0);
    await page.goBack();

    await shows(page, 25);
  });

  test.each(['Last week', 'Last month'])('is filtered by a period: %s', async (name) => {
    const page = await open();
    await shows(page, 25);
    await chooseFilter(page, 'Period', name);

    await page.getByText('No call matches these filters.').waitFor();
    await filterChip(page, 'Period', name).and(page.locator(':focus')).waitFor();
  });

  test('has a chip for each filter of its address, which a click changes or removes', async () => {
    const unknown = '019b76da-a800-7000-8000-00000000c0de';
    const page = await open(`/calls?status=queued&campaign_id=${unknown}`);
    await page.getByRole('button', { name: 'Campaign: unknown or deleted (…c0de)' }).waitFor();
    await removeFilter(page, 'Campaign');
    await shows(page, 25);
    await page.getByRole('button', { name: '+ Filter' }).and(page.locator(':focus')).waitFor();

    await chooseFilter(page, 'Status', 'failed');
    await filterChip(page, 'Status', 'queued, failed').waitFor();
    expect(new URL(page.url()).search).toBe('?status=queued&status=failed');
    // The browser itself reports that there is no such campaign.
    expect(browser.complaints.splice(0).every((text) => text.includes('404'))).toBe(true);
  });

  test('is filtered by the keyboard alone, with counts of calls that are read when they are to be seen', async () => {
    const page = await open('/calls?status=queued');
    await shows(page, 25);
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    const focused = (name: string) =>
      page.getByRole('button', { name, exact: true }).and(page.locator(':focus')).waitFor();
    const countSeries = () => browser.requests.filter((url) => url.includes('group_by=agent')).length;
    const before = countSeries();
    await page.getByRole('button', { name: '+ Filter' }).press('Enter');
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.keyboard.type('agent');
    expect(countSeries()).toBe(before);
    await press('Enter');
    await page.getByRole('option', { name: `Night desk ${CALLS}` }).waitFor();
    expect(countSeries()).toBe(before + 1);
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.keyboard.type('no such agent');
    await page.getByText('Nothing found.').waitFor();
    await page.getByRole('combobox', { name: 'Agent' }).fill('night');
    await press('ArrowDown', 'Enter');
    await focused('Agent: Night desk');
    expect(new URL(page.url()).searchParams.get('agent_id')).toBe(agentId);

    await press('Tab');
    await focused('Remove the filter: Agent');
    await press('Enter');
    await focused('+ Filter');
    await page.keyboard.press('Enter');
    await page.keyboard.type('channel');
    await press('Enter');
    await page.getByLabel('Channel').and(page.locator(':focus')).waitFor();
    await press('Escape');
    await focused('+ Filter');
    expect(await page.getByRole('button', { name: 'Channel:' }).count()).toBe(0);
  });
});

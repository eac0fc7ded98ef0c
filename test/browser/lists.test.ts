import type { BrowserContext, Page } from 'playwright-core';
import { createAgent } from '../support/agents';
import { accessibilityProblems, describeInBrowser, TestBrowser } from '../support/browser';
import { AgentCalls } from '../support/calls';
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

  beforeAll(async () => {
    workspace = await parley.workspace();
    const calls = new AgentCalls(workspace.api, await createAgent(workspace));
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
    await page.getByLabel('Period').selectOption(name);

    await page.getByText('No call matches these filters.').waitFor();
    expect(await page.getByLabel('Period').locator('option:checked').textContent()).toBe(name);
  });
});

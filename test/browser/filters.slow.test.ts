import type { BrowserContext, Locator, Page } from 'playwright-core';
import { createAgent } from '../support/agents';
import { closedNow } from '../support/calling-windows';
import { createCampaign, createNumbers, recipientsFile } from '../support/campaigns';
import { accessibilityProblems, describeInBrowser, TestBrowser } from '../support/browser';
import { filterChip, openFilter, typeFilter } from '../support/filter-bar';
import { type TestWorkspace, useOwnParley } from '../support/parley';
import { signInWith } from '../support/signed-in';
import { useStarted } from '../support/use-started';

describeInBrowser('A filter of the console', () => {
  const parley = useOwnParley();
  const browser = useStarted(() => TestBrowser.start());
  let context: BrowserContext;
  let workspace: TestWorkspace;

  beforeAll(async () => {
    workspace = await parley.workspace();
  });
  beforeEach(async () => {
    context = await browser.newContext();
    await signInWith(context, parley.url, workspace.apiKey);
  });
  afterEach(async () => {
    await context.close();
    // A text in the field of a number is refused.
    expect(browser.complaints.splice(0).filter((text) => !text.includes('400'))).toEqual([]);
  });

  const hasFocus = (field: Locator) => field.and(field.page().locator(':focus')).waitFor();

  async function keepsFocus(page: Page, field: Locator, text: string): Promise<void> {
    const name = (await field.getAttribute('name')) ?? '';
    await field.fill(text);
    await field.press('Enter');
    await page.waitForURL((url) => url.searchParams.has(name));
    await hasFocus(field);
  }

  const CALL_TEXTS = ['Name', 'Number', 'Min. duration (s)', 'Max. duration (s)', 'Agent version'];

  test.each([
    ['/calls', [...CALL_TEXTS, 'Channel', 'External ID', 'Runtime ID']],
    ['/settings/audit', ['Actor ID', 'Target ID', 'Request', 'Address']],
    ['/webhooks', ['Call ID']],
  ])('keeps the focus after Enter in each text: %s', async (path, filters) => {
    const page = await browser.open(context, parley.url + path);
    await page.getByRole('button', { name: '+ Filter' }).waitFor();
    for (const filter of filters) {
      const menu = await openFilter(page, filter);
      await keepsFocus(page, menu.getByLabel(filter), '7');
      await page.keyboard.press('Escape');
      await filterChip(page, filter, '7').waitFor();
      expect(await page.evaluate<string>('document.activeElement.localName')).toBe('button');
    }
  });

  test.each(['/campaigns', '/agents', '/knowledge', '/tools', '/do-not-call', '/webhooks'])(
    'keeps the focus after Enter in the search: %s',
    async (path) => {
      const page = await browser.open(context, parley.url + path);
      await keepsFocus(page, page.getByRole('main').getByRole('searchbox'), 'a1');
    },
  );

  test('of the recipients of a campaign keeps the focus after Enter', async () => {
    const id = await createCampaign(workspace.api, await createAgent(workspace), recipientsFile(2), {
      windows: JSON.stringify(closedNow()),
    });
    const page = await browser.open(context, `${parley.url}/campaigns/${id}/recipients`);
    const field = page.getByLabel('Number or name', { exact: true });
    await keepsFocus(page, field, createNumbers(1)[0] as string);
  });

  test('follows the address, and forgets a text that is left with Escape', async () => {
    const page = await browser.open(context, `${parley.url}/calls`);
    await typeFilter(page, 'Channel', 'web');
    await page.waitForURL(/channel=web/);
    await page.goBack();
    await filterChip(page, 'Channel').waitFor({ state: 'detached' });
    await page.goForward();
    await filterChip(page, 'Channel', 'web').waitFor();

    const menu = await openFilter(page, 'Channel');
    await menu.getByLabel('Channel').fill('other');
    await page.keyboard.press('Escape');
    await hasFocus(filterChip(page, 'Channel', 'web'));
    await filterChip(page, 'Channel').click();
    await menu.getByLabel('Channel').fill('voice');
    await page.getByRole('heading', { level: 1 }).click();
    await filterChip(page, 'Channel', 'voice').waitFor();
  });

  test.each(['/calls', '/settings/audit'])(
    'asks for times only if the period has no name: %s',
    async (path) => {
      const page = await browser.open(context, parley.url + path);
      const menu = await openFilter(page, 'Period');
      const from = menu.getByLabel('From', { exact: true });
      const until = menu.getByLabel('Until', { exact: true });
      expect(await from.count()).toBe(0);

      await menu.getByRole('option', { name: 'Custom' }).click();
      await hasFocus(from);
      expect(await accessibilityProblems(page)).toEqual([]);
      await from.fill('2026-03-01T08:00');
      await until.fill('2026-03-01T23:59');
      await until.press('Enter');
      await page.waitForURL(
        ({ searchParams: times }) =>
          times.get('start_date') === '2026-03-01T08:00' && times.get('end_date') === '2026-03-01T23:59',
      );
      await page.reload();
      await filterChip(page, 'Period', '1 Mar, 08:00 – 1 Mar, 23:59').click();
      await from.fill('');
      await until.fill('');
      await until.press('Enter');
      await page.waitForURL((url) => url.search === '');
      await hasFocus(until);

      await menu.getByRole('option', { name: 'Any time' }).click();
      await hasFocus(filterChip(page, 'Period', 'Any time'));
    },
  );

  test.each([1_440, 390])('shows the whole of a time, with AM or PM: %i px wide', async (width) => {
    const american = await browser.newContext({ locale: 'en-US', width });
    await signInWith(american, parley.url, workspace.apiKey);
    const from = '2026-03-01T09:30';
    for (const path of ['/calls', '/settings/audit', '/settings/credits', '/webhooks']) {
      const page = await browser.open(american, `${parley.url}${path}?start_date=${from}&end_date=${from}`);
      await openFilter(page, 'Period');
      await page.locator('[type=datetime-local]').first().waitFor();
      const cut = await page.evaluate<string[]>(`
        [...document.querySelectorAll('[type=datetime-local]')].flatMap((field) => {
          const whole = field.cloneNode();
          whole.style.cssText = 'position: absolute; width: max-content';
          field.after(whole);
          const needed = whole.offsetWidth;
          whole.remove();
          return field.offsetWidth < needed ? [field.name + ' ' + field.offsetWidth + ' < ' + needed] : [];
        })`);
      expect([path, cut]).toEqual([path, []]);
      await page.close();
    }
    await american.close();
    browser.complaints.splice(0);
  });
});

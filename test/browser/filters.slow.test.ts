import type { BrowserContext, Page } from 'playwright-core';
import { createAgent } from '../support/agents';
import { closedNow } from '../support/calling-windows';
import { createCampaign, createNumbers, recipientsFile } from '../support/campaigns';
import { describeInBrowser, TestBrowser } from '../support/browser';
import { type TestWorkspace, useOwnParley } from '../support/parley';
import { signInWith } from '../support/signed-in';
import { useStarted } from '../support/use-started';

/** Pages with filters by time, which narrow screens show if a rare filter is in the address. */
const WITH_TIMES = [
  '/calls?direction=inbound',
  '/settings/audit?ip=127.0.0.1',
  '/settings/credits?kind=hold',
  '/webhooks?conversation_id=a1',
];

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

  const focused = (page: Page) => page.evaluate<string>('document.activeElement.name');

  const VALUES: Record<string, string> = {
    'datetime-local': '2026-03-01T09:30',
    date: '2026-03-01',
    number: '7',
    text: 'a1',
    search: 'a1',
  };

  /** Fills each field of the filters and presses Enter in it. @returns the fields that have the focus afterwards */
  async function focusAfterEnter(page: Page): Promise<[string, string][]> {
    const fields = page.locator('main form input:not([type=checkbox])');
    await fields.first().waitFor();
    const found: [string, string][] = [];
    for (const field of await fields.all()) {
      const name = (await field.getAttribute('name')) as string;
      await field.fill(VALUES[(await field.getAttribute('type')) ?? 'text'] as string);
      await field.press('Enter');
      await page.waitForURL((url) => url.searchParams.has(name));
      found.push([name, await focused(page)]);
    }
    return found;
  }

  test.each([
    ['/calls?direction=inbound&start_date=2026-03-01T09:00', 16],
    ['/settings/audit?ip=127.0.0.1&start_date=2026-03-01T09:00', 6],
    ['/settings/credits?start_date=2026-03-01T09:00', 2],
    ['/webhooks?conversation_id=a1&start_date=2026-03-01T09:00', 4],
    ['/analytics', 2],
    ['/campaigns', 1],
    ['/agents', 1],
    ['/knowledge', 1],
    ['/do-not-call', 1],
  ])('keeps the focus after Enter: %s', async (path, count) => {
    const page = await browser.open(context, parley.url + path);
    const found = await focusAfterEnter(page);
    expect(found.length).toBeGreaterThanOrEqual(Math.min(count, 11));
    expect(found.filter(([name, focus]) => focus !== name)).toEqual([]);
  });

  test('of the recipients of a campaign keeps the focus after Enter', async () => {
    const id = await createCampaign(workspace.api, await createAgent(workspace), recipientsFile(2), {
      windows: JSON.stringify(closedNow()),
    });
    const page = await browser.open(context, `${parley.url}/campaigns/${id}`);
    await page.getByLabel('Number or name', { exact: true }).fill(createNumbers(1)[0] as string);
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.searchParams.has('search'));
    expect(await focused(page)).toBe('search');
  });

  test('follow the address, and leave the focus in the form when all are cleared', async () => {
    const page = await browser.open(context, `${parley.url}/calls`);
    const outcome = page.getByLabel('Outcome');
    await outcome.fill('booked');
    await outcome.press('Enter');
    await page.waitForURL(/outcome=booked/);
    await page.goBack();
    await page.waitForURL((url) => url.search === '');
    expect(await outcome.inputValue()).toBe('');
    await page.goForward();
    await page.waitForURL(/outcome=booked/);
    expect(await outcome.inputValue()).toBe('booked');

    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.waitForURL((url) => url.search === '');
    expect([await outcome.inputValue(), await focused(page)]).toEqual(['', 'number']);
  });

  test.each(['/calls', '/settings/audit'])(
    'asks for times only if the period has no name: %s',
    async (path) => {
      const page = await browser.open(context, parley.url + path);
      const period = page.getByLabel('Period', { exact: true });
      const from = page.getByLabel('From', { exact: true });
      const until = page.getByLabel('Until', { exact: true });
      await period.waitFor();
      expect(await from.count()).toBe(0);

      await period.selectOption('Custom');
      await from.fill('2026-03-01T00:00');
      await until.fill('2026-03-01T23:59');
      await until.press('Enter');
      await page.waitForURL(
        ({ searchParams: times }) =>
          times.get('start_date') === '2026-03-01T00:00' && times.get('end_date') === '2026-03-01T23:59',
      );
      await page.reload();
      await from.waitFor();
      await from.fill('');
      await until.fill('');
      await until.press('Enter');
      await page.waitForURL((url) => url.search === '');
      expect([await from.count(), await focused(page)]).toEqual([1, 'end_date']);

      await period.selectOption('Any time');
      await from.waitFor({ state: 'detached' });
    },
  );

  test.each([1_440, 390])('shows the whole of a time, with AM or PM: %i px wide', async (width) => {
    const american = await browser.newContext({ locale: 'en-US', width });
    await signInWith(american, parley.url, workspace.apiKey);
    const from = '2026-03-01T09:30';
    for (const path of WITH_TIMES) {
      const page = await browser.open(american, `${parley.url}${path}&start_date=${from}&end_date=${from}`);
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

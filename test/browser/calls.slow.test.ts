import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { createAgent } from '../support/agents';
import { accessibilityProblems, describeInBrowser } from '../support/browser';
import { AgentCalls } from '../support/calls';
import { type DemoWorkspace, demoWorkspace } from '../support/demo-workspace';
import { chooseFilter, filterChip, openFilter, removeFilter, typeFilter } from '../support/filter-bar';
import { useOwnParley } from '../support/parley';
import { addPastCalls } from '../support/past-calls';
import { signInWith } from '../support/signed-in';
import { useSignedInBrowser } from '../support/signed-in-browser';
import { until } from '../support/until';

describeInBrowser('The list of calls in the console', () => {
  const parley = useOwnParley();
  let demo: DemoWorkspace;

  beforeAll(async () => {
    demo = await demoWorkspace(parley, 150);
  });
  const site = useSignedInBrowser(parley, () => demo);

  const open = async (path: string) => {
    const page = await site.open(path);
    await page.locator('h1').waitFor();
    return page;
  };
  const readQuery = (page: Page) => new URL(page.url()).searchParams;
  const total = async (query: string) =>
    ((await demo.api.get(`/api/calls?limit=1&${query}`)).body as { pagination: { total: number } }).pagination
      .total;
  const focused = (page: Page) => page.locator(':focus');

  test('is filtered by several statuses and reasons, with the keyboard alone, and the address keeps them', async () => {
    const page = await open('/calls');
    await page.getByRole('button', { name: '+ Filter' }).press('Enter');
    await page.keyboard.type('end reason');
    await page.keyboard.press('Enter');
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await filterChip(page, 'End reason', 'person hung up').waitFor();
    await page.keyboard.type('busy');
    await page.keyboard.press('Enter');
    const button = filterChip(page, 'End reason', 'person hung up, busy');
    await button.waitFor();
    await page.keyboard.press('Escape');

    const expected = await total('disconnect_reason=user_hangup&disconnect_reason=dial_busy');
    await page.getByText(`${expected} total`).waitFor();
    expect(readQuery(page).getAll('disconnect_reason')).toEqual(['user_hangup', 'dial_busy']);
    expect(await page.getByRole('button', { name: '+ Filter' }).and(focused(page)).count()).toBe(1);

    await page.reload();
    await page.getByText(`${expected} total`).waitFor();
    await chooseFilter(page, 'Status', 'failed');
    await page.getByText(`${await total('disconnect_reason=dial_busy')} total`).waitFor();
    await page.keyboard.press('Escape');
    await removeFilter(page, 'End reason');
    await removeFilter(page, 'Status');
    await page.getByText(`${await total('')} total`).waitFor();
    expect([...readQuery(page)]).toEqual([]);
  });

  test('keeps every filter in the address', async () => {
    const page = await open('/calls');
    // The headers of the table sort it, and a filter may leave no row and no table.
    await page.getByRole('button', { name: 'Duration' }).click();
    await page.waitForURL(/sortBy=duration_sec/);
    await typeFilter(page, 'Number', '555');
    await typeFilter(page, 'Name', 'Ada');
    await chooseFilter(page, 'Direction', 'outbound');
    await typeFilter(page, 'Min. duration (s)', '5');
    await typeFilter(page, 'Number', '');
    await page.getByRole('button', { name: '+ Filter' }).and(focused(page)).waitFor();
    await until(() => readQuery(page).has('duration_min') && !readQuery(page).has('number'));

    expect(Object.fromEntries(readQuery(page))).toEqual({
      customer_name: 'Ada',
      direction: 'outbound',
      duration_min: '5',
      sortBy: 'duration_sec',
      sortOrder: 'desc',
    });
    await page
      .getByText(`${await total('customer_name=Ada&direction=outbound&duration_min=5')} total`)
      .waitFor();
    // The API refused the incomplete number with three digits.
    expect(site.browser.complaints.splice(0).every((text) => text.includes('400'))).toBe(true);
  });

  test('names an agent of the filter that is deleted or unknown, and finds an outcome among more than a list shows', async () => {
    const gone = '019b76da-a800-7000-8000-00000000c0de';
    const page = await open(`/calls?agent_id=${gone}`);
    await page.getByText('No call matches').waitFor();
    await filterChip(page, 'Agent', 'unknown or deleted (…c0de)').waitFor();
    // The browser itself reports that there is no such agent.
    expect(site.browser.complaints.splice(0).every((text) => text.includes('404'))).toBe(true);

    const many = await parley.workspace();
    const agentId = await createAgent(many);
    await new AgentCalls(many.api, agentId).start();
    await addPastCalls(
      parley,
      many,
      `SELECT gen_random_uuid() AS id, $2::uuid AS agent_id, now() - interval '1 day' AS created_at,
              'phonecall' AS call_type, 'disconnected' AS status, 60 AS duration_sec, 'result ' || number AS outcome
       FROM generate_series(101, 250) AS number`,
      [agentId],
    );
    await page.goto('about:blank');
    await signInWith(site.context, parley.url, many.apiKey);
    await page.goto(`${parley.url}/calls`);
    const menu = await openFilter(page, 'Outcome');
    await menu.getByText('Type to find one of 50 more.').waitFor();
    await menu.getByRole('combobox').fill('result 250');
    await menu.getByRole('option', { name: 'result 250 1' }).click();
    await page.getByText('1 total').waitFor();
    await openFilter(page, 'Outcome');
    await menu.getByRole('combobox').fill('an older one');
    await page.keyboard.press('Enter');
    await filterChip(page, 'Outcome', 'an older one').and(focused(page)).waitFor();
    await page.getByText('No call matches').waitFor();
    await page.goto('about:blank');
    await signInWith(site.context, parley.url, demo.apiKey);
  });

  test('says that a page is past the end, and leads to the last one', async () => {
    const pages = Math.ceil((await total('')) / 25);
    const page = await open('/calls?page=9999');
    await page.getByText(`Page 9999 is past the end: there are ${pages} pages.`).waitFor();
    expect(await page.getByText('No call matches').isVisible()).toBe(false);

    await page.getByRole('button', { name: 'Last page' }).click();
    await page.getByRole('navigation', { name: `Page ${pages} of ${pages}` }).waitFor();
    expect(readQuery(page).get('page')).toBe(String(pages));
    await page.getByRole('region', { name: 'Calls' }).waitFor();
  });

  test('begins another page at its top, and a return from a call at the row that was left', async () => {
    const page = await open('/calls');
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('Page 2 of').first().waitFor();
    const list = page.getByRole('region', { name: 'Calls' });
    expect(await list.and(focused(page)).count()).toBe(1);
    const top = 'document.querySelector("[role=region]").getBoundingClientRect().top';
    expect(await page.evaluate<number>(top)).toBeGreaterThan(0);
    expect(await page.evaluate<number>(top)).toBeLessThan(200);
    await page.getByRole('row').nth(25).waitFor();

    const row = page.getByRole('row').nth(23).getByRole('link').first();
    const href = await row.getAttribute('href');
    await row.scrollIntoViewIfNeeded();
    const y = await page.evaluate<number>('scrollY');
    expect(y).toBeGreaterThan(100);
    await row.click();
    await page.getByRole('heading', { name: 'What happened' }).waitFor();
    expect(await page.evaluate('scrollY')).toBe(0);
    expect(await page.locator('h1').and(focused(page)).count()).toBe(1);

    await page.goBack();
    await until(async () => (await focused(page).getAttribute('href', { timeout: 1_000 })) === href);
    expect(await page.evaluate('scrollY')).toBe(y);
    expect(await focused(page).isVisible()).toBe(true);
  });

  test('compares two calls side by side, from the list or from a call, in an address of their own', async () => {
    const { body } = await demo.api.get('/api/calls?outcome=renewed&limit=1');
    const [{ call_id: renewed }] = body.data as [{ call_id: string }];
    const page = await open('/calls?status=disconnected');
    const boxes = page.getByRole('checkbox', { name: /^Choose the call with / });
    await boxes.nth(0).check();
    await page.getByText('Select another call to compare.').waitFor();
    await boxes.nth(1).check();
    await boxes.nth(2).check();
    await page.getByText('3 calls are selected. Select two to compare.').waitFor();
    await boxes.nth(1).focus();
    await page.keyboard.press('Space');
    await page.getByRole('link', { name: 'Compare the two calls' }).click();
    await page.getByRole('heading', { name: 'Compare two calls' }).waitFor();
    await page
      .getByRole('heading', { name: /^Transcript: / })
      .nth(1)
      .waitFor();

    await page.goto(`${parley.url}/calls/${renewed}`);
    await page.getByRole('link', { name: 'Compare with…' }).click();
    await page.getByText('Select another call to compare.').waitFor();
    const [, other] = (await demo.api.get('/api/calls?outcome=renewed&limit=2')).body.data as {
      call_id: string;
    }[];
    await page.goto(`${parley.url}/calls/compare?left=${renewed}&right=${other?.call_id}`);
    const row = (name: string) => page.getByRole('row', { name: new RegExp(`^${name}`) });
    await row('Outcome').waitFor();
    expect(await row('Outcome').locator('td').nth(1).innerText()).toBe('renewed');
    expect(await row('Outcome').getByText('(differs)').count()).toBe(0);
    expect(await row('Created').getByText('(differs)').count()).toBe(1);
    expect(await row('Response time, median').locator('td').nth(1).innerText()).toMatch(/^\d\.\d s$/);
    expect(await accessibilityProblems(page)).toEqual([]);
    const created = await row('Created').locator('td').allInnerTexts();
    await page.getByRole('button', { name: 'Swap sides' }).click();
    await until(() => readQuery(page).get('left') === other?.call_id);
    await until(async () => {
      const [name, left, right] = await row('Created').locator('td').allInnerTexts();
      return name === created[0] && left === created[2] && right === created[1];
    });
  });

  test('keeps views under a name for each workspace, and asks before it deletes one', async () => {
    const page = await open('/calls?status=failed&page=2');
    await chooseFilter(page, 'Period', 'Last week');
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('button', { name: 'Save this view' }).click();
    await page.getByLabel('Name of the view').fill('Failures');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.goto(`${parley.url}/calls`);
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('link', { name: 'Failures' }).click();
    await until(() => readQuery(page).get('status') === 'failed' && !readQuery(page).has('page'));

    const other = await parley.workspace();
    const signInAs = async (key: string) => {
      // A request of the open page would come with the session that the sign-in ends.
      await page.goto('about:blank');
      await signInWith(site.context, parley.url, key);
    };
    await signInAs(other.apiKey);
    await page.goto(`${parley.url}/calls?status=failed`);
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('button', { name: 'Save this view' }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(await page.getByRole('link', { name: 'Failures' }).count()).toBe(0);
    await signInAs(demo.apiKey);
    await page.goto(`${parley.url}/calls`);

    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('button', { name: 'Delete this view: Failures' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete the view “Failures”?' });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    const views = page.getByRole('button', { name: 'Views' });
    await views.and(focused(page)).waitFor();
    await views.press('Enter');
    await page.getByRole('link', { name: 'Failures' }).and(focused(page)).waitFor();
    await page.getByRole('button', { name: 'Delete this view: Failures' }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await dialog.waitFor({ state: 'detached' });
    await views.and(focused(page)).waitFor();
    await page.reload();
    await views.click();
    await page.getByText('Set a filter, then save it here as a view.').waitFor();
    expect(await page.getByRole('link', { name: 'Failures' }).count()).toBe(0);
  });

  test('is exported as the server sends it, and a refused export shows an error and saves nothing', async () => {
    const page = await open('/calls?status=failed');
    for (const [button, lines] of [
      ['CSV', (await total('status=failed')) + 1],
      ['JSON lines', await total('status=failed')],
    ] as const) {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: button, exact: true }).click(),
      ]);
      // The browser writes the file to the disk, so the page never has its content.
      expect(download.url()).toMatch(/\/api\/calls\/export\?/);
      expect(
        readFileSync(await download.path(), 'utf8')
          .trimEnd()
          .split('\n'),
      ).toHaveLength(lines);
    }

    const downloads: unknown[] = [];
    page.on('download', (download) => downloads.push(download));
    await page.goto(`${parley.url}/calls?number=12`);
    await page.getByRole('link', { name: 'CSV', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Nothing was exported' });
    await dialog.getByText('number must be a phone number').waitFor();
    await dialog.getByText(/^Request [\da-f-]{36}$/).waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    expect(await page.getByRole('link', { name: 'CSV', exact: true }).and(focused(page)).count()).toBe(1);
    await page.goto(`${parley.url}/calls?customer_name=nobody`);
    await page.getByText('No call matches these filters.').waitFor();
    await page.getByRole('link', { name: 'CSV', exact: true }).click();
    await dialog.getByText('Nothing matches these filters.').waitFor();
    expect(downloads).toEqual([]);
    expect(site.browser.complaints.splice(0).every((text) => text.includes('400'))).toBe(true);
  });

  test('is searched and read with the keyboard', async () => {
    const page = await open('/calls');
    const rows = page.locator('tr[data-row]');
    await rows.first().waitFor();
    for (const [key, index] of [
      ['j', 0],
      ['j', 1],
      ['j', 2],
      ['k', 1],
    ] as const) {
      await page.keyboard.press(key);
      expect(await rows.nth(index).and(focused(page)).count()).toBe(1);
    }
    const id = await rows.nth(1).getAttribute('data-row');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${parley.url}/calls/${id}`);
    await page.keyboard.press('/');
    // The page opens while the user is typing, and does not move the focus.
    await page.keyboard.type('Ada?');
    await page.getByRole('heading', { level: 2, name: 'What happened' }).waitFor();
    await page.getByRole('searchbox').and(focused(page)).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.keyboard.press('Enter');
    await page.waitForURL(`${parley.url}/search?q=Ada%3F`);
    await page.getByText('No call matches.').waitFor();
  });
});

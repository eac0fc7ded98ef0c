import type { Locator, Page } from 'playwright-core';
import { createAgent } from '../support/agents';
import { accessibilityProblems, describeInBrowser } from '../support/browser';
import { AgentCalls } from '../support/calls';
import { createCampaign, recipientsFile } from '../support/campaigns';
import { chooseFilter } from '../support/filter-bar';
import { walkWithTab } from '../support/keyboard';
import { type TestWorkspace, useOwnParley } from '../support/parley';
import { signInWith } from '../support/signed-in';
import { useSignedInBrowser } from '../support/signed-in-browser';
import { findUnreadable } from '../support/unreadable';
import { until } from '../support/until';
import { TestWorker } from '../support/worker';

/** Whether a text can be seen in what scrolls around it. */
async function isSeen(log: Locator, text: string): Promise<boolean> {
  const [around, box] = await Promise.all([
    log.boundingBox(),
    log.getByText(text, { exact: true }).boundingBox(),
  ]);
  return !!around && !!box && box.y >= around.y && box.y + box.height <= around.y + around.height + 1;
}

describeInBrowser('The live page of the console', () => {
  const parley = useOwnParley({ CALL_TTL_SECONDS: '600' });
  let workspace: TestWorkspace;
  let desk: AgentCalls;
  let sales: AgentCalls;

  const site = useSignedInBrowser(parley, async () => {
    workspace = await parley.workspace({ credits: 2_000 });
    desk = new AgentCalls(workspace.api, await createAgent(workspace, { name: 'Front desk' }));
    sales = new AgentCalls(workspace.api, await createAgent(workspace, { name: 'Sales' }));
    return workspace;
  });

  const { open } = site;
  const findRows = (page: Page) => page.locator('tr[data-row]');
  const peopleIn = (page: Page) => findRows(page).locator('td:nth-child(2)').allTextContents();
  const readQuery = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);

  test('lists the longest call first, and sorts by its headers, which the address keeps', async () => {
    for (const customer_name of ['Ada', 'Grace', 'Hedy']) await desk.start({ customer_name });
    const page = await open('/live');
    await page.getByText('3 calls', { exact: true }).waitFor();
    expect(await peopleIn(page)).toEqual(['Ada', 'Grace', 'Hedy']);
    expect(await page.getByRole('columnheader', { name: 'Time' }).getAttribute('aria-sort')).toBe(
      'descending',
    );

    await page.getByRole('button', { name: 'Time' }).focus();
    await page.keyboard.press('Enter');
    await until(async () => (await peopleIn(page))[0] === 'Hedy');
    expect(readQuery(page)).toEqual({ sortBy: 'time', sortOrder: 'asc' });
    await page.getByRole('button', { name: 'Person' }).click();
    await page.reload();
    await until(async () => (await peopleIn(page)).join() === 'Hedy,Grace,Ada');
    await page.goBack();
    await until(
      async () => (await page.getByRole('columnheader', { name: 'Time' }).getAttribute('aria-sort')) !== null,
    );
    expect(await peopleIn(page)).toEqual(['Hedy', 'Grace', 'Ada']);
  });

  test('is filtered by agent, campaign and status, and groups calls with their counts', async () => {
    await desk.start({ customer_name: 'Ada' });
    await desk.start({ customer_name: 'Grace' });
    await sales.start({ customer_name: 'Hedy' });
    const fields = { campaignName: 'Spring reminders' };
    const campaign = await createCampaign(workspace.api, sales.agentId, recipientsFile(2), fields);
    const page = await open('/live');
    await page.getByText('5 calls', { exact: true }).waitFor();

    await chooseFilter(page, 'Agent', 'Sales 3');
    await page.getByText('3 of 5 calls').waitFor();
    await chooseFilter(page, 'Campaign', 'Spring reminders 2');
    await page.getByText('2 of 5 calls').waitFor();
    expect(readQuery(page)).toEqual({ agent_id: sales.agentId, campaign_id: campaign });
    await chooseFilter(page, 'Status', 'connected 0');
    await page.getByText('No call in progress matches these filters.').waitFor();

    await page.goto(`${parley.url}/live?group_by=agent`);
    await page.getByText('5 calls', { exact: true }).waitFor();
    const groups = page.getByRole('rowheader');
    expect(await groups.allTextContents()).toEqual([
      'Front desk: 2 calls, 0 connected, 0 dialing, 2 waiting for a runtime',
      'Sales: 3 calls, 0 connected, 0 dialing, 3 waiting for a runtime',
    ]);
    expect(await accessibilityProblems(page)).toEqual([]);
    await chooseFilter(page, 'Group by', 'Campaign');
    await page.getByText('No campaign: 3 calls').waitFor();
    expect((await groups.allTextContents()).map((text) => text.split(':')[0])).toEqual([
      'No campaign',
      'Spring reminders',
    ]);
  });

  test('shows what was said last in a connected call', async () => {
    const worker = await TestWorker.start(parley);
    const id = await desk.start({ customer_name: 'Ada' });
    const page = await open('/live');
    const row = findRows(page).filter({ hasText: 'Ada' });
    await row.getByText('queued').waitFor();

    const call = await (await worker.findOffer(id)).take();
    await call.connected();
    await row.getByText('connected').waitFor();
    const said = (sequence: number, speaker: string, text: string) =>
      call.transcript([{ sequence, speaker, text, started_at: new Date().toISOString() }]);
    await row.getByText('nothing said yet').waitFor();
    await said(1, 'agent', 'Hello Ada.');
    await row.getByText('Agent: Hello Ada.').waitFor();
    await said(2, 'user', 'Call me on Monday.');
    await row.getByText('Person: Call me on Monday.').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);

    for (const width of [768, 390]) {
      await page.setViewportSize({ width, height: 800 });
      await row.getByText('Person: Call me on Monday.').waitFor();
      expect(await row.getByRole('link', { name: '+15551234567' }).isVisible()).toBe(width === 768);
    }

    await call.ended();
    await page.getByText('No calls in progress.').waitFor();
    await worker.stop();
  });

  test('opens a call in a panel whose transcript follows what is said, with the keyboard too, and hangs it up', async () => {
    const worker = await TestWorker.start(parley);
    const ids: string[] = [];
    for (const customer_name of ['Ada', 'Grace', 'Hedy']) ids.push(await desk.start({ customer_name }));
    const [ada = '', grace = ''] = ids;
    const call = await (await worker.findOffer(ada)).take();
    await call.connected();
    const say = (sequence: number, text: string) =>
      call.transcript([{ sequence, speaker: 'agent', text, started_at: new Date().toISOString() }]);
    for (let turn = 1; turn <= 30; turn += 1) await say(turn, `Sentence ${turn}.`);
    const page = await open('/live');
    const panel = page.getByRole('dialog', { name: /^Front desk called/ });
    const isOf = (name: string) =>
      page
        .getByRole('heading', { name: `Front desk called ${name}` })
        .and(page.locator(':focus'))
        .waitFor();

    await findRows(page).filter({ hasText: 'Ada' }).getByText('connected').click();
    await isOf('Ada');
    const log = panel.getByRole('log', { name: 'Transcript' });
    await log.getByText('Sentence 30.').waitFor();
    await say(31, 'Sentence 31.');
    await log.getByText('Sentence 31.').waitFor();
    await until(() => isSeen(log, 'Sentence 31.'));
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(await walkWithTab(page)).toEqual([]);

    // Somebody who reads what was said before stays there.
    await log.getByText('Sentence 2.', { exact: true }).scrollIntoViewIfNeeded();
    await say(32, 'Sentence 32.');
    await log.getByText('Sentence 32.').waitFor();
    expect(await isSeen(log, 'Sentence 2.')).toBe(true);

    await page.keyboard.press('j');
    await isOf('Grace');
    expect(readQuery(page)).toEqual({ call: grace });
    await page.reload();
    await panel.getByText('Nothing has been said yet.').waitFor();
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    await page.locator(`tr[data-row="${grace}"]:focus`).waitFor();
    expect(readQuery(page)).toEqual({});
    await page.keyboard.press('k');
    await page.keyboard.press('Enter');
    await isOf('Ada');
    await page.goBack();
    await page.locator(`tr[data-row="${ada}"]:focus`).waitFor();
    await page.goForward();

    await page.setViewportSize({ width: 375, height: 812 });
    await isOf('Ada');
    const { x, y, width, height } = (await panel.boundingBox()) ?? {};
    expect({ x, y, width, height }).toEqual({ x: 0, y: 0, width: 375, height: 812 });
    expect(await accessibilityProblems(page, { within: 'dialog' })).toEqual([]);
    expect(await findUnreadable(page, 'dialog h2', 'dialog header a', 'dialog button')).toEqual([]);
    await panel.getByRole('button', { name: 'Hang up' }).click();
    const question = page.getByRole('dialog', { name: 'Hang up this call?' });
    await question.getByText('The call with Ada (+15551234567) ends.').waitFor();
    await question.getByRole('button', { name: 'Hang up' }).click();
    await question.waitFor({ state: 'detached' });
    await call.ended();
    await panel.getByText('ended').waitFor();
    await isOf('Ada');
    await log.getByText('Sentence 32.').waitFor();
    expect(await panel.getByRole('button', { name: 'Hang up' }).count()).toBe(0);
    const { body } = await workspace.api.get('/api/audit?action=call.hang_up_requested');
    expect(body.data).toMatchObject([{ actor: { kind: 'session' }, target: { id: ada } }]);

    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    await page.getByText('2 calls', { exact: true }).waitFor();
    await worker.stop();
  });

  test('shows a viewer the panel, and nothing to change', async () => {
    const id = await desk.start({ customer_name: 'Ada' });
    const { body } = await workspace.api.post('/api/auth/api-keys', { scope: ['read'] });
    await signInWith(site.context, parley.url, body.data.apiKey as string);
    const page = await open(`/live?call=${id}`);

    const panel = page.getByRole('dialog', { name: 'Front desk called Ada' });
    await panel.getByText('Nothing has been said yet.').waitFor();
    expect(await page.getByRole('main').getByRole('button').allTextContents()).not.toContain('Hang up');
    await panel.getByRole('link', { name: 'Open call' }).click();
    await page.waitForURL(`**/calls/${id}`);
    await page.goBack();
    await panel.waitFor();
  });

  test('shows on a phone who is in each call and its headers, with nothing cut off or covered', async () => {
    const worker = await TestWorker.start(parley);
    const id = await desk.start({ customer_name: 'Katherine Johnson' });
    await desk.start({ customer_name: 'Ada Lovelace' });
    await sales.start({ to_number: '+4915112345678' });
    const call = await (await worker.findOffer(id)).take();
    await call.connected();
    const page = await open('/live');
    await page.setViewportSize({ width: 375, height: 812 });
    const person = page.getByRole('link', { name: 'Katherine Johnson' });
    await findRows(page).filter({ has: person }).getByText('nothing said yet').waitFor();
    await page.getByText('3 calls', { exact: true }).waitFor();

    const headers = page.getByRole('columnheader').getByRole('button');
    for (const name of ['Person', 'Status', 'Time']) await headers.getByText(name).waitFor();
    const cells = ['Person', 'Status', 'Time'].map((name) => `[data-header="${name}"]`);
    const found = await findUnreadable(page, 'thead input', 'thead button', '[data-row] input', ...cells);
    expect(found).toEqual([]);

    await call.ended();
    await worker.stop();
  });

  test('hangs up several calls with the keyboard after one question, and names each refusal', async () => {
    for (const customer_name of ['Ada', 'Grace', 'Hedy']) await desk.start({ customer_name });
    const gone = await desk.start({ customer_name: 'Joan' });
    const page = await open('/live');
    await page.getByText('4 calls', { exact: true }).waitFor();
    expect(await walkWithTab(page)).toEqual([]);
    for (const person of ['Grace', 'Hedy', 'Joan'])
      await page.getByRole('checkbox', { name: `Choose the call with ${person}` }).press('Space');
    await page.getByRole('button', { name: 'Hang up 3 calls' }).press('Enter');

    const dialog = page.getByRole('dialog', { name: 'Hang up 3 calls?' });
    await dialog.getByText('All 3 selected calls end.').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await workspace.api.post(`/api/calls/${gone}/hangup`);
    await dialog.getByRole('button', { name: 'Hang up 3 calls' }).press('Enter');

    const result = page.getByRole('alert');
    await result.getByText('The hang-up of 2 of 3 calls was requested. These were refused:').waitFor();
    expect(await result.getByRole('listitem').allTextContents()).toEqual([
      expect.stringMatching(/^Joan: .*ended/i),
    ]);
    await result.and(page.locator(':focus')).waitFor();
    await page.getByText('1 call', { exact: true }).waitFor();
    expect(await peopleIn(page)).toEqual(['Ada']);
    expect(await page.getByRole('button', { name: 'Hang up selected calls' }).isDisabled()).toBe(true);
    // The browser itself reports the refusal.
    expect(site.browser.complaints.splice(0).every((text) => text.includes('409'))).toBe(true);

    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await page.getByRole('button', { name: 'Hang up 1 call' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Hang up 1 call' }).click();
    await page.getByText('The hang-up of 1 call was requested.').waitFor();
    await page.getByText('No calls in progress.').waitFor();
  });

  test('renders only the rows near the window of 1,000 calls, and leads through all with the keyboard', async () => {
    for (let batch = 0; batch < 20; batch += 1)
      await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          desk.start({ customer_name: `Person ${1_000 + batch * 50 + index}` }),
        ),
      );
    const page = await open('/live?sortBy=person&sortOrder=asc');
    await page.getByText('1,000 calls', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Person 1000' }).waitFor();
    expect(await findRows(page).count()).toBeLessThan(60);
    expect(await page.getByRole('table').getAttribute('aria-rowcount')).toBe('1001');
    expect(await accessibilityProblems(page)).toEqual([]);

    for (let row = 0; row < 40; row += 1) await page.keyboard.press('j');
    await page.locator('tr:focus', { hasText: 'Person 1039' }).waitFor();
    await page.evaluate('window.scrollTo(0, document.body.scrollHeight)');
    await page.getByRole('link', { name: 'Person 1999' }).waitFor();
    expect(await findRows(page).count()).toBeLessThan(60);
    expect(await page.getByRole('link', { name: 'Person 1500' }).count()).toBe(0);
    // The row with the focus keeps it outside of the window, so that the keys go on from there.
    await page.keyboard.press('j');
    await page.locator('tr:focus', { hasText: 'Person 1040' }).waitFor();

    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Front desk called Person 1040' }).waitFor();
    await page.evaluate('window.scrollTo(0, document.body.scrollHeight)');
    await page.getByRole('link', { name: 'Person 1999' }).waitFor();
    await page.keyboard.press('j');
    await page.getByRole('heading', { name: 'Front desk called Person 1041' }).waitFor();
    await page.keyboard.press('Escape');
    await page.locator('tr:focus', { hasText: 'Person 1041' }).waitFor();
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await page.getByRole('button', { name: 'Hang up 1,000 calls' }).waitFor();
  }, 120_000);
});

import { readFileSync } from 'node:fs';
import type { BrowserContext, Page } from 'playwright-core';
import { describeInBrowser } from '../support/browser';
import { closedNow } from '../support/calling-windows';
import {
  campaignReached,
  createCampaign,
  createNumbers,
  readCampaign,
  recipientsFile,
} from '../support/campaigns';
import { TestConsole } from '../support/console';
import { until } from '../support/until';

const file = (...lines: string[]) => ({
  name: 'recipients.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(lines.join('\n')),
});

const [FIRST, SECOND] = createNumbers(2) as [string, string];

describeInBrowser('Campaigns in the console', () => {
  let site: TestConsole;
  let agentId: string;
  let context: BrowserContext;

  beforeAll(async () => {
    site = await TestConsole.start();
    const { body } = await site.api.post('/api/agents', {
      type: 'outbound',
      name: 'Front desk',
      greeting: 'Hello {{customer_name}}, see you {{day}}.',
    });
    agentId = (body as { data: { _id: string } }).data._id;
  });
  beforeEach(async () => {
    context = await site.browser.newContext();
  });
  afterEach(async () => {
    await context.close();
    expect(site.complaints()).toEqual([]);
  });
  afterAll(() => site?.stop());

  /** A campaign that dials nobody for hours. */
  const waitingCampaign = async (name: string, recipients = 3, byAgent = agentId) => {
    const fields = { campaignName: name, windows: JSON.stringify(closedNow()) };
    const id = await createCampaign(site.api, byAgent, recipientsFile(recipients), fields);
    await campaignReached(site.api, id, ({ waiting }) => waiting?.reason === 'outside_window');
    return id;
  };
  const findDialog = (page: Page) => page.getByRole('dialog');

  test('are created from a file: its wrong rows are shown, and of a good one the first greetings', async () => {
    const page = await site.open(context, '/campaigns');
    await page.getByRole('link', { name: 'New campaign' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Spring reminders');
    await page.getByLabel('Agent', { exact: true }).selectOption('Front desk');
    const start = page.getByRole('button', { name: 'Start the campaign' });
    await page
      .locator('input[type=file]')
      .setInputFiles(
        file('phone_number,customer_name,day', `${FIRST},Ada,on Monday`, '12,Grace,soon', `${FIRST},,`),
      );

    await page.getByText('2 rows have errors.').waitFor();
    await page.getByRole('row', { name: /^3 the phone number "12"/ }).waitFor();
    await page.getByRole('row', { name: /^4 .*is already in row 2/ }).waitFor();
    expect(await start.isDisabled()).toBe(true);

    const good = file('phone_number,customer_name,day', `${FIRST},Ada,on Monday`, `${SECOND},Grace,soon`);
    await page.locator('input[type=file]').setInputFiles(good);
    await page.getByText('Hello Ada, see you on Monday.').waitFor();
    await page.getByText('Hello Grace, see you soon.').waitFor();
    await page.getByRole('button', { name: 'Remove hours 1' }).click();
    await start.click();

    await page.getByRole('heading', { name: 'Spring reminders' }).waitFor();
    await page.getByText('completed', { exact: true }).first().waitFor();
    await page.getByRole('row', { name: /^reached 2 / }).waitFor();
    const id = new URL(page.url()).pathname.split('/').at(-1) as string;
    expect(await readCampaign(site.api, id)).toMatchObject({ windows: [], recipientCount: 2 });
    await page.getByRole('link', { name: 'Campaigns', exact: true }).click();
    await page.getByRole('row', { name: /^Spring reminders Front desk completed 2 of 2 100%/ }).waitFor();
  });

  test('are created with their hours, retries, rate, start and end', async () => {
    const page = await site.open(context, '/campaigns/new');
    await page.getByLabel('Name', { exact: true }).fill('Later');
    await page.getByLabel('Agent', { exact: true }).selectOption('Front desk');
    // The events are those that the browser sends when a file is dropped.
    const dropped = await page.evaluateHandle(`(() => {
      const transfer = new DataTransfer();
      transfer.items.add(new File(['phone_number,customer_name,day\\n${FIRST},A,B'], 'dropped.csv'));
      return transfer;
    })()`);
    await page.locator('input[type=file]').dispatchEvent('drop', { dataTransfer: dropped });
    await page.getByText('dropped.csv, 1 kB').waitFor();
    // The result of the check moves the fields below it.
    await page.getByText('Hello A, see you B.').waitFor();
    await page.getByLabel('Start', { exact: true }).selectOption('Later');
    await page.getByLabel('Start time').fill('2089-12-01T10:00');
    await page.getByLabel('Time zone').fill('Europe/Berlin');
    await page.getByLabel('Saturday').check();
    await page.getByLabel('From').fill('10:30');
    await page.getByLabel('Until').fill('00:00');
    await page.getByRole('combobox', { name: 'Retry' }).selectOption('2');
    await page.getByLabel('Minutes before attempt 3').fill('120');
    await page.getByLabel('voicemail').check();
    await page.getByLabel('Concurrent calls').fill('4');
    await page.getByLabel('New calls per second').fill('0.5');
    await page.getByLabel('Stop calling at').fill('2090-01-01T00:00');
    await page.getByText('Mon–Sat 10:30–24:00').first().waitFor();
    await page.getByRole('button', { name: 'Schedule the campaign' }).click();

    await page.getByRole('heading', { name: 'Later' }).waitFor();
    const id = new URL(page.url()).pathname.split('/').at(-1) as string;
    const toTime = (text: string) => page.evaluate<string>(`new Date('${text}').toISOString()`);
    expect(await readCampaign(site.api, id)).toMatchObject({
      status: 'scheduled',
      timezone: 'Europe/Berlin',
      windows: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat'], start: '10:30', end: '24:00' }],
      retry: { on: ['dial_busy', 'dial_no_answer', 'voicemail_reached'], max: 2, afterMinutes: [30, 120] },
      concurrency: 4,
      callsPerSecond: 0.5,
      scheduleTime: await toTime('2089-12-01T10:00'),
      expiresAt: await toTime('2090-01-01T00:00'),
    });
  });

  test('show why they wait and until when, and are paused, changed, resumed and cancelled', async () => {
    const id = await waitingCampaign('Autumn');
    const before = site.browser.requests.length;
    const page = await site.open(context, '/campaigns');
    await page.getByRole('row', { name: /Autumn.*running.*0 of 3.*outside calling hours/ }).waitFor();
    const asked = site.browser.requests.slice(before).filter((url) => url.includes('/api/campaign'));
    // The list is read again from time to time.
    expect(asked).not.toEqual([]);
    expect(asked.filter((url) => !url.includes('include=progress'))).toEqual([]);
    await page.getByRole('link', { name: 'Autumn' }).click();
    await page.getByText('Waiting because it is outside calling hours').waitFor();
    await page.getByText(/Resumes at /).waitFor();

    await page.getByRole('button', { name: 'Pause' }).click();
    await findDialog(page).getByRole('button', { name: 'Pause' }).click();
    await page.getByText('Campaign paused.').waitFor();
    expect(await readCampaign(site.api, id)).toMatchObject({ status: 'paused', waiting: null });

    await page.getByRole('button', { name: 'Change' }).click();
    await findDialog(page).getByLabel('Concurrent calls').fill('3');
    await findDialog(page).getByLabel('Saturday').uncheck();
    await findDialog(page).getByRole('combobox', { name: 'Retry' }).selectOption('1');
    await findDialog(page).getByRole('button', { name: 'Save' }).click();
    await page.getByText('Campaign updated.').waitFor();
    expect(await readCampaign(site.api, id)).toMatchObject({
      concurrency: 3,
      windows: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sun'] }],
      retry: { on: ['dial_busy', 'dial_no_answer'], max: 1, afterMinutes: [30] },
    });

    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByText('Campaign resumed.').waitFor();
    expect(await readCampaign(site.api, id)).toMatchObject({ status: 'running' });

    await page.getByRole('button', { name: 'Cancel campaign' }).click();
    await findDialog(page).getByText('3 people still waiting for a call').waitFor();
    await findDialog(page).getByRole('button', { name: 'Keep the campaign' }).click();
    await page.getByRole('button', { name: 'Cancel campaign' }).click();
    await findDialog(page).getByRole('button', { name: 'Cancel campaign' }).click();
    await page.getByText('Campaign cancelled.').waitFor();
    await page.getByRole('row', { name: /^skipped 3 100/ }).waitFor();
    expect(await page.getByRole('button', { name: 'Cancel campaign' }).count()).toBe(0);
    await page.getByRole('cell', { name: 'resumed', exact: true }).waitFor();
    expect(await readCampaign(site.api, id)).toMatchObject({ status: 'cancelled' });
    await page.getByRole('link', { name: 'Campaigns', exact: true }).click();
    await page.getByRole('row', { name: /cancelled 0 of 3 ?3 skipped/ }).waitFor();
  });

  test('list their recipients by state, in pages, and remove one', async () => {
    const id = await waitingCampaign('Many', 30);
    const [number] = createNumbers(30) as [string];
    const page = await site.open(context, `/campaigns/${id}/recipients`);
    const overview = page.getByRole('main').getByRole('link', { name: 'Overview' });
    await page.getByText('30 total', { exact: true }).waitFor();
    const recipients = page.getByRole('region', { name: 'Recipients' });
    expect(await recipients.getByRole('row').count()).toBe(26);

    await page.getByRole('button', { name: `Remove ${number}` }).click();
    await findDialog(page).getByText(`This campaign will not call ${number} again`).waitFor();
    await findDialog(page).getByRole('button', { name: 'Remove' }).click();
    await page.getByText(`${number} has been removed.`).waitFor();

    await overview.click();
    await page.getByRole('link', { name: 'skipped', exact: true }).click();
    await recipients.getByRole('row', { name: new RegExp(`\\${number}.*skipped.*removed`) }).waitFor();
    await page.getByText('1 total', { exact: true }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'CSV' }).click(),
    ]);
    const exported = readFileSync(await download.path(), 'utf8')
      .trimEnd()
      .split('\r\n');
    expect(exported).toEqual([expect.stringMatching(/^phone_number,/), expect.stringContaining(number)]);

    await overview.click();
    await page.getByRole('link', { name: 'not called yet' }).click();
    await page.getByText('29 total', { exact: true }).waitFor();
    await page
      .getByRole('navigation', { name: 'Recipients: Page 1 of 2' })
      .getByRole('button', { name: 'Next' })
      .click();
    await page.getByRole('navigation', { name: 'Recipients: Page 2 of 2' }).waitFor();
    await until(async () => (await recipients.getByRole('row').count()) === 5);
    expect(await readCampaign(site.api, id)).toMatchObject({ progress: { pending: 29, skipped: 1 } });
  });

  test('are listed with the time when they resume if they wait as planned, and need no attention', async () => {
    await waitingCampaign('At night');
    // Before the first call, the overview has its first steps in the place of the campaigns.
    await site.api.post(`/api/agents/${agentId}/calls`, { to_number: FIRST });
    const page = await site.open(context, '/');
    const row = page
      .getByRole('region', { name: 'Running campaigns' })
      .getByRole('row', { name: /At night.*outside calling hours.*resumes at \d+ \w+, \d\d:\d\d/ });
    await row.waitFor();
    await page.getByText('Today', { exact: true }).first().waitFor();
    const problems = page.getByRole('list', { name: 'Needs attention' });
    expect(await problems.getByText('At night').count()).toBe(0);
  });

  test('need attention if they wait for a person, or were paused more than a day ago', async () => {
    const { body } = await site.api.post('/api/agents', { type: 'outbound', name: 'Resting' });
    const resting = (body as { data: { _id: string } }).data._id;
    const names = Array.from({ length: 6 }, (_, index) => `Waiting ${index + 1}`);
    const ids = await Promise.all(names.map((name) => waitingCampaign(name, 3, resting)));
    const forgotten = await waitingCampaign('Forgotten');
    await site.api.post(`/api/campaign/${forgotten}/pause`);
    await site.api.put(`/api/agents/${resting}`, { type: 'outbound', status: false });
    await Promise.all(
      ids.map(async (id) => {
        await site.api.send('PATCH', `/api/campaign/${id}`, { windows: [] });
        await campaignReached(site.api, id, ({ waiting }) => waiting?.reason === 'agent_off');
      }),
    );
    let page = await site.open(context, '/');
    let problems = page.getByRole('list', { name: 'Needs attention' });
    for (const name of names) await problems.getByText(`The campaign “${name}” is not dialing.`).waitFor();
    expect(await problems.getByText('Forgotten').count()).toBe(0);
    const agentLink = problems.getByRole('link', { name: 'Open the agent' }).first();
    expect(await agentLink.getAttribute('href')).toBe(`/agents/${resting}`);

    await context.close();
    context = await site.browser.newContext({ daysAhead: 2 });
    page = await site.open(context, '/');
    problems = page.getByRole('list', { name: 'Needs attention' });
    await problems.getByText('The campaign “Forgotten” is paused.').waitFor();
    const items = await problems.getByRole('listitem').allInnerTexts();
    expect(items.findIndex((text) => text.includes('Forgotten'))).toBe(items.length - 1);
    await problems.getByRole('button', { name: 'Resume' }).click();
    await problems.getByText('Forgotten').waitFor({ state: 'detached' });
    expect(await readCampaign(site.api, forgotten)).toMatchObject({ status: 'running' });
  });

  test('ask before the user leaves an upload, and stop it on request', async () => {
    const page = await site.open(context, '/campaigns/new');
    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      asked.push(dialog.message());
      void dialog.dismiss();
    });
    // The upload never ends, as on a very slow connection.
    await page.route('**/api/campaign/validate', () => undefined);
    const wouldLeave = () =>
      page.evaluate<boolean>(`dispatchEvent(new Event('beforeunload', { cancelable: true }))`);
    expect(await wouldLeave()).toBe(true);
    await page.getByLabel('Agent', { exact: true }).selectOption('Front desk');
    await page.locator('input[type=file]').setInputFiles(file('phone_number', FIRST));
    await page.getByRole('progressbar').waitFor();

    expect(await wouldLeave()).toBe(false);
    await page.getByRole('link', { name: 'Numbers' }).click();
    expect(asked).toEqual([expect.stringContaining('the upload ends')]);
    expect(new URL(page.url()).pathname).toBe('/campaigns/new');

    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('or drop it here').waitFor();
    expect(await wouldLeave()).toBe(true);
    await page.unroute('**/api/campaign/validate');

    await page.route('**/api/campaign', () => undefined);
    await page.getByLabel('Name', { exact: true }).fill('Stopped');
    const good = file('phone_number,customer_name,day', `${FIRST},Ada,today`);
    await page.locator('input[type=file]').setInputFiles(good);
    await page.getByText('1 person will be called.').waitFor();
    await page.getByRole('button', { name: 'Start the campaign' }).click();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('progressbar').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Numbers' }).click();
    await page.getByRole('heading', { name: 'Phone numbers' }).waitFor();
    expect(asked).toHaveLength(1);
    const { body } = await site.api.get('/api/campaign?search=Stopped');
    expect((body as { data: object[] }).data).toEqual([]);
  });

  test('show for each waiting recipient why no call is made now', async () => {
    const id = await waitingCampaign('Summer reminders', 1);
    const page = await site.open(context, `/campaigns/${id}/recipients`);
    await page.getByRole('button', { name: `Why not called? ${FIRST}` }).click();
    await findDialog(page).getByText('It is outside the calling hours of this recipient.').waitFor();
    await findDialog(page).getByText('Until').waitFor();
    await findDialog(page).getByRole('button', { name: 'Close' }).click();

    await site.api.post(`/api/campaign/${id}/pause`);
    await page.getByRole('button', { name: `Why not called? ${FIRST}` }).click();
    await findDialog(page).getByText('The campaign is paused.').waitFor();
  });
});

import type { BrowserContext, Page } from 'playwright-core';
import { accessibilityProblems, describeInBrowser } from '../support/browser';
import { campaignReached, createCampaign, csv } from '../support/campaigns';
import { TestConsole } from '../support/console';
import { filterChip } from '../support/filter-bar';

/** The simulated runtime talks to the first two, reaches the voicemail of the third, and finds the line of the last busy. */
const NUMBERS = ['+15552000010', '+15552000011', '+15552000103', '+15552000201'];

describeInBrowser('The console tells people who were reached from voicemails', () => {
  let site: TestConsole;
  let context: BrowserContext;
  let campaignId: string;

  beforeAll(async () => {
    site = await TestConsole.start();
    const { body } = await site.api.post('/api/agents', { type: 'outbound', name: 'Front desk' });
    const agentId = (body as { data: { _id: string } }).data._id;
    campaignId = await createCampaign(site.api, agentId, csv(['phone_number', ...NUMBERS].join('\n')), {
      retry: JSON.stringify({ on: ['dial_busy'], max: 1, afterMinutes: [60] }),
    });
    await campaignReached(
      site.api,
      campaignId,
      ({ progress }) => progress.disconnected === 3 && progress.retrying === 1,
    );
  });
  beforeEach(async () => {
    context = await site.browser.newContext();
  });
  afterEach(async () => {
    await context.close();
    expect(site.complaints()).toEqual([]);
  });
  afterAll(() => site?.stop());

  const findRow = (page: Page, table: string, name: RegExp) =>
    page.getByRole('table', { name: table }).getByRole('row', { name }).waitFor();

  test('in the progress of a campaign, whose last calls include those to be called again', async () => {
    const page = await site.open(context, `/campaigns/${campaignId}`);
    await findRow(page, 'Progress', /^reached 2 50%/);
    await findRow(page, 'Progress', /^voicemail 1 25%/);
    await findRow(page, 'Progress', /^to be called again 1 25%/);
    await page.getByText('Last call of 4 people, 1 of whom will be called again.').waitFor();
    await findRow(page, 'How the last calls ended', /^busy 1 1/);
    await findRow(page, 'How the last calls ended', /^voicemail 1 0/);
    expect(await accessibilityProblems(page)).toEqual([]);

    await page.getByRole('link', { name: 'voicemail', exact: true }).click();
    await page.getByText('1 total').first().waitFor();
    await findRow(page, 'Recipients', /^\+15552000103 .*voicemail/);
    await filterChip(page, 'Result', 'voicemail').waitFor();
  });

  const TODAY = 'Today compared with the same day of last week';

  test('in the sums of the overview and the analytics', async () => {
    const page = await site.open(context, '/');
    await page.getByText('Show as tables').click();
    await findRow(page, TODAY, /^Connected 3 /);
    await findRow(page, TODAY, /^Reached a person 2 /);
    await findRow(page, TODAY, /^Reached voicemail 1 /);

    await page.goto(`${site.server.url}/analytics?group_by=agent`);
    await page.getByText('Show as a table').click();
    await findRow(page, 'Total', /^Connected 3 /);
    await findRow(page, 'Total', /^Reached a person 2 /);
    await findRow(page, 'Total', /^Reached voicemail 1 /);
    expect(await accessibilityProblems(page)).toEqual([]);
  });
});

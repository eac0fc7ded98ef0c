import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { BrowserContext } from 'playwright-core';
import { createAgent } from '../support/agents';
import { accessibilityProblems, describeInBrowser, TestBrowser } from '../support/browser';
import { AgentCalls } from '../support/calls';
import { readCampaign } from '../support/campaigns';
import { type TestWorkspace, useParley } from '../support/parley';
import { addPastCalls } from '../support/past-calls';
import { signInWith } from '../support/signed-in';
import { useStarted } from '../support/use-started';

const FILE = {
  name: 'recipients.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from('phone,name\n(212) 555-0101,Ada\n12,Bob\n212.555.0101,Eve\n0044 20 7946 0104,Max\n'),
};

describeInBrowser('A new campaign', () => {
  const parley = useParley();
  const browser = useStarted(() => TestBrowser.start());
  let workspace: TestWorkspace;
  let agentId: string;
  let context: BrowserContext;

  beforeAll(async () => {
    workspace = await parley.workspace();
    agentId = await createAgent(workspace);
    const agent = { name: 'Front desk', type: 'outbound', greeting: 'Hello {{customer_name}}.' };
    await workspace.api.put(`/api/agents/${agentId}`, agent);
    await new AgentCalls(workspace.api, agentId).start();
  });
  beforeEach(async () => {
    context = await browser.newContext({ timezoneId: 'UTC' });
    await signInWith(context, parley.url, workspace.apiKey);
  });
  afterEach(async () => {
    await context.close();
    expect(browser.complaints.splice(0)).toEqual([]);
  });

  /** Adds calls of yesterday at this hour. */
  const addCalls = (hour: number, calls: number, connected: number, callType = 'phonecall') => {
    const day = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
    const rows = Array.from({ length: calls }, (_, index) => ({
      id: randomUUID(),
      agent_id: agentId,
      call_type: callType,
      created_at: `${day}T${String(hour).padStart(2, '0')}:${String(index % 60).padStart(2, '0')}:00Z`,
      ...(index < connected
        ? { status: 'disconnected', duration_sec: 60, disconnect_reason: 'user_hangup' }
        : { status: 'failed', duration_sec: 0, disconnect_reason: 'dial_no_answer' }),
    }));
    return addPastCalls(
      parley,
      workspace,
      `SELECT * FROM jsonb_to_recordset($2::jsonb) AS past (
         id uuid, agent_id uuid, call_type text, created_at timestamptz, status text, duration_sec int,
         disconnect_reason text)`,
      [JSON.stringify(rows)],
    );
  };

  test('takes the good rows of a file, hands back the others, and reads numbers as people write them', async () => {
    const page = await browser.open(context, `${parley.url}/campaigns/new`);
    await page.getByLabel('Name', { exact: true }).fill('Spring');
    await page.getByLabel('Agent', { exact: true }).selectOption('Front desk');
    await page.locator('input[type=file]').setInputFiles(FILE);
    await page.getByText('4 rows have errors.').waitFor();
    await page.getByLabel('Default country').selectOption('United States');

    await page.getByText('2 rows have errors.').waitFor();
    await page
      .getByRole('row', { name: /^3 the phone number "12" is not a possible number of US/ })
      .waitFor();
    await page.getByRole('row', { name: /^4 \+12125550101 is already in row 2/ }).waitFor();
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download these rows' }).click(),
    ]);
    expect(saved.suggestedFilename()).toBe('rows-with-errors.csv');
    expect(readFileSync(await saved.path(), 'utf8').split('\r\n')).toEqual([
      'phone,name,row_error',
      expect.stringMatching(/^12,Bob,/) as string,
      '212.555.0101,Eve,+12125550101 is already in row 2',
      '',
    ]);
    const start = page.getByRole('button', { name: 'Start the campaign' });
    expect(await start.isDisabled()).toBe(true);
    expect(await accessibilityProblems(page)).toEqual([]);

    await page.getByLabel('Create the campaign without these 2 rows').check();
    await start.click();
    await page.getByRole('heading', { name: 'Spring' }).waitFor();

    const id = new URL(page.url()).pathname.split('/').at(-1) as string;
    const { body } = await workspace.api.get(`/api/campaign/${id}/recipients`);
    const found = (body as { data: { phone_number: string }[] }).data.map(({ phone_number }) => phone_number);
    expect(found).toEqual(['+12125550101', '+442079460104']);
  });

  test('has a sample file, which it takes', async () => {
    const page = await browser.open(context, `${parley.url}/campaigns/new`);
    await page.getByLabel('Agent', { exact: true }).selectOption('Front desk');
    const [sample] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download a sample file' }).click(),
    ]);
    await page.locator('input[type=file]').setInputFiles({
      name: sample.suggestedFilename(),
      mimeType: 'text/csv',
      buffer: readFileSync(await sample.path()),
    });
    await page.getByText('2 people will be called.').waitFor();
    await page.getByText('Hello Ada Brandt.').waitFor();
  });

  test('shows the hours in which people answered most often, and takes them as its calling hours', async () => {
    await addCalls(9, 40, 8);
    await addCalls(17, 40, 24);
    await addCalls(18, 40, 32);
    await addCalls(9, 80, 80, 'webcall');
    const page = await browser.open(context, `${parley.url}/campaigns/new`);
    await page.getByLabel('Name', { exact: true }).fill('Best hours');
    await page.getByLabel('Agent', { exact: true }).selectOption('Front desk');
    await page.getByText(/answered this agent most often at .* \(70%\)\. .* 53% were answered\.$/).waitFor();

    await page.getByRole('button', { name: 'Use these hours' }).click();
    expect(await page.getByLabel('From', { exact: true }).inputValue()).toBe('17:00');
    expect(await page.getByLabel('Until', { exact: true }).inputValue()).toBe('19:00');
    await page.locator('input[type=file]').setInputFiles({
      ...FILE,
      buffer: Buffer.from('phone\n+12125550107\n'),
    });
    await page.getByText('1 person will be called.').waitFor();
    await page.getByRole('button', { name: 'Start the campaign' }).click();
    await page.getByRole('heading', { name: 'Best hours' }).waitFor();

    const id = new URL(page.url()).pathname.split('/').at(-1) as string;
    expect(await readCampaign(workspace.api, id)).toMatchObject({
      timezone: 'UTC',
      windows: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], start: '17:00', end: '19:00' }],
    });
  });
});

import type { BrowserContext } from 'playwright-core';
import { createAgent } from '../support/agents';
import { describeInBrowser, TestBrowser } from '../support/browser';
import { AgentCalls } from '../support/calls';
import { closedNow } from '../support/calling-windows';
import { campaignReached, createCampaign, recipientsFile } from '../support/campaigns';
import { type TestWorkspace, useOwnParley } from '../support/parley';
import { addPastCalls } from '../support/past-calls';
import { signInWith } from '../support/signed-in';
import { until } from '../support/until';
import { useStarted } from '../support/use-started';
import { TestWorker } from '../support/worker';

describeInBrowser('Times and shares in the console', () => {
  const parley = useOwnParley();
  const browser = useStarted(() => TestBrowser.start());
  let context: BrowserContext;
  let workspace: TestWorkspace;
  let calls: AgentCalls;

  const signedIn = async (look: { locale?: string; timezoneId?: string } = {}) => {
    context = await browser.newContext(look);
    await signInWith(context, parley.url, workspace.apiKey);
  };
  const open = (path: string) => browser.open(context, parley.url + path);

  beforeEach(async () => {
    workspace = await parley.workspace();
    calls = new AgentCalls(workspace.api, await createAgent(workspace));
  });
  afterEach(async () => {
    await context.close();
    expect(browser.complaints.splice(0)).toEqual([]);
  });

  test('count during a call, on the page of the call too', async () => {
    const worker = await TestWorker.start(parley);
    const id = await calls.start();
    const taken = await (await worker.findOffer(id)).take();
    await taken.connected();
    await calls.reached(id, 'connected');
    await signedIn();
    const page = await open(`/calls/${id}`);

    const duration = page.locator('div:has(> dt:text-is("Duration")) > dd');
    await duration.waitFor();
    const seconds = async () => Number((await duration.textContent())?.split(':')[1]);
    const first = await seconds();
    await until(async () => (await seconds()) > first + 1);

    await taken.ended();
    await calls.reached(id, 'disconnected');
    await worker.stop();
  });

  test('are written by the language of the browser in tables and dialogs, in a zone that the page names', async () => {
    await calls.start({ customer_name: 'Ada' });
    await signedIn({ locale: 'en-US', timezoneId: 'America/New_York' });
    const page = await open('/calls');
    await page.getByRole('row', { name: /Ada.* \d{1,2}:\d\d [AP]M / }).waitFor();
    await page.getByText('Times in America/New_York').first().waitFor();
    await page.goto(`${parley.url}/settings`);
    await page.getByRole('button', { name: /^End the session of .* since .*\d{1,2}:\d\d [AP]M$/ }).waitFor();
    await context.close();

    await signedIn({ locale: 'de-DE', timezoneId: 'Europe/Berlin' });
    const other = await open('/calls');
    await other.getByRole('row', { name: /Ada.* \d\d:\d\d / }).waitFor();
    await other.getByText('Times in Europe/Berlin').first().waitFor();
    expect(await other.getByText(/\d [AP]M/).count()).toBe(0);
  });

  test('of a campaign are by its clock, which is named', async () => {
    const id = await createCampaign(workspace.api, calls.agentId, recipientsFile(1), {
      windows: JSON.stringify(closedNow()),
      timezone: 'Asia/Tokyo',
    });
    await campaignReached(workspace.api, id, ({ waiting }) => waiting !== null);
    await signedIn({ timezoneId: 'America/New_York' });
    const page = await open(`/campaigns/${id}`);
    await page.getByText(/Resumes at .*\(Asia\/Tokyo\)/).waitFor();
    await page.getByText('Times are in Asia/Tokyo, the campaign’s zone.').waitFor();
    const { body } = await workspace.api.get(`/api/campaign/${id}`);
    const { createdAt } = body.data as { createdAt: string };
    const clock = { hour: '2-digit', minute: '2-digit', timeZone: 'Asia/Tokyo' } as const;
    const created = new Intl.DateTimeFormat('en-GB', clock).format(new Date(createdAt));
    await page.locator('div:has(> dt:text-is("Created")) > dd', { hasText: created }).waitFor();
  });

  test('compare a share in percentage points', async () => {
    await calls.start();
    const add = (day: string, connected: number, failed: number) =>
      addPastCalls(
        parley,
        workspace,
        `SELECT gen_random_uuid() AS id, $2::uuid AS agent_id, $3::timestamptz AS created_at, 'phonecall' AS call_type,
                CASE WHEN number <= $4::int THEN 'disconnected' ELSE 'failed' END AS status, 60 AS duration_sec
         FROM generate_series(1, $4::int + $5::int) AS number`,
        [calls.agentId, `${day}T12:00:00Z`, connected, failed],
      );
    await add('2026-03-04', 161, 39);
    await add('2026-03-11', 829, 171);
    await signedIn();
    const page = await open('/analytics?start=2026-03-09&end=2026-03-15&timezone=UTC');
    await page.getByText('Show as a table').click();
    await page.getByRole('row', { name: /^Answer rate 82\.9% 80\.5% ▲? ?\+2\.4 pts/ }).waitFor();
    await page.getByRole('row', { name: /^Calls 1,000 200 ▲? ?\+400%/ }).waitFor();
  });
});

import type { BrowserContext, Page } from 'playwright-core';
import { createAgent } from '../support/agents';
import { accessibilityProblems, describeInBrowser, TestBrowser } from '../support/browser';
import { AgentCalls } from '../support/calls';
import { type TestWorkspace, useParley } from '../support/parley';
import { addPastCalls } from '../support/past-calls';
import { signInWith } from '../support/signed-in';
import { until } from '../support/until';
import { useStarted } from '../support/use-started';

/** The day that the browser takes for today. */
const DAY = '2026-03-04';

const CALLS = [
  ...['disconnected', 'failed', 'failed', 'failed'].map((status) => ({ status })),
  ...['disconnected', 'disconnected'].map((status) => ({ status, direction: 'inbound' })),
  { status: 'disconnected', call_type: 'webcall' },
];

describeInBrowser('The overview and the agents', () => {
  const parley = useParley();
  const browser = useStarted(() => TestBrowser.start());
  let workspace: TestWorkspace;
  let context: BrowserContext;

  beforeAll(async () => {
    workspace = await parley.workspace();
    const agentId = await createAgent(workspace);
    await workspace.api.put(`/api/agents/${agentId}`, { name: 'Front desk', type: 'hybrid' });
    await new AgentCalls(workspace.api, agentId).start();
    await addPastCalls(
      parley,
      workspace,
      `SELECT gen_random_uuid() AS id, $2::uuid AS agent_id, $3::timestamptz AS created_at, 60 AS duration_sec,
              status, COALESCE(direction, 'outbound') AS direction, COALESCE(call_type, 'phonecall') AS call_type
       FROM jsonb_to_recordset($4::jsonb) AS past (status text, direction text, call_type text)`,
      [agentId, `${DAY}T09:30:00Z`, JSON.stringify(CALLS)],
    );
  });
  const signInOn = async (day: string) => {
    context = await browser.newContext({ timezoneId: 'UTC' });
    await signInWith(context, parley.url, workspace.apiKey);
    await context.clock.install({ time: `${day}T12:00:00Z` });
  };
  beforeEach(() => signInOn(DAY));
  afterEach(async () => {
    await context.close();
    expect(browser.complaints.splice(0)).toEqual([]);
  });

  const open = (path: string) => browser.open(context, parley.url + path);

  const shows = (page: Page, ...figures: string[]) =>
    until(async () => {
      const tiles = page.getByRole('list', { name: /^Today compared/ }).getByRole('listitem');
      const texts = (await tiles.allInnerTexts()).map((text) => text.replace(/\s+/g, ' '));
      return figures.every((figure) => texts.some((text) => text.startsWith(figure)));
    });

  test('count outbound phone calls of today, or those that the address chooses, and say so', async () => {
    const page = await open('/');
    await shows(page, 'Calls 4', 'Answer rate 25%', 'Failed 3', 'Talk time 1:00');
    await page.getByText('Only outbound phone calls are counted (4 of 7), not inbound calls').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);

    const choice = page.getByLabel('Calls counted', { exact: true });
    await choice.selectOption('Inbound');
    await shows(page, 'Calls 2', 'Answer rate 100%');
    await page.reload();
    await shows(page, 'Calls 2', 'Answer rate 100%');
    await page.getByText('Only inbound phone calls are counted (2 of 7), not outbound calls').waitFor();

    await choice.selectOption('Web and tests');
    await shows(page, 'Calls 1', 'Answer rate 100% small sample: 1 call');
    await page.getByText('Only web calls are counted (1 of 7)').waitFor();
    await page.getByText('Calls counted: Web and tests.').waitFor();

    await choice.selectOption('All calls');
    await shows(page, 'Calls 7', 'Answer rate 57.1%');
    await page.getByText('inbound and web calls, with tests in the browser.').waitFor();
    await choice.selectOption('Outbound');
    await page.waitForURL(`${parley.url}/`);
    await shows(page, 'Calls 4');
  });

  test('show no talk time and no average duration on a day without calls', async () => {
    await context.close();
    await signInOn('2026-03-05');
    const page = await open('/');
    await shows(page, 'Calls 0', 'Talk time –', 'Average duration –');
  });

  test('show of an agent all its calls, and how many of its outbound phone calls were connected', async () => {
    const page = await open('/agents');
    // The call of now is in progress.
    const row = page.getByRole('row', { name: /^Front desk .* 8 38% 20% / });
    await row.waitFor();
    expect(await row.locator('[title="1 / 5"]').count()).toBe(1);
    await page.getByRole('columnheader', { name: 'Connected, outbound' }).waitFor();
  });
});

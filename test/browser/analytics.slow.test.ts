import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { BrowserContext, Page } from 'playwright-core';
import { createAgent } from '../support/agents';
import { accessibilityProblems, describeInBrowser, TestBrowser } from '../support/browser';
import { AgentCalls } from '../support/calls';
import { closedNow } from '../support/calling-windows';
import { createCampaign, recipientsFile } from '../support/campaigns';
import { chooseFilter, filterChip } from '../support/filter-bar';
import { addMeasuredCalls } from '../support/measurements';
import { type TestWorkspace, useOwnParley } from '../support/parley';
import { addPastCalls } from '../support/past-calls';
import { signInWith } from '../support/signed-in';
import { until } from '../support/until';
import { useStarted } from '../support/use-started';

/** Two weeks of March 2026, each from a Monday. */
const PERIOD = 'start=2026-03-02&end=2026-03-15&timezone=UTC&compare=no';

interface PastCall {
  at: string;
  agent?: number;
  version?: number;
  campaign?: boolean;
  outcome?: string;
  seconds?: number;
  isFailed?: boolean;
  reason?: string;
  direction?: 'inbound';
  callType?: 'webcall';
}

/** The calls of the first Monday, of the second one, and of two other days, and last those that no rate counts. */
const CALLS: PastCall[] = [
  { at: '2026-03-02T09:10:00Z', outcome: 'booked', seconds: 120 },
  { at: '2026-03-02T09:20:00Z', outcome: 'booked', seconds: 60, version: 2 },
  { at: '2026-03-02T09:59:59.500Z', reason: 'voicemail_reached', seconds: 20 },
  { at: '2026-03-09T09:30:00Z', outcome: 'refused', seconds: 30, agent: 1, campaign: true },
  { at: '2026-03-10T14:00:00Z', isFailed: true, reason: 'dial_busy', agent: 1, campaign: true },
  { at: '2026-03-10T14:30:00Z', isFailed: true, reason: 'dial_busy', agent: 1 },
  { at: '2026-03-15T23:59:59Z', outcome: 'booked', seconds: 90 },
  { at: '2026-03-09T09:40:00Z', seconds: 60, agent: 1, direction: 'inbound' },
  { at: '2026-03-09T09:50:00Z', seconds: 60, agent: 1, direction: 'inbound' },
  { at: '2026-03-07T11:00:00Z', seconds: 60, agent: 1, callType: 'webcall' },
];

describeInBrowser('The analytics', () => {
  const parley = useOwnParley();
  const browser = useStarted(() => TestBrowser.start());
  let workspace: TestWorkspace;
  let agents: string[];
  let campaignId: string;
  let context: BrowserContext;

  beforeAll(async () => {
    workspace = await parley.workspace();
    agents = [await createAgent(workspace), await createAgent(workspace)];
    for (const [place, name] of ['Front desk', 'Renewals'].entries()) {
      const agent = { name, type: 'outbound', prompt: 'Ask for the day.' };
      await workspace.api.put(`/api/agents/${agents[place]}`, agent);
    }
    campaignId = await createCampaign(workspace.api, agents[1] as string, recipientsFile(1), {
      campaignName: 'Reminders',
      windows: JSON.stringify(closedNow()),
    });
    await new AgentCalls(workspace.api, agents[0] as string).start();
    const rows = CALLS.map(
      ({ at, agent = 0, version = 1, campaign, outcome = '', seconds = 0, ...call }) => ({
        id: randomUUID(),
        agent_id: agents[agent],
        agent_version: version,
        campaign_id: campaign ? campaignId : null,
        created_at: at,
        direction: call.direction ?? 'outbound',
        call_type: call.callType ?? 'phonecall',
        status: call.isFailed ? 'failed' : 'disconnected',
        duration_sec: seconds,
        disconnect_reason: call.reason ?? 'user_hangup',
        outcome,
      }),
    );
    await addPastCalls(
      parley,
      workspace,
      `SELECT * FROM jsonb_to_recordset($2::jsonb) AS past (
         id uuid, agent_id uuid, agent_version int, campaign_id uuid, created_at timestamptz, direction text,
         call_type text, status text, duration_sec int, disconnect_reason text, outcome text)`,
      [JSON.stringify(rows)],
    );
    // The first calls of both agents are answered after 1 s and 2 s, and after 4 s.
    const answered = (row: number, fields: object, ...gaps: number[]) => ({
      id: rows[row]?.id ?? '',
      fields,
      turns: gaps.flatMap((gap, index): [['user', number, number], ['agent', number, number]] => [
        ['user', 10 * index, 10 * index + 1],
        ['agent', 10 * index + 1 + gap, 10 * index + 8],
      ]),
    });
    await addMeasuredCalls(parley, [
      answered(0, { stt_seconds: 90, stt_provider: 'deepgram' }, 1, 1, 1, 2),
      answered(3, { llm_tokens: 1_200 }, 4),
    ]);
  });
  beforeEach(async () => {
    context = await browser.newContext();
    await signInWith(context, parley.url, workspace.apiKey);
  });
  afterEach(async () => {
    await context.close();
    expect(browser.complaints.splice(0)).toEqual([]);
  });

  const open = (query = '') => browser.open(context, `${parley.url}/analytics?${PERIOD}${query}`);

  /** The large figures by their names. */
  async function readFigures(page: Page): Promise<Record<string, string>> {
    const items = page.getByRole('list', { name: 'Total' }).getByRole('listitem');
    await items.first().waitFor();
    const texts = await Promise.all(
      (await items.all()).map((item) => item.locator('> span').allInnerTexts()),
    );
    return Object.fromEntries(texts.map(([name, value]) => [name, value]));
  }

  const readRows = async (page: Page, name: string): Promise<string[][]> => {
    const rows = page.getByRole('table', { name, exact: true }).locator('tbody tr');
    await rows.first().waitFor();
    return Promise.all((await rows.all()).map((row) => row.locator('td').allInnerTexts()));
  };

  /** The number of calls in the list that a click opened. */
  async function listed(page: Page): Promise<number> {
    await page.waitForURL(/\/calls\?/);
    const total = page.getByText(/^\d+ total$/).first();
    await total.waitFor();
    return Number.parseInt((await total.textContent()) ?? '', 10);
  }

  /** The tooltips of a chart, which the keyboard shows one after the other. */
  async function readTooltips(page: Page, chart: string): Promise<string[]> {
    const slider = page.getByRole('slider', { name: `${chart}: values` });
    await slider.focus();
    const found: string[] = [];
    const last = Number(await slider.getAttribute('max'));
    for (let place = 0; place <= last; place++) {
      await page.keyboard.press(place === 0 ? 'Home' : 'ArrowRight');
      found.push(await page.getByRole('tooltip').innerText());
    }
    return found;
  }

  async function download(page: Page, section: string): Promise<string[]> {
    const part = page.locator('section').filter({ has: page.getByRole('heading', { name: section }) });
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      part.getByRole('button', { name: 'Export as CSV' }).click(),
    ]);
    return readFileSync(await file.path(), 'utf8')
      .trim()
      .split('\r\n');
  }

  test('are saved under a name, beside the views of the calls, and opened with the days of today', async () => {
    let page = await browser.open(context, `${parley.url}/analytics`);
    const query = () => new URL(page.url()).searchParams;
    await chooseFilter(page, 'Agent', 'Renewals');
    await chooseFilter(page, 'Period', 'Today');
    await until(() => query().has('start') && query().has('agent_id'));
    const [today, agent] = [query().get('start'), query().get('agent_id')];
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('button', { name: 'Save this view' }).click();
    await page.getByLabel('Name of the view').fill('Renewals today');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('link', { name: 'Renewals today' }).waitFor();

    const storageState = await context.storageState();
    await context.close();
    context = await browser.newContext({ storageState, daysAhead: 1 });
    page = await browser.open(context, `${parley.url}/analytics`);
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('link', { name: 'Renewals today' }).click();
    await until(() => query().get('agent_id') === agent && query().get('start') !== today);
    expect(query().get('end')).toBe(query().get('start'));
    await page.goto(`${parley.url}/calls?status=failed`);
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('button', { name: 'Save this view' }).waitFor();
    expect(await page.getByRole('link', { name: 'Renewals today' }).count()).toBe(0);
  });

  test('show how well the calls went, for all or for an agent and a campaign of the address', async () => {
    const page = await open();
    expect(await readFigures(page)).toEqual({
      Calls: '7',
      Connected: '5',
      Failed: '2',
      'Answer rate': '71.4%',
      'Reached a person': '4',
      'Contact rate': '57.1%',
      'Talk time': '5:20',
      'Average duration': '1:04',
      Credits: '7',
      'Credits per person reached': '1.75',
    });
    await chooseFilter(page, 'Agent', 'Renewals');
    await until(async () => (await readFigures(page)).Calls === '3');
    await chooseFilter(page, 'Campaign', 'Reminders');
    await until(async () => (await readFigures(page)).Calls === '2');
    expect(new URL(page.url()).searchParams.get('agent_id')).toBe(agents[1]);

    await page.reload();
    expect(await readFigures(page)).toMatchObject({
      Calls: '2',
      'Answer rate': '50%',
      'Contact rate': '50%',
    });
    await filterChip(page, 'Campaign', 'Reminders').waitFor();
    expect(new URL(page.url()).searchParams.get('campaign_id')).toBe(campaignId);
    await page.getByRole('link', { name: 'View calls' }).click();
    expect(await listed(page)).toBe(2);
  });

  test('show no talk time and no average duration where there are no calls', async () => {
    const query = 'start=2026-02-02&end=2026-02-08&timezone=UTC&compare=no';
    const page = await browser.open(context, `${parley.url}/analytics?${query}`);
    expect(await readFigures(page)).toMatchObject({
      Calls: '0',
      'Talk time': '–',
      'Average duration': '–',
    });
  });

  test('count outbound phone calls, or those that the address chooses, say so, and lead to them', async () => {
    const page = await open();
    await page.getByText('Only outbound phone calls are counted (7 of 10), not inbound calls').waitFor();
    await chooseFilter(page, 'Calls counted', 'All calls');
    await page.waitForURL(/calls=all/);
    await until(async () => (await readFigures(page)).Calls === '10');
    expect(await readFigures(page)).toMatchObject({ 'Answer rate': '80%', 'Contact rate': '70%' });
    await page.getByRole('link', { name: 'View calls' }).click();
    expect(await listed(page)).toBe(10);

    await page.goBack();
    await chooseFilter(page, 'Calls counted', 'Inbound');
    await until(async () => (await readFigures(page)).Calls === '2');
    await page.reload();
    expect(await readFigures(page)).toMatchObject({ Calls: '2', 'Answer rate': '100%' });
    await page.getByText('Only inbound phone calls are counted (2 of 10), not outbound calls').waitFor();
    expect((await readRows(page, 'Agents side by side')).map((row) => row.slice(0, 3))).toEqual([
      ['Renewals', '2', '2'],
    ]);
    await page.getByRole('link', { name: 'View calls' }).click();
    expect(await listed(page)).toBe(2);
  });

  test('draw a line for each group over time, with hollow dots for few calls, and read it by the keyboard', async () => {
    const page = await open('&metric=rate&group_by=direction&calls=all&interval=month');
    const chart = page.getByRole('img', { name: 'Answer rate over time' });
    await chart.waitFor();
    const dots = chart.locator('circle');
    const readDots = (name: string) =>
      dots.evaluateAll((found, each) => found.map((dot) => dot.getAttribute(each)), name);
    expect(await readDots('cy')).toEqual(['25%', '0%']);
    expect(await readDots('data-pale')).toEqual([null, 'true']);
    const colours = await chart
      .locator('g')
      .evaluateAll((found) => found.map((line) => line.getAttribute('stroke')));
    expect(new Set(colours).size).toBe(2);
    expect((await readTooltips(page, 'Answer rate over time'))[0]?.split('\n').slice(1)).toEqual([
      'outbound: 75% (8 calls)',
      'inbound: 100% (small sample: 2 calls)',
    ]);
    await page.getByText('hollow dots are of fewer than 5 calls.').waitFor();
    await page.getByText('Underlined grey figures are of fewer than 5 calls.').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);

    // In the second week, the second version of an agent has no call, and the other agent a share of 33.3%.
    await page.goto(`${parley.url}/analytics?${PERIOD}&metric=rate&group_by=agent_version&interval=week`);
    expect((await readTooltips(page, 'Answer rate over time'))[1]?.split('\n').slice(1).sort()).toEqual([
      'Front desk v1: 100% (small sample: 1 call)',
      'Front desk v2: – (0 calls)',
      'Renewals v1: 33.3% (small sample: 3 calls)',
    ]);
    expect(await dots.count()).toBe(4);
    expect(await chart.locator('g line').count()).toBe(1);
    await page.keyboard.press('Enter');
    expect(await listed(page)).toBe(4);
  });

  test('mark the day that is not over, and write the values at the bars', async () => {
    const page = await browser.open(context, `${parley.url}/analytics`);
    const chart = page.getByRole('img', { name: 'Calls over time' });
    await chart.waitFor();
    expect(await chart.locator('[data-unfinished]').count()).toBe(1);
    expect(await chart.locator('text').allTextContents()).toEqual(['', '', '', '', '', '', '1']);
    await chart.locator('[data-unfinished]').hover();
    const tooltip = page.getByRole('tooltip');
    expect(await tooltip.innerText()).toMatch(/, so far: 1, in the previous period 0$/);
    const [bar, box] = [await chart.boundingBox(), await tooltip.boundingBox()];
    expect(box && bar && Math.abs(box.y + box.height - bar.y) < 40).toBe(true);
    await page.getByText('What is dashed is not over yet.').first().waitFor();
    await page.getByRole('heading', { name: 'Calls over time' }).hover();
    await tooltip.waitFor({ state: 'hidden' });
  });

  test('lead from a bar, a row and an outcome to its calls, whatever the clock of the viewer is', async () => {
    await context.close();
    context = await browser.newContext({ timezoneId: 'Asia/Kathmandu' });
    await signInWith(context, parley.url, workspace.apiKey);
    const page = await open();
    await page.getByRole('img', { name: 'Calls over time' }).locator('g').first().click();
    expect(await listed(page)).toBe(3);

    await page.goBack();
    await page.getByRole('table', { name: 'Data' }).getByRole('link', { name: 'Sun 15 Mar' }).click();
    expect(await listed(page)).toBe(1);

    await page.goBack();
    await page
      .getByRole('table', { name: 'Outcomes over time' })
      .getByRole('link', { name: 'booked' })
      .click();
    expect(await listed(page)).toBe(3);

    await page.goto(`${parley.url}/analytics?${PERIOD}&interval=week&group_by=disconnect_reason`);
    await page
      .getByRole('row', { name: /busy 2 0 0% \(small sample: 2 calls\) 2/ })
      .getByRole('link')
      .first()
      .click();
    expect(await listed(page)).toBe(2);
  });

  test('compare agents, campaigns and versions side by side, in the order that the address names', async () => {
    const page = await open();
    expect((await readRows(page, 'Agents side by side')).map((row) => row.slice(0, 4))).toEqual([
      ['Front desk', '4', '4', expect.stringMatching(/^100%\s\(small sample: 4 calls\)$/)],
      ['Renewals', '3', '1', expect.stringMatching(/^33\.3%\s\(small sample: 3 calls\)$/)],
    ]);
    await page.getByRole('button', { name: 'Answer rate' }).click();
    await page.getByRole('button', { name: 'Answer rate' }).click();
    await page.waitForURL(/sort=rate&order=asc/);
    await page.reload();
    expect((await readRows(page, 'Agents side by side')).map(([name]) => name)).toEqual([
      'Renewals',
      'Front desk',
    ]);

    await chooseFilter(page, 'Group by', 'Campaign');
    const campaigns = await readRows(page, 'Campaigns side by side');
    expect(campaigns.map((row) => row.slice(0, 2)).sort()).toEqual([
      ['(none)', '5'],
      ['Reminders', '2'],
    ]);

    await page.goto(`${parley.url}/analytics?${PERIOD}&agent_id=${agents[0]}&group_by=agent_version`);
    expect((await readRows(page, 'Agent versions side by side')).map((row) => row.slice(0, 2))).toEqual([
      ['Front desk v1', '3'],
      ['Front desk v2', '1'],
    ]);
    await page.getByRole('link', { name: 'Front desk v2' }).first().click();
    expect(await listed(page)).toBe(1);
  });

  test('show how long agents took to answer, and what providers did, and lead to the calls', async () => {
    const page = await open('&interval=week');
    const figures = page.getByRole('list', { name: 'Response time', exact: true }).getByRole('listitem');
    await figures.first().waitFor();
    const [p50, p95, answers] = await figures.allInnerTexts();
    expect(p50).toMatch(/Median \(p50\)\s+1\.[01] s/);
    expect(p95).toMatch(/^p95\s+[34]\.\d s/);
    expect(answers).toMatch(/Answers\s+5/);
    expect(await readRows(page, 'Response time: Agents side by side')).toEqual([
      ['Front desk', expect.stringMatching(/^1\.[01] s/), expect.stringMatching(/^[12]\.\d s/), '4'],
      [
        'Renewals',
        expect.stringMatching(/^[34]\.\d s\s\(small sample: 1 answer\)$/),
        expect.stringMatching(/^[34]\.\d s/),
        '1',
      ],
    ]);
    expect(await readRows(page, 'Usage by provider')).toEqual([
      ['Model tokens', 'not named', '1,200'],
      ['Speech recognized', 'Deepgram', '1:30'],
    ]);
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(await readTooltips(page, 'Response time')).toEqual([
      expect.stringMatching(/median 1\.[01] s, p95 [12]\.\d s$/),
      expect.stringMatching(/median [34]\.\d s, p95 [34]\.\d s$/),
    ]);
    await page.getByText('All calls are counted: outbound, inbound and web calls.').waitFor();
    // The slider has the focus, and lies over the bars then.
    const box = (await page.getByRole('slider', { name: 'Response time: values' }).boundingBox())!;
    await page.mouse.click(box.x + 0.75 * box.width, box.y + 0.5 * box.height);
    expect(await listed(page)).toBe(6);

    await page.goBack();
    await page
      .getByRole('table', { name: 'Response time: Agents side by side' })
      .getByText('Renewals')
      .click();
    expect(await listed(page)).toBe(6);
  });

  test('show a metric by weekday and hour, and its calls by the keyboard', async () => {
    const page = await open('&metric=rate');
    const map = page.getByRole('grid', { name: 'Answer rate by weekday and hour' });
    const monday = map.getByRole('link', {
      name: 'Monday 09:00–10:00: Answer rate 100% (small sample: 4 calls)',
    });
    await monday.focus();
    await page.keyboard.press('ArrowDown');
    const tuesday = map.getByRole('link', {
      name: 'Tuesday 14:00–15:00: Answer rate 0% (small sample: 2 calls)',
    });
    expect(await tuesday.count()).toBe(1);
    expect(await map.locator('a[tabindex="0"]').count()).toBe(1);
    await tuesday.focus();
    await page.keyboard.press('Enter');
    expect(await listed(page)).toBe(2);

    await page.goBack();
    await monday.click();
    await page.waitForURL(/cell=1-9/);
    await page.reload();
    const hours = await readRows(page, 'Monday, 09:00–10:00');
    expect(hours.map((row) => row.slice(0, 2))).toEqual([
      ['2 Mar, 09:00', '3'],
      ['9 Mar, 09:00', '1'],
    ]);
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('link', { name: '2 Mar, 09:00' }).click();
    expect(await listed(page)).toBe(3);
  });

  test('hatch the hours of few calls instead of shading them', async () => {
    const page = await open('&metric=rate&calls=all');
    const map = page.getByRole('grid', { name: 'Answer rate by weekday and hour' });
    const readLook = async (name: string) => {
      const cell = map.getByRole('link', { name });
      return [await cell.getAttribute('data-level'), await cell.getAttribute('data-small')];
    };
    expect(await readLook('Monday 09:00–10:00: Answer rate 100% (6 calls)')).toEqual(['5', null]);
    expect(await readLook('Saturday 11:00–12:00: Answer rate 100% (small sample: 1 call)')).toEqual([
      null,
      'true',
    ]);
    await page.getByText('Hatched cells are of fewer than 5 calls.').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);

    // A number of calls is exact whatever it is.
    await page.goto(`${parley.url}/analytics?${PERIOD}&calls=all`);
    await page.getByRole('grid', { name: 'Calls by weekday and hour' }).getByRole('link').first().waitFor();
    expect(await page.locator('[data-small]').count()).toBe(0);
  });

  test('move in the heat map with the arrow keys, past hours without calls', async () => {
    const page = await open();
    const map = page.getByRole('grid', { name: 'Calls by weekday and hour' });
    const focused = () => page.evaluate<string | null>('document.activeElement.ariaLabel');
    await map.getByRole('link', { name: /^Monday 09:00/ }).focus();
    await page.keyboard.press('ArrowRight');
    expect(await focused()).toBe('Monday 09:00–10:00: Calls 4 (4 calls)');
    await map.getByRole('link', { name: /^Tuesday 14:00/ }).focus();
    await page.keyboard.press('ArrowUp');
    expect(await focused()).toBe('Tuesday 14:00–15:00: Calls 2 (2 calls)');
  });

  test('are saved as they are shown', async () => {
    const page = await open('&group_by=agent&sort=rate&order=asc');
    await readRows(page, 'Agents side by side');
    expect(await download(page, 'Agents side by side')).toEqual([
      'key,group,calls,connected,failed,seconds,credits,answer_rate,average_duration_sec',
      `${agents[1]},Renewals,3,1,2,30,1,0.3333,30`,
      `${agents[0]},Front desk,4,4,0,290,6,1,72.5`,
    ]);
    const data = await download(page, 'Data');
    expect(data).toContain('2026-03-10T00:00:00.000Z,Renewals,2,0,2,0,0,0,');
    expect(data).toHaveLength(5);
    const week = await download(page, 'Calls by weekday and hour');
    expect(week).toHaveLength(1 + 7 * 24);
    expect(week).toContain('1,9,4,4,0,230,5,1,57.5');
    const outcomes = await download(page, 'Outcomes over time');
    expect(outcomes).toContain('2026-03-02T00:00:00.000Z,booked,2,2,0,180,3,1,90');
  });
});

import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../support/browser';
import { AgentCalls } from '../support/calls';
import { type DemoWorkspace, demoWorkspace } from '../support/demo-workspace';
import { createKnowledgeBase } from '../support/knowledge-bases';
import { useOwnParley } from '../support/parley';
import { useSignedInBrowser } from '../support/signed-in-browser';
import { until } from '../support/until';
import { TestWorker } from '../support/worker';

/** The folder for the pictures of docs/console.md. Without it, none are taken, and fewer calls are made. */
const folder = process.env.SCREENSHOTS;
const CALLS = folder ? 2_500 : 200;

const HANDBOOK = `# Opening hours

The practice is open from Monday to Friday, from 8 am to 6 pm.

# Appointments

An appointment can be moved or cancelled until 24 hours before it begins. Please bring your insurance card.
`;

/** The persons on the line, and their last words. */
const LINES = new Map([
  ['Ada Brandt', 'Could we move it to Friday?'],
  ['Hugo Lang', 'Yes, I can hear you.'],
  ['Mia Dahl', 'How much would that be a month?'],
  ['Olga Graf', 'One moment, I am looking for my calendar.'],
]);

interface Call {
  call_id: string;
  to_number: string;
  duration_sec: number;
}

describeInBrowser('With demo data', () => {
  const parley = useOwnParley();
  let demo: DemoWorkspace;
  const read = async <T>(path: string) => ((await demo.api.get(path)).body as { data: T }).data;
  beforeAll(async () => {
    demo = await demoWorkspace(parley, CALLS);
  });
  const site = useSignedInBrowser(parley, () => demo);

  const longCalls = async () =>
    (await read<Call[]>('/api/calls?limit=100&outcome=renewed')).filter(
      ({ duration_sec }) => duration_sec > 60,
    );
  const idOf = async (name: string) =>
    (await read<{ id: string; name: string }[]>('/api/agents')).find((agent) => agent.name === name)?.id ??
    '';

  const shoot = async (page: Page, name: string) => {
    if (folder) await page.screenshot({ path: join(folder, `console-${name}.png`) });
  };

  test.each<[name: string, heading: RegExp, path: () => string | Promise<string>]>([
    ['overview', /^Overview$/, () => '/'],
    ['calls', /^Calls$/, () => '/calls'],
    ['call', /^Renewals called/, async () => `/calls/${(await longCalls())[0]?.call_id}`],
    [
      'compare',
      /^Compare two calls$/,
      async () => {
        const [left, right] = await longCalls();
        return `/calls/compare?left=${left?.call_id}&right=${right?.call_id}`;
      },
    ],
    ['person', /, \+1/, async () => `/people/${encodeURIComponent((await longCalls())[0]?.to_number ?? '')}`],
    [
      'campaign',
      /^Vaccination reminders$/,
      async () => `/campaigns/${(await read<{ campaign_id: string }[]>('/api/campaign'))[0]?.campaign_id}`,
    ],
    ['agent', /^Appointment reminders$/, async () => `/agents/${await idOf('Appointment reminders')}`],
    ['analytics', /^Analytics$/, () => '/analytics'],
  ])('the page of %s shows them', async (name, heading, path) => {
    const page = await site.open(await path());
    await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
    await until(async () => (await page.locator('[data-loading]').count()) === 0);
    await shoot(page, name);
  });

  test('live calls show who is on the line, and what was said last', async () => {
    const worker = await TestWorker.start(parley);
    const agents = await Promise.all(['Renewals', 'Appointment reminders'].map(idOf));
    const page = await site.open('/live');
    let number = 0;
    for (const [customer_name, text] of LINES) {
      const calls = new AgentCalls(demo.api, agents[number % 2] ?? '');
      const id = await calls.start({ customer_name, to_number: `+1630555013${number++}` });
      const call = await (await worker.findOffer(id)).take();
      await call.connected();
      await call.transcript([{ sequence: 1, speaker: 'user', text, started_at: new Date().toISOString() }]);
      await page.getByText(`Person: ${text}`).waitFor();
    }
    await page.getByText('4 connected').waitFor();
    await shoot(page, 'live');
    await worker.stop();
  });

  test('a search in a knowledge base marks what it found', async () => {
    const form = { name: 'handbook.md', content: HANDBOOK, fields: { name: 'Practice handbook' } };
    const id = await createKnowledgeBase(demo, form);
    const page = await site.open(`/knowledge/${id}`);
    await page.getByLabel('Question or keywords').fill('Can I move my appointment?');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.locator('mark', { hasText: /^appointment$/ }).waitFor();
    await shoot(page, 'knowledge');
  });
});

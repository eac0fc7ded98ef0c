import { randomUUID } from 'node:crypto';
import type { BrowserContext } from 'playwright-core';
import { MESSAGE_TYPES } from '../../src/platform/messaging/wire';
import { createAgent } from '../support/agents';
import { describeInBrowser, TestBrowser } from '../support/browser';
import { AgentCalls } from '../support/calls';
import { type TestWorkspace, useOwnParley } from '../support/parley';
import { signInWith } from '../support/signed-in';
import { until } from '../support/until';
import { useStarted } from '../support/use-started';

describeInBrowser('Calls that no runtime took', () => {
  const parley = useOwnParley({ CALL_TTL_SECONDS: '1' });
  const browser = useStarted(() => TestBrowser.start());
  let context: BrowserContext;

  afterEach(async () => {
    await context.close();
    expect(browser.complaints.splice(0)).toEqual([]);
  });

  async function dead({ api }: TestWorkspace) {
    const { body } = await api.get('/api/runtimes');
    return (body.data as { dead: { calls: number; events: number } }).dead;
  }

  /** Starts calls that expire. */
  async function failedCalls(workspace: TestWorkspace, ...names: string[]): Promise<void> {
    const calls = new AgentCalls(workspace.api, await createAgent(workspace));
    const ids = await Promise.all(names.map((customer_name) => calls.start({ customer_name })));
    for (const id of ids)
      expect(await calls.reached(id, 'failed')).toMatchObject({ disconnect_reason: 'dispatch_expired' });
  }

  const publishBrokenReport = () =>
    parley.broker.publish({
      exchange: parley.topology.events,
      routingKey: 'worker.hello',
      type: MESSAGE_TYPES.hello,
      messageId: randomUUID(),
      body: { worker_id: 7 },
    });

  test('raise an alarm in their workspace only, and are figures of the whole server on the page of runtimes', async () => {
    const [workspace, stranger] = [await parley.workspace(), await parley.workspace()];
    await failedCalls(stranger, 'Grace', 'Hedy');
    await publishBrokenReport();
    await until(async () => {
      const { calls, events } = await dead(workspace);
      return calls === 2 && events === 1;
    });
    context = await browser.newContext();
    await signInWith(context, parley.url, workspace.apiKey);

    const counted = context.waitForEvent('response', (response) =>
      response.url().includes('disconnect_reason=dispatch_expired'),
    );
    const page = await browser.open(context, `${parley.url}/`);
    const problems = page.getByRole('list', { name: 'Needs attention' }).getByRole('listitem');
    await problems.getByText('No runtime takes calls.').waitFor();
    expect(await (await counted).json()).toMatchObject({ pagination: { total: 0 } });
    expect(await problems.count()).toBe(1);

    await failedCalls(workspace, 'Ada');
    await page.reload();
    await problems.getByText('1 call of the last day reached no runtime.').waitFor();
    // Each problem is shown when its request is answered.
    await until(async () => (await problems.count()) === 2);
    await problems.getByRole('link', { name: 'Failed calls' }).click();
    await page.getByRole('link', { name: 'Ada' }).waitFor();
    await page.getByText('1 total').waitFor();

    await page.goto(`${parley.url}/runtimes`);
    await page.getByText('Both counts cover every workspace on this server.').waitFor();
    await until(async () => (await dead(workspace)).calls === 3);
    const facts = page.getByRole('term').filter({ hasText: /^Un(deliver|process)able / });
    await facts.nth(1).waitFor();
    expect(await facts.allTextContents()).toEqual([
      'Undeliverable calls, last 24 hours',
      'Unprocessable reports, last 7 days',
    ]);
    await problems.getByText('No runtime takes calls.').waitFor();
    expect(await problems.count()).toBe(1);
  });

  test('have a runtime whose providers are on the page of runtimes, with those that are skipped', async () => {
    const workspace = await parley.workspace();
    const since = new Date(Date.now() - 60_000).toISOString();
    await parley.broker.publish({
      exchange: parley.topology.events,
      routingKey: 'worker.hello',
      type: MESSAGE_TYPES.hello,
      messageId: randomUUID(),
      body: {
        ...{ worker_id: 'voice 1', name: 'Front desk', version: '1', capacity: 4, calls: 0 },
        providers: [
          {
            part: 'synthesis',
            name: 'elevenlabs',
            state: 'open',
            since,
            p95_ms: null,
            requests: 3,
            failures: 3,
          },
          { part: 'language', name: 'groq', state: 'ok', since, p95_ms: 412.6, requests: 1_204, failures: 1 },
        ],
      },
    });
    context = await browser.newContext();
    await signInWith(context, parley.url, workspace.apiKey);

    const page = await browser.open(context, `${parley.url}/runtimes`);

    const rows = page.getByRole('table', { name: 'Providers' }).getByRole('row');
    await rows.filter({ hasText: 'ElevenLabs' }).getByText('skipped').waitFor();
    expect(await rows.filter({ hasText: 'groq' }).innerText()).toMatch(
      /answers\s.*works\s.*413 ms\s+1,204\s+1\s/s,
    );
  });
});

import { describeInBrowser } from '../support/browser';
import { useOwnParley } from '../support/parley';
import { useSignedInBrowser } from '../support/signed-in-browser';
import { until } from '../support/until';
import { TestWorker } from '../support/worker';

/** The address of a call, but not of its parts. */
const CALL = /\/api\/calls\/[\da-f-]{36}$/;

describeInBrowser('The three steps to a first call', () => {
  const parley = useOwnParley();
  const site = useSignedInBrowser(parley, () => parley.workspace({ credits: 10 }));

  test('show a status that fits the sentence beside it, and rest the focus on the link to the call', async () => {
    const worker = await TestWorker.start(parley);
    // The answer about the call itself is always the oldest one, as late as it can be.
    let oldest: string | undefined;
    await site.context.route(CALL, async (route) => {
      const response = await route.fetch();
      oldest ??= await response.text();
      await route.fulfill({ response, body: oldest });
    });
    const page = await site.open('/');
    await page.getByLabel('Name of the agent').fill('Front desk');
    const created = page.waitForResponse((response) => response.url().endsWith('/api/agents'));
    await page.getByRole('button', { name: 'Create an agent' }).click();
    const { data: agent } = (await (await created).json()) as { data: { _id: string } };
    await page.getByLabel('Phone number').fill('+15551234567');
    await page.keyboard.press('Enter');

    const link = page.getByRole('link', { name: 'Open the call' });
    await link.and(page.locator(':focus')).waitFor();
    const news = page.getByRole('listitem').getByRole('status');
    /** The text from the moment when it has this sentence. */
    const readNews = (sentence: string) =>
      until(async () => {
        const text = await news.innerText();
        return text.includes(sentence) && text;
      });
    await news.getByText('queued').waitFor();
    const call = await (await worker.offerTo(agent._id)).take();
    expect(await readNews('claimed the call.')).toMatch(/^\W*accepted\b/);
    await call.connected();
    expect(await readNews('was connected.')).toMatch(/^\W*connected\b/);
    await call.ended();
    expect(await readNews('hung up after')).toMatch(/^\W*ended\b/);
    expect(await link.and(page.locator(':focus')).count()).toBe(1);
    await worker.stop();
  });
});

import type { BrowserContext, Page } from 'playwright-core';
import { describeInBrowser } from '../support/browser';
import { TestConsole } from '../support/console';
import { until } from '../support/until';
import { answeringStatus, WebhookReceiver } from '../support/webhook-receiver';

describeInBrowser('Webhooks in the console', () => {
  let site: TestConsole;
  let receiver: WebhookReceiver;
  let context: BrowserContext;

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    site = await TestConsole.start({ ALLOW_PRIVATE_ADDRESSES: 'true' });
  });
  beforeEach(async () => {
    context = await site.browser.newContext();
  });
  afterEach(async () => {
    await context.close();
    expect(site.complaints()).toEqual([]);
  });
  afterAll(async () => {
    await site?.stop();
    await receiver.stop();
  });

  const findDialog = (page: Page) => page.getByRole('dialog');
  const secret = async () => {
    const { body } = await site.api.get('/api/webhooks/secret');
    return (body as { data: { secret: string } }).data.secret;
  };

  test('are tested with an event, and many are sent again with the ids that they had', async () => {
    const page = await site.open(context, '/webhooks');
    for (const path of ['/one', '/two']) {
      await page.getByRole('button', { name: 'Send a test event' }).click();
      await findDialog(page).getByLabel('Address').fill(receiver.url(path));
      await findDialog(page).getByRole('button', { name: 'Send a test event' }).click();
      await page.getByRole('heading', { name: 'Webhook webhook.test' }).waitFor();
      await page
        .getByText(/^\W*delivered$/)
        .first()
        .waitFor();
      await page.getByText('Response to attempt 1: 204').waitFor();
      await page.getByText(/connection: close[^]*\(The body is empty\.\)/).waitFor();
      await page.goBack();
    }
    expect(receiver.received.map(({ path }) => path)).toEqual(['/one', '/two']);

    await page
      .getByRole('row', { name: /delivered/ })
      .nth(1)
      .waitFor();
    await page.getByLabel('Address', { exact: true }).fill('/ONE');
    await page.getByLabel('Address', { exact: true }).press('Enter');
    await until(async () => (await page.getByRole('row').count()) === 2);
    await page.getByLabel('Address', { exact: true }).fill('');
    await page.getByLabel('Address', { exact: true }).press('Enter');
    await until(async () => (await page.getByRole('row').count()) === 3);
    await page.getByLabel('Select all on this page').check();
    await page.getByRole('button', { name: 'Resend 2' }).click();
    await findDialog(page).getByText('Each keeps its webhook-id').waitFor();
    await findDialog(page).getByRole('button', { name: 'Resend 2' }).click();
    await page.getByText('2 webhooks were resent.').waitFor();
    await until(() => Promise.resolve(receiver.received.length === 4));
    const ids = receiver.received.map(({ id }) => id);
    expect(ids.slice(2).sort()).toEqual(ids.slice(0, 2).sort());
  });

  test('that have failed for good need attention until they are sent again, however old their events are', async () => {
    const url = receiver.url('/gone');
    receiver.answer('/gone', answeringStatus(410));
    const { body: agent } = await site.api.post('/api/agents', { type: 'outbound', name: 'Front desk' });
    const agentId = (agent as { data: { _id: string } }).data._id;
    const callBody = { to_number: '+15551234510', webhook_url: url };
    await site.api.post(`/api/agents/${agentId}/calls`, callBody);
    const listed = async (query: string) => {
      const { body } = await site.api.get(`/api/webhooks/deliveries?${query}`);
      return (body as { data: { delivery_id: string }[] }).data;
    };
    await until(async () => (await listed('status=failed&type=call.started&type=call.ended')).length === 2);
    // The sender of a test event sees that it failed.
    await site.api.post('/api/webhooks/test', { url });
    await until(async () => (await listed('status=failed&type=webhook.test')).length === 1);
    // The webhooks are given up days after their events.
    await context.close();
    context = await site.browser.newContext({ daysAhead: 3 });
    const page = await site.open(context, '/');
    const problems = page.getByRole('list', { name: 'Needs attention' });
    await problems.getByText('2 webhooks failed for good.').waitFor();
    await problems.getByText(/Last at \d+ \w+, \d\d:\d\d\./).waitFor();
    await problems.getByRole('link', { name: 'Open' }).first().click();
    await page.getByRole('row', { name: /call\.ended.*failed for good/ }).waitFor();

    await page.getByRole('link', { name: /^Webhooks.*2 failed for good/ }).waitFor();
    receiver.answer('/gone', answeringStatus(200));
    await page.getByRole('button', { name: 'Resend all' }).click();
    await findDialog(page).getByRole('heading', { name: 'Resend 2 webhooks?' }).waitFor();
    await findDialog(page).getByRole('button', { name: 'Resend 2' }).click();
    await page.getByText('2 webhooks were resent.').waitFor();
    await until(
      async () => (await listed('status=delivered&type=call.started&type=call.ended')).length === 2,
    );
    await page.goto(site.server.url);
    await page.getByText('Today', { exact: true }).first().waitFor();
    await until(async () => (await page.getByText('failed for good').count()) === 0);

    receiver.answer('/gone', answeringStatus(410));
    await site.api.post(`/api/agents/${agentId}/calls`, callBody);
    await until(async () => (await listed('status=failed&type=call.started&type=call.ended')).length === 2);
    await page.reload();
    await problems.getByText('2 webhooks failed for good.').waitFor();
    receiver.answer('/gone', answeringStatus(200));
    await problems.getByRole('button', { name: 'Resend 2' }).press('Enter');
    await problems.getByText('failed for good').waitFor({ state: 'detached' });
    await page.getByRole('heading', { level: 1 }).and(page.locator(':focus')).waitFor();
    await until(
      async () => (await listed('status=delivered&type=call.started&type=call.ended')).length === 4,
    );

    receiver.answer('/gone', answeringStatus(410));
    await site.api.post(`/api/agents/${agentId}/calls`, callBody);
    await until(async () => (await listed('status=failed&type=call.started&type=call.ended')).length === 2);
    await page.reload();
    await problems.getByText('2 webhooks failed for good.').waitFor();
    await problems.getByRole('button', { name: 'Dismiss' }).click();
    await problems.getByText('failed for good').waitFor({ state: 'detached' });
    expect(await listed('status=failed&dismissed=true&type=call.started&type=call.ended')).toHaveLength(2);
    expect(site.browser.requests.filter((url) => url.endsWith('/deliveries/dismiss'))).toHaveLength(1);
  });

  test('are signed with a secret that is shown on request, and rotated', async () => {
    const before = await secret();
    const page = await site.open(context, '/webhooks');
    expect(await page.content()).not.toContain(before);
    await page.getByRole('button', { name: 'Show the secret' }).click();
    expect(await page.getByLabel('The current secret', { exact: true }).inputValue()).toBe(before);
    await page.getByRole('button', { name: 'Copy' }).waitFor();

    await page.getByRole('button', { name: 'Rotate the secret' }).click();
    await findDialog(page).getByLabel('The current secret stays valid for').selectOption('1 hour');
    await findDialog(page).getByRole('button', { name: 'Rotate the secret' }).click();
    const after = await page.getByLabel('The new secret').inputValue();
    expect(after).not.toBe(before);
    expect(await secret()).toBe(after);
    await page.getByRole('button', { name: 'I’ve saved it' }).click();
    expect(await page.content()).not.toContain(after);
  });
});

import type { Page } from 'playwright-core';
import { createAgent } from '../support/agents';
import { accessibilityProblems, describeInBrowser } from '../support/browser';
import { AgentCalls } from '../support/calls';
import { closedNow } from '../support/calling-windows';
import { createCampaign, csv } from '../support/campaigns';
import { type TestWorkspace, useOwnParley } from '../support/parley';
import { signInWith } from '../support/signed-in';
import { useSignedInBrowser } from '../support/signed-in-browser';
import { until } from '../support/until';

const NUMBER = '+15551234567';
const OTHER = '+15551234568';

describeInBrowser('The page of a person in the console', () => {
  const parley = useOwnParley();
  let workspace: TestWorkspace;
  let calls: AgentCalls;

  const site = useSignedInBrowser(parley, async () => {
    workspace = await parley.workspace();
    calls = new AgentCalls(workspace.api, await createAgent(workspace, { name: 'Front desk' }));
    return workspace;
  });

  const { open } = site;
  const findRows = (page: Page) => page.locator('tr[data-row]');
  const linkTo = (page: Page, number: string) => page.getByRole('link', { name: number, exact: true });
  const isAt = (page: Page, number: string) => page.waitForURL((url) => url.pathname === `/people/${number}`);

  test('lists all calls with a number, is reached from a call with the keyboard, and sorts', async () => {
    const first = await calls.start({ to_number: NUMBER, customer_name: 'Ada' });
    const second = await calls.start({ to_number: NUMBER });
    await calls.start({ to_number: OTHER, customer_name: 'Grace' });
    const page = await open(`/calls/${first}`);
    await linkTo(page, NUMBER).focus();
    await page.keyboard.press('Enter');

    await isAt(page, NUMBER);
    await page.getByRole('heading', { level: 1, name: `Ada, ${NUMBER}` }).waitFor();
    await page.getByText('2 total').waitFor();
    const ids = () => findRows(page).evaluateAll((rows) => rows.map((row) => row.getAttribute('data-row')));
    expect(await ids()).toEqual([second, first]);
    const totals = page.getByRole('list', { name: 'All calls in numbers' }).getByRole('listitem');
    await totals.first().waitFor();
    expect((await totals.allTextContents()).slice(0, 3)).toEqual(['Calls2', 'Connected0', 'Talk time0:00']);
    expect(await page.locator('main h2').allTextContents()).toEqual([
      'Calls',
      'Campaigns',
      'Note',
      'Do not call',
      'Erase a person',
    ]);
    await page.getByText('This number may be called.').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);

    await page.getByRole('button', { name: 'Created' }).focus();
    await page.keyboard.press('Enter');
    await until(async () => (await ids())[0] === first);
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.pathname === `/calls/${first}`);
  });

  test('calls the person with the agent of the last call, or another one', async () => {
    await createAgent(workspace, { name: 'Sales', greeting: 'Hello {{customer_name}}, see you {{day}}.' });
    await calls.start({ to_number: NUMBER, customer_name: 'Ada' });
    const page = await open(`/people/${NUMBER}`);
    await page.getByRole('list', { name: 'All calls in numbers' }).waitFor();
    await page.getByRole('button', { name: 'Call', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: `Call ${NUMBER}` });
    await dialog.getByRole('option', { name: 'Sales' }).waitFor({ state: 'attached' });
    const agent = dialog.getByLabel('Agent', { exact: true });
    expect(await agent.inputValue()).toBe(calls.agentId);
    expect(await dialog.getByLabel('Name of the person').inputValue()).toBe('Ada');
    expect(await accessibilityProblems(page)).toEqual([]);

    await agent.selectOption('Sales');
    await dialog.getByLabel('day', { exact: true }).fill('Monday');
    await dialog.getByRole('button', { name: 'Call now' }).click();
    await page.getByRole('heading', { level: 1, name: 'Sales called Ada' }).waitFor();
    const id = new URL(page.url()).pathname.split('/').at(-1) as string;
    const { body } = await workspace.api.get(`/api/calls/${id}`);
    expect(body.data).toMatchObject({
      to_number: NUMBER,
      customer_name: 'Ada',
      dynamic_variables: { day: 'Monday' },
    });
  });

  test('puts the number on the do-not-call list with a reason, and takes it off', async () => {
    const page = await open(`/people/${NUMBER}`);
    await page.getByText('No calls with this number.').waitFor();
    await page.getByRole('button', { name: 'Add to do-not-call list' }).click();
    const dialog = page.getByRole('dialog', { name: `Do not call ${NUMBER} again?` });
    expect(await dialog.getByLabel('Reason').and(page.locator(':focus')).count()).toBe(1);
    await page.keyboard.type('asked by letter');
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.keyboard.press('Enter');

    await page.getByText('This number is on the do-not-call list.').waitFor();
    await page.getByText('asked by letter').waitFor();
    const refused = await workspace.api.post(`/api/agents/${calls.agentId}/calls`, { to_number: NUMBER });
    expect(refused.body).toMatchObject({ error_code: 'DO_NOT_CALL' });

    await page.getByRole('button', { name: 'Remove from the list' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('This number may be called.').waitFor();
    await calls.start({ to_number: NUMBER });
  });

  test('keeps a note, which the page of a call shows too, and loses no text of another user', async () => {
    const id = await calls.start({ to_number: NUMBER });
    const page = await open(`/people/${NUMBER}`);
    await page.getByText('No note yet.').waitFor();
    await page.getByRole('button', { name: 'Write a note' }).click();
    const dialog = page.getByRole('dialog', { name: `Note on ${NUMBER}` });
    await dialog.getByLabel('Text').fill('Speaks Spanish.');

    const other = { phone_number: NUMBER, text: 'Call in the afternoon.', updated_at: null };
    expect((await workspace.api.put('/api/notes', other)).status).toBe(200);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Someone else has changed the note in the meantime.').waitFor();
    await dialog.getByText('Call in the afternoon.').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    // The browser reports the refusal.
    expect(site.browser.complaints.splice(0)).toEqual([expect.stringContaining('409 (Conflict)')]);
    await dialog.getByLabel('Text').fill('Speaks Spanish. Call in the afternoon.');
    await dialog.getByRole('button', { name: 'Save' }).click();

    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Speaks Spanish. Call in the afternoon.').waitFor();
    await page.goto(`${parley.url}/calls/${id}`);
    await page.getByText('Speaks Spanish. Call in the afternoon.').waitFor();
    await page.getByRole('button', { name: 'Change the note' }).click();
    await page.getByRole('dialog').getByLabel('Text').fill('');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByText('No note yet.').waitFor();
  });

  test('says for each campaign why the person is not called, and is found by a search', async () => {
    const create = (fields: Record<string, string>) =>
      createCampaign(
        workspace.api,
        calls.agentId,
        csv(`phone_number,customer_name\n${OTHER},Grace Hopper\n`),
        { isScheduled: 'true', scheduleTime: new Date(Date.now() + 3_600_000).toISOString(), ...fields },
      );
    await create({ campaignName: 'Spring reminders' });
    await create({ campaignName: 'Surveys' });
    await calls.start({ to_number: NUMBER, customer_name: 'Grace Kelly' });
    await workspace.api.post('/api/do-not-call', { phone_number: OTHER });

    const page = await open('/');
    await page.getByRole('searchbox').fill('grace');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Search: grace' }).waitFor();
    const found = page.getByRole('table', { name: 'People' }).locator('tr[data-row]');
    await found.nth(1).waitFor();
    expect(await found.evaluateAll((rows) => rows.map((row) => row.getAttribute('data-row')))).toEqual([
      NUMBER,
      OTHER,
    ]);
    expect(await found.nth(1).textContent()).toContain('Surveys');
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('link', { name: 'Show the call that matches' }).waitFor();

    await found.nth(1).getByRole('link', { name: 'Grace Hopper' }).click();
    await isAt(page, OTHER);
    const campaigns = page.getByRole('table', { name: 'Campaigns' }).locator('tr[data-row]');
    await campaigns.nth(1).waitFor();
    for (const [index, name] of ['Surveys', 'Spring reminders'].entries()) {
      const row = campaigns.nth(index);
      await row.getByRole('link', { name }).waitFor();
      await row.getByText('The campaign has not started. Until').waitFor();
      await row.getByText('The number is on the do-not-call list.').waitFor();
    }
    expect(await accessibilityProblems(page)).toEqual([]);
  });

  test('erases the person and shows that the calls are gone', async () => {
    const id = await calls.start({ to_number: NUMBER, customer_name: 'Ada' });
    const page = await open(`/people/${NUMBER}`);
    await page.getByRole('button', { name: 'Erase this person' }).click();
    const dialog = page.getByRole('dialog', { name: `Erase everything about ${NUMBER}?` });
    expect(await accessibilityProblems(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Erase' }).click();

    await page.getByText('Everything about this person has been erased:').waitFor();
    await page.getByText('1 call, 0 recipients of campaigns.').waitFor();
    await page.getByText('No calls with this number.').waitFor();
    await page.getByRole('heading', { level: 1, name: NUMBER, exact: true }).waitFor();
    const { body } = await workspace.api.get(`/api/calls/${id}`);
    expect(body.data).toMatchObject({ customer_name: '', to_number: '' });
  });

  test('is linked from the calls, the live calls and the recipients of a campaign', async () => {
    await calls.start({ to_number: NUMBER, customer_name: 'Ada' });
    const file = csv(['phone_number', NUMBER].join('\n'));
    const fields = { windows: JSON.stringify(closedNow()) };
    const campaign = await createCampaign(workspace.api, calls.agentId, file, fields);
    for (const path of ['/calls', '/live', `/campaigns/${campaign}/recipients`]) {
      const page = await open(path);
      await linkTo(page, NUMBER).click();
      await isAt(page, NUMBER);
      await page.close();
    }
  });

  test('shows a credential with scopes the calls of its agents, and nothing to change', async () => {
    const other = new AgentCalls(workspace.api, await createAgent(workspace));
    await calls.start({ to_number: NUMBER, customer_name: 'Ada' });
    await other.start({ to_number: NUMBER });
    const { body } = await workspace.api.post('/api/auth/api-keys', { scope: [`agent:${calls.agentId}`] });
    await signInWith(site.context, parley.url, body.data.apiKey as string);
    const page = await open(`/people/${NUMBER}`);
    await page.getByText('1 total').waitFor();
    for (const name of ['Add to do-not-call list', 'Erase this person'])
      expect(await page.getByRole('button', { name }).count()).toBe(0);
  });

  test('has an address in which the + may be written as %2B', async () => {
    const page = await open(`/people/${encodeURIComponent(NUMBER)}`);
    await page.getByRole('heading', { name: NUMBER }).waitFor();
  });

  test('does not exist for what is no number', async () => {
    const page = await open('/people/ada');
    await page.getByText('Page not found').waitFor();
  });

  test('is not needed to pass on a call: its page copies its link and its id', async () => {
    await site.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const id = await calls.start({ to_number: NUMBER });
    const page = await open(`/calls/${id}?from=search`);
    const copied = () => page.evaluate<string>('navigator.clipboard.readText()');
    await page.getByRole('button', { name: 'Copy link' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await copied()).toBe(`${parley.url}/calls/${id}`);
    await page.getByRole('button', { name: 'Copy ID' }).focus();
    await page.keyboard.press('Enter');
    await until(async () => (await copied()) === id);
  });
});

import type { BrowserContext } from 'playwright-core';
import { createAgent } from '../support/agents';
import { accessibilityProblems, describeInBrowser, TestBrowser } from '../support/browser';
import { AgentCalls } from '../support/calls';
import { useParley } from '../support/parley';
import { signInWith } from '../support/signed-in';
import { useStarted } from '../support/use-started';

describeInBrowser('The retention in the console', () => {
  const parley = useParley();
  const browser = useStarted(() => TestBrowser.start());
  let context: BrowserContext;

  beforeEach(async () => {
    context = await browser.newContext();
  });
  afterEach(async () => {
    await context.close();
    expect(browser.complaints.splice(0)).toEqual([]);
  });

  test('is shortened only after the user has read how many calls are removed, and typed the number', async () => {
    const workspace = await parley.workspace();
    const calls = new AgentCalls(workspace.api, await createAgent(workspace));
    for (let index = 0; index < 2; index += 1) {
      await workspace.api.post(`/api/calls/${await calls.start()}/hangup`);
    }
    await parley.sql(
      `UPDATE conversations SET created_at = now() - interval '3 days', ended_at = now() - interval '3 days'
       WHERE workspace_id = $1`,
      [workspace.workspaceId],
    );
    await signInWith(context, parley.url, workspace.apiKey);
    const page = await browser.open(context, `${parley.url}/settings/keeping`);
    await page.getByText('A deleted call disappears from lists and analytics').waitFor();
    await page.getByLabel('Calls', { exact: true }).fill('2');
    await page.getByRole('button', { name: 'Save' }).click();

    const dialog = page.getByRole('dialog');
    await dialog.getByText('2 calls, with everything that belongs to them').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(await dialog.getByRole('button', { name: 'Save and delete' }).isDisabled()).toBe(true);
    expect((await workspace.api.get('/api/workspace/retention')).body.data).toMatchObject({
      calls_days: null,
    });
    await dialog.getByLabel('Type “delete” to confirm').fill('delete');
    await dialog.getByRole('button', { name: 'Save and delete' }).click();

    await page.getByText('Saved.').waitFor();
    expect((await workspace.api.get('/api/workspace/retention')).body.data).toMatchObject({ calls_days: 2 });
  });
});

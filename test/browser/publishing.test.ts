import { MESSAGE_TYPES } from '../../src/platform/messaging/wire';
import { createAgent } from '../support/agents';
import { accessibilityProblems, describeInBrowser } from '../support/browser';
import { type TestWorkspace, useOwnParley } from '../support/parley';
import { useSignedInBrowser } from '../support/signed-in-browser';
import { useStarted } from '../support/use-started';
import { TestWorker } from '../support/worker';

const factsOf = (text: string) => ({
  turns: [{ speaker: 'agent', text, at_ms: 0 }],
  end: { reason: 'agent_hangup', by: 'agent' },
  ...{ variables: {}, outcome: 'completed', opt_out: false },
  figures: { turns: 1, turn_gap_ms_p95: null, interrupted_ms: null, seconds: 4, tokens: 12 },
});

describeInBrowser('Publishing in the console', () => {
  const parley = useOwnParley();
  const rehearsing = useStarted(() => TestWorker.start(parley, { queue: parley.topology.rehearsalsQueue }));
  let workspace: TestWorkspace;
  let agentId: string;
  const site = useSignedInBrowser(parley, async () => (workspace = await parley.workspace()));
  beforeEach(async () => {
    agentId = await createAgent(workspace, { name: 'Front desk' });
  });

  const greet = (greeting: string) =>
    workspace.api.put(`/api/agents/${agentId}`, { type: 'outbound', greeting });
  /** Plays the rehearsal of the version that was just made. */
  const rehearse = async (text: string) => {
    const call = await (await rehearsing.offerTo(agentId)).take();
    await call.report(MESSAGE_TYPES.rehearsed, { facts: factsOf(text) });
    await call.ended();
  };

  test('shows why calls do not use a version, and publishes, forces and rolls back', async () => {
    const page = await site.open('/settings');
    await page.getByLabel('When do calls use a new version?').selectOption('gated');
    const settings = page.locator('section', { hasText: 'When do calls use a new version?' });
    await settings.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.', { exact: true }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);

    await workspace.api.post(`/api/agents/${agentId}/rehearsals`, {
      ...{ name: 'polite', person: { lines: [] }, checks: [{ never_said: 'go away' }] },
    });
    await greet('Go away.');
    await page.goto(`${parley.url}/agents/${agentId}`);
    const section = page.locator('section', { has: page.getByRole('heading', { name: 'Publishing' }) });
    await section.getByText('The rehearsals of version 2 are under way.').waitFor();
    await section.getByText('are used once their rehearsals have passed (as the workspace says)').waitFor();
    await rehearse('Go away.');
    // The page follows the run by itself.
    await section.getByText('Calls do not use version 2: polite: never_said').waitFor();
    await section.getByRole('link', { name: 'Version 1', exact: true }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);

    await section.getByRole('link', { name: 'Talk with version 2' }).click();
    await page.getByText('You talk with version 2').waitFor();
    await page.goBack();
    await section.getByRole('link', { name: 'See the run' }).click();
    await page.getByRole('heading', { name: 'Run of Front desk', level: 1 }).waitFor();
    await page.goBack();

    const publish = section.getByRole('button', { name: 'Publish', exact: true });
    const dialog = page.getByRole('dialog');
    const confirm = dialog.getByRole('button', { name: 'Publish', exact: true });
    await publish.click();
    await confirm.click();
    await section.getByText('The rehearsals of version 2 are under way.').waitFor();
    await rehearse('Go away.');
    await publish.click();
    await dialog.getByLabel('Publish it without rehearsals').check();
    await dialog.getByLabel('Reason').fill('The prices are wrong.');
    expect(await accessibilityProblems(page)).toEqual([]);
    await confirm.click();
    await section.getByRole('link', { name: 'Version 2', exact: true }).waitFor();
    const audit = await workspace.api.get('/api/audit?action=agent.forced');
    expect(audit.body.data).toMatchObject([{ details: { version: 2, reason: 'The prices are wrong.' } }]);

    await section.getByRole('button', { name: 'Roll back' }).click();
    await dialog.getByRole('button', { name: 'Roll back' }).click();
    await section.getByText('Version 3 is a copy of version 1.').waitFor();
    await section.getByRole('link', { name: 'Version 3', exact: true }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
  });

  test('concerns one agent, whose newest version goes active when it becomes automatic', async () => {
    await workspace.api.patch(`/api/agents/${agentId}/deployment`, { publish: 'gated' });
    await workspace.api.put(`/api/agents/${agentId}`, {
      ...{ type: 'outbound', greeting: 'Good day.', deployment: { status: 'draft' } },
    });
    const page = await site.open(`/agents/${agentId}`);
    await page.getByText('Version 2 is a draft').waitFor();
    await page.getByText('Talk uses the saved version 2.').waitFor();
    await page.getByRole('link', { name: 'Versions', exact: true }).click();
    await page.getByRole('row', { name: /^2 draft/ }).waitFor();
    await page.getByRole('row', { name: /^1 current/ }).waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Change publishing' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('New versions').selectOption('At once');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('are used at once', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Publish', exact: true }).waitFor({ state: 'detached' });
    const { body } = await workspace.api.get(`/api/agents/${agentId}/deployment`);
    expect(body.data).toMatchObject({ publish_own: 'automatic', status: 'active', active_version: 2 });
  });
});

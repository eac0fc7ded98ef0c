import { join } from 'node:path';
import { MESSAGE_TYPES } from '../../src/platform/messaging/wire';
import { createAgent } from '../support/agents';
import { accessibilityProblems, describeInBrowser } from '../support/browser';
import { AgentCalls } from '../support/calls';
import { type TestWorkspace, useOwnParley } from '../support/parley';
import { useSignedInBrowser } from '../support/signed-in-browser';
import { until } from '../support/until';
import { useStarted } from '../support/use-started';
import { TestWorker } from '../support/worker';

const FILE = `agent: front-desk
rehearsals:
  - name: table-for-two
    person:
      lines:
        - { say: Two. }
    checks:
      - { turn: 3 }
`;

/** The picture of docs/rehearsals.md is stored there. Without it, none is taken. */
const folder = process.env.SCREENSHOTS;

/** A check that is red for what the agent does in {@link FOR_THREE}. */
const FOR_TWO = '{ tool: { name: book_table, arguments: { people: 2 } } }';

const FOR_THREE = [
  { speaker: 'agent', text: 'Good day, this is the restaurant. For how many persons?', at_ms: 0 },
  { speaker: 'user', text: 'Two.', at_ms: 3_400 },
  {
    ...{ speaker: 'tool', text: 'book_table', at_ms: 4_300 },
    tool: { name: 'book_table', arguments: { people: 3 }, result: { ok: true }, closed: false },
  },
  { speaker: 'agent', text: 'Your table is booked. Goodbye.', at_ms: 4_700 },
];

const FACTS = {
  turns: [
    { speaker: 'agent', text: 'Good day.', at_ms: 0 },
    { speaker: 'user', text: 'Hello.', at_ms: 1_000 },
    { speaker: 'agent', text: 'Go away.', at_ms: 2_000 },
  ],
  end: { reason: 'agent_hangup', by: 'agent' },
  ...{ variables: {}, outcome: 'completed', opt_out: false },
  figures: { turns: 2, turn_gap_ms_p95: 900, interrupted_ms: null, seconds: 4, tokens: 12 },
};

describeInBrowser('The rehearsals in the console', () => {
  const parley = useOwnParley();
  const worker = useStarted(() => TestWorker.start(parley));
  const rehearsing = useStarted(() => TestWorker.start(parley, { queue: parley.topology.rehearsalsQueue }));
  let workspace: TestWorkspace;
  let agentId: string;
  const site = useSignedInBrowser(parley, async () => (workspace = await parley.workspace()));
  beforeEach(async () => {
    agentId = await createAgent(workspace, { name: 'Front desk' });
  });

  const play = async (facts: object) => {
    const call = await (await rehearsing.offerTo(agentId)).take();
    await call.report(MESSAGE_TYPES.rehearsed, { facts });
    await call.ended();
  };
  const stored = async () =>
    (await workspace.api.get(`/api/agents/${agentId}/rehearsals`)).body.data as { name: string }[];

  test('are written as a file whose errors have lines, and run; a red check is beside its turn', async () => {
    const page = await site.open(`/agents/${agentId}`);
    await page.getByRole('link', { name: 'Rehearsals' }).click();
    await page.getByRole('heading', { name: 'Rehearsals of Front desk', level: 1 }).waitFor();
    const file = page.getByRole('textbox', { name: 'Rehearsals (YAML)' });
    const save = page.getByRole('button', { name: 'Save', exact: true });
    const problems = page.getByRole('list', { name: 'What is not valid in the file' });
    await page.getByRole('button', { name: 'Insert an example' }).click();
    expect(await file.inputValue()).toContain('- name: says-goodbye');
    await file.fill('rehearsals: [\n  ?\n');
    await save.click();
    await problems.getByRole('button', { name: /^Line [123]$/ }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await file.fill(FILE);
    await save.click();
    await problems.getByRole('button', { name: 'Line 8' }).click();
    const selected = () => page.evaluate<string>('getSelection().toString()');
    await until(async () => (await selected()) === '      - { turn: 3 }');
    expect(await stored()).toEqual([]);
    // The browser logs each refusal.
    expect(site.browser.complaints.splice(0).every((text) => text.includes('400'))).toBe(true);

    await file.fill(FILE.replace('{ turn: 3 }', FOR_TWO));
    await save.click();
    await page.getByText('Saved: 1 created, 0 changed, 0 deleted.').waitFor();
    await page.getByRole('row', { name: /table-for-two/ }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);

    const run = page.getByRole('button', { name: 'Run', exact: true });
    await file.fill(await file.inputValue().then((text) => text.replace('Two.', 'Two, please.')));
    await run.click();
    await page.getByText('Save the file first').waitFor();
    await save.click();
    await page.getByText('Saved: 0 created, 1 changed, 0 deleted.').waitFor();
    await run.click();
    await page.getByRole('heading', { name: 'Run of Front desk', level: 1 }).waitFor();
    await page.getByText('It is not played yet.').waitFor();
    await play({ ...FACTS, turns: FOR_THREE });
    const red = page.locator('li[data-red]');
    await red.waitFor();
    expect(await red.innerText()).toMatch(/book_table[^]*"people": 3[^]*failed[^]*tool/);
    if (folder) await page.screenshot({ path: join(folder, 'console-rehearsal.png') });
    await page.getByRole('link', { name: /^book_table was asked for: 1/ }).click();
    expect(await page.locator('li:target').and(red).count()).toBe(1);
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await accessibilityProblems(page, { rules: ['color-contrast'] })).toEqual([]);

    await page.getByRole('link', { name: 'Rehearsals', exact: true }).click();
    await page.getByRole('row', { name: /table-for-two[^]*failed[^]*book_table was asked for/ }).waitFor();
    await page.getByRole('link', { name: 'table-for-two' }).click();
    await page.getByRole('heading', { name: 'Conversation: table-for-two' }).waitFor();
  });

  test('are not saved over what somebody else has changed', async () => {
    const page = await site.open(`/agents/${agentId}/rehearsals`);
    await page.getByRole('textbox', { name: 'Rehearsals (YAML)' }).fill(FILE.replace('turn:', 'turns:'));
    const other = { name: 'other', person: { lines: [] }, checks: [{ turns: 1 }] };
    await workspace.api.post(`/api/agents/${agentId}/rehearsals`, other);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Somebody else has changed the rehearsals').waitFor();
    expect((await stored()).map(({ name }) => name)).toEqual(['other']);
  });

  test('compare two versions, and show the conversation of each', async () => {
    await workspace.api.put(`/api/agents/${agentId}`, { type: 'outbound', greeting: 'Go away.' });
    const rehearsal = { name: 'polite', person: { lines: [] }, checks: [{ never_said: 'go away' }] };
    const started = await workspace.api.post(`/api/agents/${agentId}/rehearsal-runs`, {
      ...{ rehearsals: [rehearsal], against: 1 },
    });
    for (let count = 0; count < 2; count += 1) {
      const offer = await rehearsing.offerTo(agentId);
      const call = await offer.take();
      const turns = offer.start.agent_version === 2 ? FACTS.turns : FACTS.turns.slice(0, 2);
      await call.report(MESSAGE_TYPES.rehearsed, { facts: { ...FACTS, turns } });
      await call.ended();
    }

    const page = await site.open(`/rehearsal-runs/${started.body.data.run_id as string}`);
    await page.getByRole('row', { name: /polite[^]*failed[^]*broke/ }).waitFor();
    await page.locator('li[data-red]').waitFor();
    await page.getByLabel('Version').selectOption('Version 1');
    await page.locator('ol', { hasText: 'Good day.' }).waitFor();
    await until(async () => (await page.locator('li', { hasText: 'Go away.' }).count()) === 0);
    expect(await page.locator('li[data-red]').count()).toBe(0);
  });

  test('are made of a call, which is read before it is enabled', async () => {
    const id = await new AgentCalls(workspace.api, agentId).start();
    const call = await (await worker.findOffer(id)).take();
    await call.connected();
    await call.transcript([
      { sequence: 1, speaker: 'user', text: 'A table, please.', started_at: new Date().toISOString() },
    ]);
    await call.ended();
    const page = await site.open(`/calls/${id}`);
    await page.getByRole('button', { name: 'Make a rehearsal' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('a-table');
    await dialog.getByRole('button', { name: 'Make a rehearsal' }).click();
    await page.getByText('a-table is made.').waitFor();
    await page.getByText('Replaced: 0 names, 0 numbers').waitFor();
    await dialog.getByRole('link', { name: 'Read it' }).click();
    await page.getByRole('row', { name: /a-table[^]*not enabled/ }).waitFor();
    const file = page.getByRole('textbox', { name: 'Rehearsals (YAML)' });
    expect(await file.inputValue()).toContain('A table, please.');
  });
});

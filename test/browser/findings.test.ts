import type { Page } from 'playwright-core';
import { MESSAGE_TYPES } from '../../src/platform/messaging/wire';
import { createAgent } from '../support/agents';
import { accessibilityProblems, describeInBrowser } from '../support/browser';
import { AgentCalls } from '../support/calls';
import { withKeyboard } from '../support/mouse-and-keyboard';
import { hasFocus } from '../support/keyboard';
import { type TestWorkspace, useOwnParley } from '../support/parley';
import { useSignedInBrowser } from '../support/signed-in-browser';
import { until } from '../support/until';
import { useStarted } from '../support/use-started';
import { TestWorker } from '../support/worker';

const ANALYSIS = {
  fields: [
    { name: 'appointment', type: 'string', enum: ['booked', 'none'], description: 'What became of it.' },
    { name: 'again', type: 'boolean', description: 'Whether the person calls again.' },
    { name: 'guest', type: 'string', description: 'The guest.', from: 'variable:guest' },
  ],
  criteria: ['consent', 'price', 'opening'].map((name) => ({ name, text: `The ${name} was said.` })),
};

describeInBrowser('What calls yield, in the console,', () => {
  const parley = useOwnParley();
  const worker = useStarted(() => TestWorker.start(parley));
  let workspace: TestWorkspace;
  const site = useSignedInBrowser(parley, async () => (workspace = await parley.workspace()));

  const path = (agentId: string) => `/api/agents/${agentId}/analysis`;
  const read = async (agentId: string): Promise<unknown> =>
    ((await workspace.api.get(path(agentId))).body as { data: unknown }).data;

  /** A call of an agent, in which the person has spoken 30 times. */
  async function takeCall(agentId: string) {
    const id = await new AgentCalls(workspace.api, agentId).start();
    const call = await (await worker.findOffer(id)).take();
    await call.connected();
    const turns = Array.from({ length: 30 }, (_, place) => ({
      ...{ sequence: place + 1, speaker: place % 2 === 0 ? 'agent' : 'user', text: `Sentence ${place + 1}.` },
      started_at: new Date(Date.now() + place * 1_000).toISOString(),
    }));
    await call.transcript(turns);
    return call;
  }

  test('is on the page of a call, and leads with the keyboard to the turns that show it', async () => {
    const agentId = await createAgent(workspace);
    await workspace.api.put(path(agentId), ANALYSIS);
    const call = await takeCall(agentId);
    const page = await site.open(`/calls/${call.conversationId}`);
    await page.getByText('Sentence 30.').waitFor();
    expect(await page.getByRole('heading', { name: 'Findings' }).count()).toBe(0);
    await call.report(MESSAGE_TYPES.analyzed, {
      fields: { appointment: 'booked', again: true },
      criteria: {
        consent: { pass: true, turns: [2, 28], reason: 'The person agreed.' },
        price: { pass: false, turns: [], reason: 'Nobody asked.' },
      },
    });
    await call.ended();

    const section = page.locator('section', { has: page.getByRole('heading', { name: 'Findings' }) });
    await section.waitFor();
    const facts = await section.locator('dl > div').allInnerTexts();
    expect(facts.map((fact) => fact.split('\n'))).toEqual([
      ['again', 'yes'],
      ['appointment', 'booked'],
      ['guest', 'no value: the call has no variable guest'],
    ]);
    const criteria = await section.getByRole('list', { name: 'Criteria' }).getByRole('listitem').all();
    expect((await Promise.all(criteria.map((item) => item.innerText()))).map(withoutBreaks)).toEqual([
      expect.stringMatching(/^✓ ?passed consent The person agreed\. Person, 0:0\d Person, 0:2\d$/),
      expect.stringMatching(/^○ ?unclear opening not reported$/),
      expect.stringMatching(/^✕ ?not passed price Nobody asked\.$/),
    ]);
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await accessibilityProblems(page, { rules: ['color-contrast'] })).toEqual([]);

    const links = section.getByRole('link', { name: /^Person, / });
    for (const [place, sentence] of ['Sentence 2.', 'Sentence 28.'].entries()) {
      const turn = page.locator('li[data-speaker]', { hasText: sentence });
      await withKeyboard(page).press('link', await links.nth(place).innerText());
      await until(() => hasFocus(turn));
      expect(await page.locator('li:target').and(turn).count()).toBe(1);
      expect(await isInView(page, 'li:target')).toBe(true);
    }
  });

  test('is nothing on the page of a call whose agent asks for nothing', async () => {
    const call = await takeCall(await createAgent(workspace));
    await call.report(MESSAGE_TYPES.analyzed, { fields: { mood: 'fine' } });
    await call.ended();
    const page = await site.open(`/calls/${call.conversationId}`);
    await page.getByText('mood').waitFor();
    await page.getByText('was charged').waitFor();
    expect(await page.getByRole('heading', { name: 'Findings' }).count()).toBe(0);
  });

  test('is listed in a form of its agent, where it is added, changed, removed and saved at once', async () => {
    const agentId = await createAgent(workspace, { name: 'Front desk' });
    const page = await site.open(`/agents/${agentId}`);
    await page.getByRole('link', { name: 'Analysis' }).click();
    await page.getByRole('heading', { name: 'Analysis of Front desk', level: 1 }).waitFor();

    await page.getByRole('button', { name: 'Add a field' }).click();
    const field = page.locator('[data-path="fields.0.name"]').getByRole('textbox');
    await until(() => hasFocus(field));
    await field.fill('Persons!');
    await page.getByLabel('Type').selectOption('whole number');
    await page.getByLabel(/^Possible values/).fill('2\n4');
    await page.getByLabel(/^Comes from/).fill('tool:book_table');
    await save(page);
    await page.getByText('Does not have the required format.').first().waitFor();
    await field.fill('persons');
    await save(page);
    // The server says what only it knows, and the form leads to the first of these fields.
    const refused = page.locator('[data-path="fields.0.description"]');
    await refused.getByText('description must be').waitFor();
    await until(() => hasFocus(refused.getByRole('textbox')));
    await refused.getByRole('textbox').fill('The number of persons.');
    await save(page);
    const from = page.locator('[data-path="fields.0.from"]');
    await from.getByText('from must be model, variable:NAME').waitFor();
    await page.getByRole('button', { name: 'persons: Comes from' }).click();
    await until(() => hasFocus(from.getByRole('textbox')));
    await from.getByRole('textbox').fill('tool:book_table#/persons');
    for (const [place, name] of ['consent', 'price'].entries()) {
      await page.getByRole('button', { name: 'Add a criterion' }).click();
      await page.locator(`[data-path="criteria.${place}.name"]`).getByRole('textbox').fill(name);
      await page.locator(`[data-path="criteria.${place}.text"]`).getByRole('textbox').fill(`About ${name}.`);
    }
    expect(await accessibilityProblems(page)).toEqual([]);
    await save(page);
    await page.getByText('Saved.').waitFor();
    const persons = {
      ...{ name: 'persons', type: 'integer', enum: [2, 4], description: 'The number of persons.' },
      from: 'tool:book_table#/persons',
    };
    const price = { name: 'price', text: 'About price.' };
    expect(await read(agentId)).toEqual({
      fields: [persons],
      criteria: [{ name: 'consent', text: 'About consent.' }, price],
    });

    await page.reload();
    await page.getByRole('button', { name: 'Remove consent' }).click();
    await page.getByLabel(/^Possible values/).fill('');
    await page.getByText('2 unsaved changes').waitFor();
    await save(page);
    await page.getByText('Saved.').waitFor();
    const { enum: _, ...withoutEnum } = persons;
    expect(await read(agentId)).toEqual({ fields: [withoutEnum], criteria: [price] });

    await page.getByRole('button', { name: 'Remove price' }).click();
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Discard changes' }).click();
    await page.getByRole('button', { name: 'Remove price' }).waitFor();
    await page.goto(`${parley.url}/agents/${agentId}/versions`);
    const change = page.getByRole('listitem').filter({ hasText: 'Analysis › Criteria' });
    await change.getByText('Name: consent; Text: About consent.').waitFor();
    // The browser itself reports that the server refused two of the changes.
    expect(site.browser.complaints.splice(0).every((text) => text.includes('400'))).toBe(true);
  });
});

const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click();

const withoutBreaks = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

const isInView = (page: Page, selector: string) =>
  page.evaluate<boolean>(`(() => {
    const { top, bottom } = document.querySelector('${selector}').getBoundingClientRect();
    return top >= document.querySelector('header').getBoundingClientRect().bottom && bottom <= innerHeight;
  })()`);

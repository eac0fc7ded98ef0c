import type { Page } from 'playwright-core';
import { MESSAGE_TYPES } from '../../src/platform/messaging/wire';
import { createAgent } from '../support/agents';
import { accessibilityProblems, describeInBrowser } from '../support/browser';
import { AgentCalls } from '../support/calls';
import { withKeyboard } from '../support/hands';
import { hasFocus } from '../support/keyboard';
import { type TestWorkspace, useParley } from '../support/parley';
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
  const parley = useParley();
  const worker = useStarted(() => TestWorker.start(parley));
  let workspace: TestWorkspace;
  const site = useSignedInBrowser(parley, async () => (workspace = await parley.workspace()));

  const path = (agentId: string) => `/api/agents/${agentId}/analysis`;

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
});

const withoutBreaks = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

const isInView = (page: Page, selector: string) =>
  page.evaluate<boolean>(`(() => {
    const { top, bottom } = document.querySelector('${selector}').getBoundingClientRect();
    return top >= document.querySelector('header').getBoundingClientRect().bottom && bottom <= innerHeight;
  })()`);

import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { createAgent } from '../support/agents';
import { accessibilityProblems, describeInBrowser } from '../support/browser';
import { TestConsole } from '../support/console';
import { withKeyboard, withMouse } from '../support/mouse-and-keyboard';
import { type Microphone, speakingMicrophone } from './microphone';
import { ModelServer } from '../support/model-server';
import { until } from '../support/until';

/** The folder for the pictures of the README. Without it, none are taken. */
const folder = process.env.SCREENSHOTS;

/** The machine may be busy, and recognizes speech slowly then. */
const PATIENCE = 120_000;

/** It takes longer than the microphone is silent, so that the person interrupts it. */
const LONG_ANSWER = Array.from(
  { length: 12 },
  () => 'We have a table for two at the window, from seven in the evening. ',
);

/** A silent microphone of the page. */
const SILENCE = `navigator.mediaDevices.getUserMedia = () =>
  Promise.resolve(new AudioContext().createMediaStreamDestination().stream)`;

interface ShownCall {
  disconnect_reason: string;
  disconnected_by: string;
  recording_url: string;
  analysis: Record<string, number> | null;
}

describeInBrowser('Somebody who talks to an agent', () => {
  let site: TestConsole;
  let microphone: Microphone;
  let model: ModelServer;
  let context: BrowserContext;

  beforeAll(async () => {
    microphone = await speakingMicrophone('I would like to book a table for two.', 12);
    model = await ModelServer.start(Array.from({ length: 100 }, () => LONG_ANSWER));
    site = await TestConsole.start({ LLM_BASE_URL: model.url, LOG_LEVEL: 'warn' }, microphone.args);
  });
  beforeEach(async () => {
    context = await site.browser.newContext();
  });
  afterEach(() => context.close());
  afterAll(async () => {
    await site?.stop();
    model?.stop();
    await microphone?.stop();
  });

  const shoot = async (page: Page, name: string) => {
    if (folder) await page.screenshot({ path: join(folder, `${name}.png`) });
  };
  const open = async (path: string) => {
    const page = await site.open(context, path);
    page.setDefaultTimeout(PATIENCE);
    return page;
  };
  const readCall = async (id: string) => (await site.api.get(`/api/calls/${id}`)).body.data as ShownCall;
  const readId = (page: Page) => page.url().split('/').at(-1) ?? '';

  /** A user who finds the call among the live ones, and hears it. */
  async function listenFromLive(): Promise<Page> {
    const page = await open('/live');
    await page.locator('tr[data-row]').first().press('Enter');
    await page.getByRole('button', { name: 'Listen', exact: true }).click();
    await page.getByText('You hear the call.').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    return page;
  }

  test.each([
    ['the mouse', withMouse],
    ['the keyboard alone', withKeyboard],
  ])(
    'is understood, interrupts the agent, hangs up and reads the call, with %s',
    async (_, getDevice) => {
      const agentId = await createAgent(site, {
        name: 'Front desk',
        greeting: 'Good day {{customer_name}}, how can I help you?',
        callConfig: { recordingEnabled: true },
      });
      const page = await open(`/agents/${agentId}`);
      const { press, write } = getDevice(page);
      await press('link', 'Talk');
      await page
        .getByText('The agent is set to use these services.')
        .or(page.getByText('The agent is set to use no outside service'))
        .waitFor();
      await write('customer_name', 'Ada');
      await press('button', 'Talk');

      await page.getByText('Your voice stays on this machine.').waitFor();
      const colleague = getDevice === withMouse ? await listenFromLive() : undefined;
      const said = page.locator('[data-speaker=user]:not([data-provisional])', { hasText: /table|two/i });
      // The second time, the agent is in the midst of its long answer.
      await said.nth(1).waitFor();
      await page.getByText('The agent is speaking').waitFor();
      await page.getByText(/^Last answer after \d+\.\d s$/).waitFor();
      await shoot(page, 'talk');
      expect(await accessibilityProblems(page)).toEqual([]);
      await press('button', 'Mute');
      await page.getByText('Your microphone is muted').waitFor();
      await press('button', 'Hang up');

      await page.waitForURL(/\/calls\/[\w-]+$/);
      await page.getByRole('heading', { name: 'Web call with Front desk' }).waitFor();
      await colleague?.getByText('The call is over.').waitFor();
      await colleague?.close();
      const id = readId(page);
      const call = await until(async () => {
        const found = await readCall(id);
        return found.analysis && found.disconnect_reason && found;
      }, PATIENCE);
      expect(call).toMatchObject({ disconnect_reason: 'user_hangup', disconnected_by: 'user' });
      expect(call.analysis?.interruptions).toBeGreaterThan(0);

      await said.nth(1).waitFor();
      const answer = page.locator('li[data-speaker=agent]', { hasText: 'We have a table' }).first();
      expect((await answer.innerText()).length).toBeLessThan(LONG_ANSWER.join('').length);
      expect(await page.locator('audio').getAttribute('src')).toBe(`/api/calls/${id}/recording`);
      await page.getByRole('img', { name: 'How loud the person was' }).waitFor();
      await page.getByRole('radio', { name: 'the agent' }).check();
      await page.getByText('Response time, median (p50)').waitFor();
      await page
        .getByText(/^answered after \d+\.\d s$/)
        .first()
        .waitFor();
      await page.getByText('Interruptions').waitFor();
      await page.getByText('customer_name').first().waitFor();
      await shoot(page, 'web-call');
      expect(await accessibilityProblems(page)).toEqual([]);
      expect(site.complaints()).toEqual([]);
    },
    4 * PATIENCE,
  );

  test(
    'leaves the page, and the call is hung up',
    async () => {
      const agentId = await createAgent(site, { greeting: LONG_ANSWER.join('') });
      const page = await open(`/agents/${agentId}/talk`);
      await page.getByRole('button', { name: 'Talk', exact: true }).click();
      await page.getByText('The agent is speaking').waitFor();
      await page.goto('about:blank');
      const ended = await until(async () => {
        const { body } = await site.api.get(`/api/calls?agent_id=${agentId}`);
        const [call] = body.data as { status: string; call_id: string }[];
        return call?.status === 'disconnected' && call;
      }, PATIENCE);
      expect(await readCall(ended.call_id)).toMatchObject({ disconnect_reason: 'user_hangup' });
    },
    2 * PATIENCE,
  );

  test.each([
    ['a chat agent', { type: 'chat' }, 'Write'],
    ['an agent that speaks, without using the microphone', { type: 'outbound' }, 'Write instead'],
  ])(
    'writes to %s by the keyboard',
    async (_, fields, button) => {
      const agentId = await createAgent(site, {
        name: 'Help desk',
        greeting: 'How can I help?',
        llmConfig: { provider: 'local' },
        ...fields,
      });
      const page = await open(`/agents/${agentId}/talk`);
      const { press, write } = withKeyboard(page);
      await press('button', button);
      const turns = page.getByRole('log', { name: 'Transcript' });
      await turns.getByText('How can I help?').waitFor();
      await write('Message', 'When are you open?');
      await page.keyboard.press('Enter');
      await turns.locator('[data-speaker=user]', { hasText: 'When are you open?' }).waitFor();
      await turns.locator('[data-speaker=agent]').nth(1).waitFor();
      await page.getByText('No service of another company hears or reads the call.').waitFor();
      expect(await page.getByText('Your voice').count()).toBe(0);
      await shoot(page, 'chat');
      expect(await accessibilityProblems(page)).toEqual([]);
      await press('button', 'Hang up');
      await page.waitForURL(/\/calls\/[\w-]+$/);
      await page.locator('li[data-speaker=user]', { hasText: 'When are you open?' }).waitFor();
      await page.getByText('Recording is off for this agent.').waitFor();
      await press('button', 'Turn on recording');
      await page.getByText('The next calls of this agent are recorded.').waitFor();
      const [agent] = (await site.api.get(`/api/agents/${agentId}`)).body.data as [object];
      expect(agent).toMatchObject({ callConfig: { recordingEnabled: true } });
      expect(site.complaints()).toEqual([]);
    },
    2 * PATIENCE,
  );

  test(
    'says nothing, and the outcome has other words than a call that nobody picked up',
    async () => {
      await context.addInitScript(SILENCE);
      const fields = { greeting: 'How can I help?', llmConfig: { provider: 'local' } };
      const agentId = await createAgent(site, fields);
      const to_number = '+15551234502';
      const missed = await site.api.post(`/api/agents/${agentId}/calls`, { to_number });
      const page = await open(`/agents/${agentId}/talk`);
      await page.getByRole('button', { name: 'Talk', exact: true }).click();
      await page.locator('[data-speaker=agent]', { hasText: 'How can I help?' }).waitFor();
      await page.getByRole('button', { name: 'Hang up' }).click();

      await page.waitForURL(/\/calls\/[\w-]+$/);
      const readFact = (name: string) =>
        page
          .locator('dl > div', { has: page.getByText(name, { exact: true }) })
          .getByRole('definition')
          .innerText();
      expect(await readFact('Outcome')).toBe('no speech');
      await page.goto(`${site.server.url}/calls/${missed.body.data.conversation_id}`);
      expect(await readFact('End reason')).toBe('no answer');
      expect(site.complaints()).toEqual([]);
    },
    2 * PATIENCE,
  );

  test.each([
    ['azure-openai', 'LLM_BASE_URL and LLM_API_KEY and give the agent the provider openai;'],
    ['mistral', 'MISTRAL_BASE_URL and MISTRAL_API_KEY;'],
  ])(
    'reads which settings connect the language model of the provider %s',
    async (provider, advice) => {
      const agentId = await createAgent(site, { llmConfig: { provider } });
      const page = await open(`/agents/${agentId}/talk`);
      const notice = page.getByText(`The language model of ${provider} is not connected`);
      await notice.waitFor();
      expect(await notice.innerText()).toContain(`with the server’s settings ${advice}`);
      expect(site.complaints()).toEqual([]);
    },
    PATIENCE,
  );

  test(
    'tries a changed prompt on what people said in the last calls, before it is saved',
    async () => {
      const agentId = await createAgent(site, { name: 'Front desk', prompt: 'Be kind.' });
      const started = await site.api.post(`/api/agents/${agentId}/calls`, {
        to_number: '+15551234500',
        customer_name: 'Ada',
      });
      const id = started.body.data.conversation_id as string;
      await until(
        async () => (await site.api.get(`/api/calls/${id}/transcript`)).body.data.complete as boolean,
        PATIENCE,
      );
      const page = await open(`/agents/${agentId}`);
      await page.getByRole('textbox', { name: /^Prompt/ }).click();
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type('Be short.');
      await page.getByText('1 unsaved change').waitFor();
      await page.getByRole('button', { name: 'Show the calls' }).click();
      await page.getByRole('button', { name: 'Try on the last call' }).click();

      const answers = page.getByRole('table', { name: 'Answers in the call with Ada' });
      await answers
        .getByRole('cell', { name: /^We have a table for two/ })
        .first()
        .waitFor();
      await page.getByRole('button', { name: 'Try on the last call' }).waitFor();
      expect(model.requests.at(-1)?.messages[0]?.content).toContain('Be short.');
      expect(await accessibilityProblems(page)).toEqual([]);
      expect(site.complaints()).toEqual([]);
    },
    2 * PATIENCE,
  );

  test(
    'comes from a template, of which an agent is made',
    async () => {
      const { body } = await site.api.get('/api/prompt-templates');
      const [template] = body.data as { template_id: string; name: string }[];
      const page = await open(`/templates/${template?.template_id}`);
      await page.getByRole('button', { name: 'Talk', exact: true }).click();
      await page.getByRole('heading', { name: `Talk to ${template?.name}` }).waitFor();
      expect(new URL(page.url()).pathname).toMatch(/^\/agents\/[\w-]+\/talk$/);
      expect(site.complaints()).toEqual([]);
    },
    PATIENCE,
  );
});

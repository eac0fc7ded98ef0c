import type { BrowserContext, Locator, Page } from 'playwright-core';
import { accessibilityProblems, describeInBrowser } from '../support/browser';
import { TestConsole } from '../support/console';
import { findUnreadable } from '../support/unreadable';
import { until } from '../support/until';

/** The texts that describe a field to a screen reader. */
async function readDescription(page: Page, field: Locator): Promise<string> {
  const ids = (await field.getAttribute('aria-describedby'))?.split(' ') ?? [];
  const texts = await Promise.all(ids.map((id) => page.locator(`[id="${id}"]`).innerText()));
  return texts.join(' ');
}

describeInBrowser('Agents in the console', () => {
  let site: TestConsole;
  let context: BrowserContext;
  let agentId: string;

  beforeAll(async () => {
    site = await TestConsole.start();
  });
  beforeEach(async () => {
    context = await site.browser.newContext();
    const { body } = await site.api.post('/api/agents', { type: 'outbound', name: 'Front desk' });
    agentId = (body as { data: { _id: string } }).data._id;
  });
  afterEach(async () => {
    await context.close();
    expect(site.complaints()).toEqual([]);
  });
  afterAll(() => site?.stop());

  const change = (fields: object) => site.api.put(`/api/agents/${agentId}`, { type: 'outbound', ...fields });
  const agent = async () => {
    const { body } = await site.api.get(`/api/agents/${agentId}`);
    return (body as { data: [{ greeting: string; prompt: string; callConfig: { idleReminders: unknown } }] })
      .data[0];
  };
  const findGreeting = (page: Page) => page.getByLabel(/^Greeting/);

  test('keep unsaved changes while the page is left or loaded again, until they are saved or discarded', async () => {
    const page = await site.open(context, `/agents/${agentId}`);
    await findGreeting(page).fill('Good evening');
    await page.getByText('1 unsaved change').waitFor();

    await page.getByRole('link', { name: 'Numbers' }).click();
    await page.getByRole('heading', { name: 'Phone numbers' }).waitFor();
    await page.goBack();
    await page.getByText('Your unsaved changes from your last visit').waitFor();
    await page.reload();
    await page.getByText('Your unsaved changes from your last visit').waitFor();
    expect(await findGreeting(page).inputValue()).toBe('Good evening');
    expect((await agent()).greeting).not.toBe('Good evening');

    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('1 unsaved change').waitFor({ state: 'detached' });
    expect((await agent()).greeting).toBe('Good evening');

    await findGreeting(page).fill('Good night');
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await page.getByRole('dialog').getByText('Greeting').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Discard changes' }).click();
    await page.getByText('1 unsaved change').waitFor({ state: 'detached' });
    expect(await findGreeting(page).inputValue()).toBe('Good evening');
  });

  const findTopic = (page: Page, title: string) =>
    page.locator('details', { has: page.getByRole('heading', { name: title, exact: true }) });

  test('begin with what a new agent needs, and have the rest under Advanced, closed', async () => {
    const page = await site.open(context, `/agents/${agentId}`);
    const form = page.getByRole('form', { name: 'Agent settings' });
    await form.getByRole('heading', { name: 'Basics' }).waitFor();
    for (const name of ['Name', 'Type', 'Language', 'Active', 'Greeting', 'Voice ID', 'Model provider'])
      await form.getByLabel(name, { exact: true }).waitFor();
    await form.getByLabel('Find a knowledge base by name').waitFor();
    const longest = form.getByLabel('Maximum call duration');
    expect(await longest.isVisible()).toBe(false);

    await form.getByRole('link', { name: 'Limits' }).click();
    await longest.waitFor();
    expect(await readDescription(page, longest)).toContain('seconds');
    await findTopic(page, 'Limits').locator('summary').click();
    await longest.waitFor({ state: 'hidden' });
  });

  test('show in Deployment what nobody edits: text and no fields', async () => {
    const page = await site.open(context, `/agents/${agentId}`);
    const deployment = findTopic(page, 'Deployment');
    await deployment.locator('summary').click();
    for (const name of ['Status', 'Version', 'Last updated', 'Error'])
      await deployment.getByRole('term').getByText(name, { exact: true }).waitFor();
    expect(await deployment.locator('time').count()).toBeGreaterThan(0);
    expect(await deployment.locator('input, select, textarea').count()).toBe(0);
  });

  test('show no average duration before their first call', async () => {
    const page = await site.open(context, `/agents/${agentId}`);
    const fact = page.locator('dl > div', { has: page.getByText('Average duration', { exact: true }) });
    expect(await fact.getByRole('definition').innerText()).toBe('–');
  });

  test('find a setting by words of its name, its help and its topic', async () => {
    const page = await site.open(context, `/agents/${agentId}`);
    const search = page.getByLabel('Find a setting');
    await search.fill('silence');
    await page.getByText(/^\d+ settings found$/).waitFor();
    await page.getByLabel('End the call after silence of').waitFor();
    expect(await findGreeting(page).isVisible()).toBe(false);
    await search.fill('recognition keywords');
    await page.getByText('1 setting found').waitFor();
    await page.getByLabel('Keywords').fill('Parley');

    await search.fill('no such thing');
    await page.getByText('No setting matches').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Clear the search' }).click();
    await findGreeting(page).waitFor();
    await page.getByLabel('Keywords').waitFor({ state: 'hidden' });
    await page.getByText('1 unsaved change').waitFor();
  });

  test('lead from an error in a closed topic to its field', async () => {
    const page = await site.open(context, `/agents/${agentId}`);
    const open = findTopic(page, 'Model tuning').locator('summary');
    await open.click();
    const temperature = page.getByLabel(/^Temperature/).first();
    await temperature.fill('7');
    await open.click();
    await temperature.waitFor({ state: 'hidden' });
    await page.getByRole('link', { name: 'Model tuning 1 changed 1 invalid' }).waitFor();
    await page.getByText('1 field needs attention').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Temperature' }).click();
    await temperature.and(page.locator(':focus')).waitFor();
    await temperature.fill('1');

    // Only the server can refuse this one.
    await findTopic(page, 'Time zones').locator('summary').click();
    const zone = page.getByLabel(/^Agent time zone/);
    await zone.fill('Europe/Nowhere');
    await findTopic(page, 'Time zones').locator('summary').click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await zone.and(page.locator(':focus')).waitFor();
    await findTopic(page, 'Time zones').locator('summary').click();
    await page.getByRole('alert').getByRole('button', { name: 'Agent time zone' }).click();
    await zone.and(page.locator(':focus')).waitFor();
    expect(site.complaints().filter((text) => !text.includes('400'))).toEqual([]);
  });

  test('show in the list of sections how many fields were changed and are invalid, with nothing cut off', async () => {
    const page = await site.open(context, `/agents/${agentId}`);
    await findTopic(page, 'Model tuning').locator('summary').click();
    await page
      .getByLabel(/^Temperature/)
      .first()
      .fill('7');
    await findTopic(page, 'Time zones').locator('summary').click();
    await page.getByLabel(/^Agent time zone/).fill('Europe/Berlin');
    await page.getByRole('link', { name: 'Model tuning 1 changed 1 invalid' }).waitFor();
    for (const width of [1_600, 1_280, 375]) {
      await page.setViewportSize({ width, height: 900 });
      const menu = page.getByRole('button', { name: 'Sections', exact: true });
      if (await menu.isVisible()) await menu.click();
      const unreadable = await findUnreadable(page, 'nav[aria-label="Sections"] a');
      expect({ width, unreadable }).toEqual({ width, unreadable: [] });
    }
  });

  test('have a switch, a number and its unit for a limit', async () => {
    const page = await site.open(context, `/agents/${agentId}`);
    await page.getByRole('link', { name: 'Conversation' }).click();
    await page.getByLabel(/^Speak up when the person is silent( \(changed\))?$/).check();
    const after = page.getByLabel(/^Speak up when the person is silent.*: after/);
    expect(await readDescription(page, after)).toContain('seconds');
    await after.fill('25');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('1 unsaved change').waitFor({ state: 'detached' });
    expect((await agent()).callConfig.idleReminders).toEqual([true, 25]);
  });

  test('offer the providers that the server knows, and the voices of the chosen one', async () => {
    const page = await site.open(context, `/agents/${agentId}`);
    const listOffered = async (name: string) => {
      const list = await page.getByLabel(name).getAttribute('list');
      return page
        .locator(`[id="${list}"] option`)
        .evaluateAll((options) => options.map((option) => option.getAttribute('value')));
    };
    const provider = page.getByLabel(/^Voice provider/);
    await provider.waitFor();
    expect(await listOffered('Voice provider')).toContain('openai');
    await provider.fill('local');
    await until(async () => (await listOffered('Voice ID')).join() === 'slt,rms,awb,kal');
    await provider.fill('my-own');
    await until(async () => (await page.getByLabel('Voice ID').getAttribute('list')) === null);
  });

  test('have their sections in a menu on a phone', async () => {
    const page = await site.open(context, `/agents/${agentId}`);
    await page.setViewportSize({ width: 390, height: 844 });
    const limits = page.getByRole('link', { name: 'Limits', exact: true });
    await findGreeting(page).waitFor();
    expect(await limits.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Sections', exact: true }).click();
    expect(await accessibilityProblems(page)).toEqual([]);
    await limits.click();
    await page.getByLabel('Maximum call duration').waitFor();
    await limits.waitFor({ state: 'hidden' });
  });

  test('are sorted by the header of a column, names from A to Z first', async () => {
    await site.api.post('/api/agents', { type: 'outbound', name: 'Aardvark' });
    await site.api.post('/api/agents', { type: 'outbound', name: 'Zebra' });
    const page = await site.open(context, '/agents');
    const first = page.getByRole('row').nth(1);
    const name = page.getByRole('columnheader', { name: 'Name' }).getByRole('button');
    await first.getByRole('link', { name: 'Zebra' }).waitFor();
    await name.click();
    await first.getByRole('link', { name: 'Aardvark' }).waitFor();
    await name.click();
    await page.waitForURL(/sortBy=name&sortOrder=desc/);
    await first.getByRole('link', { name: 'Zebra' }).waitFor();
  });

  test('write the text of a field from the right where its language does', async () => {
    const page = await site.open(context, `/agents/${agentId}`);
    await findGreeting(page).fill('مرحبا، كيف أساعدك؟');
    await findGreeting(page).and(page.locator(':dir(rtl)')).waitFor();
  });

  const findPrompt = (page: Page) => page.getByRole('textbox', { name: /^Prompt/ });

  test('complete the variables of a prompt, and mark those that nobody has declared', async () => {
    await change({ prompt: 'You are {{role}}.', dynamic_variables: ['appointment_day'] });
    const page = await site.open(context, `/agents/${agentId}`);
    await page.getByText('3 words · 17 of 100,000 characters', { exact: true }).waitFor();
    await page.locator('.cm-unknown[title="Not declared"]', { hasText: '{{role}}' }).waitFor();
    await findPrompt(page).click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type(' Ask for {{app');
    await page.getByRole('option', { name: 'appointment_day' }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.locator('.cm-variable:not(.cm-unknown)', { hasText: '{{appointment_day}}' }).waitFor();

    await page.getByText('1 variable is not declared: {{role}}').waitFor();
    await page.getByRole('button', { name: 'Declare it' }).click();
    await page.getByText('1 variable is not declared').waitFor({ state: 'detached' });
    await page.getByLabel('Declared variables').and(page.locator(':focus')).waitFor();
    await page.locator('.cm-unknown').waitFor({ state: 'detached' });
    await page.getByText('2 unsaved changes').waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved. New calls use version').waitFor();
    expect(await agent()).toMatchObject({
      prompt: 'You are {{role}}. Ask for {{appointment_day}}',
      dynamic_variables: ['appointment_day', 'role'],
    });
  });

  test('have the sections of a prompt, a search in it and a full screen, by the keyboard', async () => {
    const filling = 'Be brief.\n'.repeat(300);
    await change({ prompt: `# Role\n${filling}## Tone of voice\nFriendly.\nمرحبا بك\n${filling}` });
    const page = await site.open(context, `/agents/${agentId}`);
    const tone = findPrompt(page).getByText('## Tone of voice');
    await findPrompt(page).getByText('# Role').waitFor();
    expect(await tone.count()).toBe(0);
    const outline = page.getByRole('navigation', { name: 'Sections of the prompt' });
    expect(await outline.getByRole('button').allInnerTexts()).toEqual(['Role', 'Tone of voice']);
    await outline.getByRole('button', { name: 'Tone of voice' }).press('Enter');
    await tone.waitFor();
    await findPrompt(page).and(page.locator(':focus')).waitFor();
    await findPrompt(page).getByText('مرحبا بك').and(page.locator(':dir(rtl)')).waitFor();

    await page.getByRole('button', { name: 'Full screen' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Prompt' });
    await dialog.getByRole('button', { name: 'Find' }).click();
    await dialog.getByRole('textbox', { name: 'Find' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.type('friendly');
    await page.keyboard.press('Enter');
    await dialog.locator('.cm-searchMatch-selected', { hasText: 'Friendly' }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog.getByRole('textbox', { name: 'Find' }).waitFor({ state: 'detached' });
    await findPrompt(page).and(page.locator(':focus')).waitFor();
    await page.keyboard.insertText('Warm');
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Full screen' }).and(page.locator(':focus')).waitFor();
    await page.getByText('1 unsaved change').waitFor();

    // The editor keeps its history when it returns to the page, and the key Tab leaves it.
    await findPrompt(page).focus();
    await page.keyboard.press('Control+z');
    await page.getByText('No unsaved changes.').waitFor();
    await page.keyboard.press('Tab');
    await page.getByRole('link', { name: 'Talk while editing' }).and(page.locator(':focus')).waitFor();
  });

  test('keep an unsaved prompt while the page is loaded again, and discard it', async () => {
    await change({ prompt: 'Be brief.' });
    const page = await site.open(context, `/agents/${agentId}`);
    await findPrompt(page).fill('Be kind.');
    await page.getByText('1 unsaved change').waitFor();
    await page.reload();
    await findPrompt(page).getByText('Be kind.').waitFor();
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Discard changes' }).click();
    await findPrompt(page).getByText('Be brief.').waitFor();
    await page.getByText('No unsaved changes.').waitFor();
  });

  test('name a prompt that is too long, and lead to it', async () => {
    await change({ prompt: 'Be brief. '.repeat(9_999) });
    const page = await site.open(context, `/agents/${agentId}`);
    await findPrompt(page).click();
    await page.keyboard.press('Control+End');
    await page.keyboard.insertText('and more'.repeat(5));
    await page.getByText('Must have at most 100,000 characters.').first().waitFor();
    await findGreeting(page).focus();
    await page.getByRole('button', { name: 'Prompt', exact: true }).click();
    await findPrompt(page).and(page.locator(':focus')).and(page.locator('[aria-invalid]')).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
  });

  test('open Talk while editing, which says that unsaved changes are not in it', async () => {
    const page = await site.open(context, `/agents/${agentId}`);
    await findGreeting(page).fill('Good evening');
    await page.getByText('Your unsaved changes are not in it.').waitFor();
    const opened = context.waitForEvent('page');
    await page.getByRole('link', { name: 'Talk while editing' }).click();
    const beside = await opened;
    await beside.getByRole('heading', { name: 'Talk to Front desk' }).waitFor();
    await page.getByText('1 unsaved change').waitFor();
  });

  test('open Talk with the unsaved changes after these have been saved', async () => {
    const page = await site.open(context, `/agents/${agentId}`);
    await findGreeting(page).fill('Good evening');
    const opened = context.waitForEvent('page');
    await page.getByRole('button', { name: 'Save and talk' }).click();
    const beside = await opened;
    await beside.getByRole('heading', { name: 'Talk to Front desk' }).waitFor();
    expect((await agent()).greeting).toBe('Good evening');
    await page.getByText('Saved. New calls use version').waitFor();
    expect(await page.getByRole('button', { name: 'Save and talk' }).count()).toBe(0);
    expect(await accessibilityProblems(page)).toEqual([]);
  });

  test('have a plain field for the prompt if the file of the editor cannot be loaded', async () => {
    await context.route(/create-editor/, (route) => route.abort());
    const page = await site.open(context, `/agents/${agentId}`);
    await findPrompt(page).fill('Be kind.');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved. New calls use version').waitFor();
    expect((await agent()).prompt).toBe('Be kind.');
    expect(site.complaints().filter((text) => !text.includes('create-editor'))).toEqual([]);
  });

  test('have no field that the bars of a small screen cover while it has the focus', async () => {
    const page = await site.open(context, `/agents/${agentId}`);
    await page.setViewportSize({ width: 320, height: 640 });
    await findGreeting(page).fill('Good evening');
    /** The area between the bars, and the position of the field with the focus. */
    const places = () =>
      page.evaluate<{ free: [number, number]; field: [number, number]; name: string }>(`(() => {
        const getBox = (element) => element.getBoundingClientRect();
        const save = [...document.querySelectorAll('main button')].find(({ type }) => type === 'submit');
        const { top, bottom } = getBox(document.activeElement);
        const free = [getBox(document.querySelector('header')).bottom, getBox(save.parentElement).top];
        return { free, field: [top, bottom], name: document.activeElement.name };
      })()`);
    for (const key of [...Array<string>(12).fill('Tab'), ...Array<string>(11).fill('Shift+Tab')]) {
      await page.keyboard.press(key);
      const { free, field, name } = await places();
      expect({ key, name, above: field[0] < free[0], below: field[1] > free[1] }).toEqual({
        key,
        name,
        above: false,
        below: false,
      });
    }
  });

  test('call somebody for a test: empty variables are pointed out, and the name is asked for once', async () => {
    await change({ greeting: 'Hello {{customer_name}}, see you {{day}}.' });
    const page = await site.open(context, `/agents/${agentId}`);
    await page.getByRole('button', { name: 'Test call' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('the agent says it as it stands').waitFor();
    expect(await dialog.getByRole('textbox').count()).toBe(3);
    await dialog.getByLabel('Number to call').fill('+15551234567');
    await dialog.getByLabel('Name of the person').fill('Ada');
    await dialog.getByRole('button', { name: 'Call now' }).click();
    await page.getByText('Hello Ada, see you {{day}}.').first().waitFor();
  });

  test('show two versions beside each other and in full, and restore one', async () => {
    const prompt = `Ask for the day.\n${'Be brief. '.repeat(30)}`;
    await change({ greeting: 'Hello', prompt, voiceConfig: { speed: 1.2 } });
    await change({ greeting: 'Good day' });
    const page = await site.open(context, `/agents/${agentId}/versions`);
    await page.getByRole('heading', { name: 'Version 2 and version 3' }).waitFor();
    const greeting = page
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading', { name: 'Greeting' }) });
    await greeting.locator('del', { hasText: 'removed: Hello' }).waitFor();
    await greeting.locator('ins', { hasText: 'added: Good day' }).waitFor();
    expect(await greeting.getByRole('heading').getAttribute('title')).toBe('greeting');
    expect(await accessibilityProblems(page)).toEqual([]);

    await page.getByLabel('Before', { exact: true }).selectOption('Version 1');
    await page.getByRole('heading', { name: 'Version 1 and version 3' }).waitFor();
    await page.getByRole('heading', { name: 'Voice › Speed' }).waitFor();
    await page.getByLabel('Before', { exact: true }).selectOption('Version 2');
    await page.getByRole('heading', { name: 'Version 2 and version 3' }).waitFor();

    const summary = page.getByText('Version 2 in full');
    const whole = page.locator('details', { has: summary });
    await summary.click();
    await whole.getByText('Cancel noise').waitFor();
    await whole.getByText('Ask for the day. …').click();
    await whole.getByText('Be brief. Be brief.').waitFor();
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await whole.getByRole('button', { name: 'Copy as JSON' }).click();
    await whole.getByText('Copied').waitFor();
    const copied = JSON.parse(await page.evaluate<string>('navigator.clipboard.readText()')) as object;
    expect(copied).toMatchObject({ greeting: 'Hello', prompt });
    // A page over plain HTTP on another host has no clipboard either.
    await page.evaluate(`Object.defineProperty(navigator, 'clipboard', { value: undefined })`);
    await whole.getByRole('button', { name: 'Copied' }).click();
    await whole.getByLabel('Text to copy, selected').and(page.locator(':focus')).waitFor();
    expect(JSON.parse(await page.evaluate<string>('String(getSelection())'))).toEqual(copied);

    await page.getByRole('button', { name: 'Restore version 2' }).click();
    await page.getByRole('dialog').getByText('a copy of version 2 as a new version').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
    await page.getByText('Version 4 is a copy of version 2.').waitFor();
    expect(await agent()).toMatchObject({ greeting: 'Hello', prompt });

    await page.getByRole('button', { name: 'Restore version 2' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
    await page.getByText('Version 5 is a copy of version 2.').waitFor();
    await page.getByRole('button', { name: 'Restore version 5' }).waitFor({ state: 'detached' });
  });
});

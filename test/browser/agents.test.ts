import type { BrowserContext, Page } from 'playwright-core';
import { describeInBrowser } from '../support/browser';
import { TestConsole } from '../support/console';

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
  const greetingOf = (page: Page) => page.getByLabel(/^Greeting/);

  test('keep unsaved changes while the page is left or loaded again, until they are saved or discarded', async () => {
    const page = await site.open(context, `/agents/${agentId}`);
    await greetingOf(page).fill('Good evening');
    await page.getByText('1 unsaved change').waitFor();

    await page.getByRole('link', { name: 'Numbers' }).click();
    await page.getByRole('heading', { name: 'Phone numbers' }).waitFor();
    await page.goBack();
    await page.getByText('changes of your last visit').waitFor();
    await page.reload();
    await page.getByText('changes of your last visit').waitFor();
    expect(await greetingOf(page).inputValue()).toBe('Good evening');
    expect((await agent()).greeting).not.toBe('Good evening');

    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('1 unsaved change').waitFor({ state: 'detached' });
    expect((await agent()).greeting).toBe('Good evening');

    await greetingOf(page).fill('Good night');
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await page.getByRole('dialog').getByText('Greeting').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Discard changes' }).click();
    await page.getByText('1 unsaved change').waitFor({ state: 'detached' });
    expect(await greetingOf(page).inputValue()).toBe('Good evening');
  });

  test('have a switch and a number for a limit', async () => {
    const page = await site.open(context, `/agents/${agentId}`);
    await page.getByLabel(/^Idle reminders( \(changed\))?$/).check();
    await page.getByLabel(/^Idle reminders.*: number/).fill('25');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('1 unsaved change').waitFor({ state: 'detached' });
    expect((await agent()).callConfig.idleReminders).toEqual([true, 25]);
  });

  test('have no field that the bars of a small screen cover while it has the focus', async () => {
    const page = await site.open(context, `/agents/${agentId}`);
    await page.setViewportSize({ width: 320, height: 640 });
    await greetingOf(page).fill('Good evening');
    /** The area between the bars, and the position of the field with the focus. */
    const places = () =>
      page.evaluate<{ free: [number, number]; field: [number, number]; name: string }>(`(() => {
        const boxOf = (element) => element.getBoundingClientRect();
        const save = [...document.querySelectorAll('main button')].find(({ type }) => type === 'submit');
        const { top, bottom } = boxOf(document.activeElement);
        const free = [boxOf(document.querySelector('header')).bottom, boxOf(save.parentElement).top];
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
    await change({ greeting: 'Hello', prompt, sttConfig: { ncEnabled: true } });
    await change({ greeting: 'Good day' });
    const page = await site.open(context, `/agents/${agentId}/versions`);
    await page.getByRole('heading', { name: 'Version 2 and version 3' }).waitFor();
    await page.getByRole('cell', { name: /removed: .*"greeting": "Hello"/ }).waitFor();
    await page.getByRole('cell', { name: /added: .*"greeting": "Good day"/ }).waitFor();

    const summary = page.getByText('Version 2 in full');
    const whole = page.locator('details', { has: summary });
    await summary.click();
    await whole.getByText('Cancels noise').waitFor();
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

import type { BrowserContext, Page } from 'playwright-core';
import { describeInBrowser } from '../support/browser';
import { TestConsole } from '../support/console';

const csv = (...lines: string[]) => ({
  name: 'numbers.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(lines.join('\n')),
});

describeInBrowser('The do-not-call list in the console', () => {
  let site: TestConsole;
  let context: BrowserContext;
  let page: Page;

  beforeAll(async () => {
    site = await TestConsole.start();
  });
  beforeEach(async () => {
    context = await site.browser.newContext();
    page = await site.open(context, '/do-not-call');
  });
  afterEach(async () => {
    await context.close();
    expect(site.complaints()).toEqual([]);
  });
  afterAll(() => site?.stop());

  const listed = async () => {
    const { body } = await site.api.get('/api/do-not-call');
    return (body as { data: { phone_number: string; reason: string | null }[] }).data;
  };

  test('adds a number with its reason and its end, and removes it', async () => {
    await page.getByRole('button', { name: 'Add a number' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Number').fill('+1 (555) 987-6501');
    await dialog.getByLabel('Reason').fill('asked by letter');
    await dialog.getByLabel('Until').fill('2090-01-31T09:00');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();

    await page.getByText('+15559876501 has been added to the list.').waitFor();
    await page.getByRole('cell', { name: 'asked by letter' }).waitFor();
    expect(await listed()).toMatchObject([{ phone_number: '+15559876501', reason: 'asked by letter' }]);

    await page.getByRole('button', { name: 'Remove +15559876501' }).click();
    await page.getByRole('dialog').getByText('may be called again').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('+15559876501 has been removed from the list.').waitFor();
    expect(await listed()).toEqual([]);
  });

  test('shows the wrong rows of a file and imports nothing, then imports the corrected file', async () => {
    await page.getByRole('button', { name: 'Import a file' }).click();
    const dialog = page.getByRole('dialog');
    const file = dialog.locator('input[type=file]');
    await file.setInputFiles(csv('phone_number,reason', '+15559876511,moved', '12,typo', 'x,typo'));
    await dialog.getByRole('button', { name: 'Import' }).click();

    await dialog.getByRole('row', { name: /^3 the phone number "12"/ }).waitFor();
    expect(await dialog.getByRole('row').count()).toBe(3);
    expect(await listed()).toEqual([]);
    // The browser itself reports the refusal.
    expect(site.complaints().every((text) => text.includes('422'))).toBe(true);

    await file.setInputFiles(csv('phone_number,reason', '+15559876511,moved', '+15559876512,'));
    await dialog.getByRole('button', { name: 'Import' }).click();
    await page.getByText('2 numbers are on the list.').waitFor();
    expect((await listed()).map(({ phone_number }) => phone_number).sort()).toEqual([
      '+15559876511',
      '+15559876512',
    ]);
  });

  test('finds a number by its last digits', async () => {
    for (const phone_number of ['+15559876521', '+15559876522'])
      expect((await site.api.post('/api/do-not-call', { phone_number })).status).toBe(201);
    await page.getByLabel('Number or reason').fill('6522');
    await page.getByLabel('Number or reason').press('Enter');

    await page.getByText('1 total').waitFor();
    await page.getByRole('cell', { name: '+15559876522', exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.get('search')).toBe('6522');
  });
});

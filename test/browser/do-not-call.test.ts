import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { accessibilityProblems, describeInBrowser } from '../support/browser';
import { type TestWorkspace, useParley } from '../support/parley';
import { useSignedInBrowser } from '../support/signed-in-browser';

const csv = (...lines: string[]) => ({
  name: 'numbers.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(lines.join('\n')),
});

describeInBrowser('The do-not-call list in the console', () => {
  const parley = useParley();
  let workspace: TestWorkspace;
  let page: Page;

  const site = useSignedInBrowser(parley, async () => (workspace = await parley.workspace()));
  beforeEach(async () => {
    page = await site.open('/do-not-call');
  });

  const listed = async () => {
    const { body } = await workspace.api.get('/api/do-not-call');
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

  test('imports the good rows of a file, and hands back the others to be corrected', async () => {
    expect((await workspace.api.post('/api/do-not-call', { phone_number: '+15559876512' })).status).toBe(201);
    await page.getByRole('button', { name: 'Import a file' }).click();
    const dialog = page.getByRole('dialog');
    const file = dialog.locator('input[type=file]');
    const send = dialog.getByRole('button', { name: 'Import', exact: true });
    await file.setInputFiles(csv('phone_number,reason', '+15559876511,moved', '12,typo', '+15559876512,'));
    await send.click();

    await dialog.getByText('1 added, 1 already listed, 1 row left out.').waitFor();
    await dialog.getByRole('row', { name: /^3 the phone number "12"/ }).waitFor();
    expect(await listed()).toHaveLength(2);
    expect(await send.isDisabled()).toBe(true);
    await dialog.getByRole('button', { name: 'Close' }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Download these rows' }).click(),
    ]);
    const leftOut = readFileSync(await saved.path(), 'utf8');
    expect(leftOut).toMatch(/^phone_number,reason,row_error\r\n12,typo,"the phone number/);

    await file.setInputFiles(csv(leftOut.replace('12,typo', '+15559876513,typo')));
    await send.click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('1 added, 0 already listed, 0 rows left out.').waitFor();
    expect((await listed()).map(({ phone_number }) => phone_number).sort()).toEqual([
      '+15559876511',
      '+15559876512',
      '+15559876513',
    ]);
  });

  test('says why nothing of a file can be imported', async () => {
    const before = await listed();
    await page.getByRole('button', { name: 'Import a file' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.locator('input[type=file]').setInputFiles(csv('number', '+15559876514'));
    await dialog.getByRole('button', { name: 'Import', exact: true }).click();

    await dialog.getByText('Row 1: no column is named phone_number.').waitFor();
    expect(await listed()).toEqual(before);
    // The browser itself reports the refusal.
    expect(site.browser.complaints.splice(0).every((text) => text.includes('422'))).toBe(true);
  });

  test('finds a number by its last digits', async () => {
    for (const phone_number of ['+15559876521', '+15559876522'])
      expect((await workspace.api.post('/api/do-not-call', { phone_number })).status).toBe(201);
    await page.getByLabel('Number or reason').fill('6522');
    await page.getByLabel('Number or reason').press('Enter');

    await page.getByText('1 total').waitFor();
    await page.getByRole('cell', { name: '+15559876522', exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.get('search')).toBe('6522');
  });
});

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContext, Page } from 'playwright-core';
import { accessibilityProblems, describeInBrowser } from '../support/browser';
import { TestConsole } from '../support/console';
import { filterChip } from '../support/filter-bar';

describeInBrowser('Numbers, knowledge and templates in the console', () => {
  let site: TestConsole;
  let pages: Server;
  let context: BrowserContext;
  const published = new Set(['/hours']);

  beforeAll(async () => {
    pages = createServer((request, response) => {
      const isThere = published.has(request.url ?? '');
      response.writeHead(isThere ? 200 : 404, { 'content-type': 'text/html' });
      response.end(isThere ? '<h1>Hours</h1><p>We are open from nine to five.</p>' : 'gone');
    });
    await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve));
    site = await TestConsole.start({ ALLOW_PRIVATE_ADDRESSES: 'true' });
  });
  beforeEach(async () => {
    context = await site.browser.newContext();
  });
  afterEach(async () => {
    await context.close();
    expect(site.complaints()).toEqual([]);
  });
  afterAll(async () => {
    pages.close();
    await site?.stop();
  });

  const findDialog = (page: Page) => page.getByRole('dialog');

  test('add a number, give it to an agent, list its calls and take it back', async () => {
    const { body } = await site.api.post('/api/agents', { type: 'hybrid', name: 'Front desk' });
    const agentId = (body as { data: { _id: string } }).data._id;
    const page = await site.open(context, '/numbers');
    await page.getByRole('button', { name: 'Add a number' }).click();
    await findDialog(page).getByLabel('Number').fill('+1 (555) 765-4301');
    await findDialog(page).getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('+15557654301 has been added.').waitFor();
    await page.getByRole('row', { name: /\+15557654301.*free/ }).waitFor();

    await page.goto(`${site.server.url}/agents/${agentId}`);
    await page.getByRole('button', { name: 'Assign a number' }).click();
    await findDialog(page).getByLabel('Number').first().fill('+15557654301');
    await findDialog(page)
      .getByRole('button', { name: /^Assign/ })
      .click();
    await findDialog(page).waitFor({ state: 'detached' });
    await page.goto(`${site.server.url}/numbers`);
    await page.getByRole('row', { name: /\+15557654301.*in use.*Front desk/ }).waitFor();

    await site.api.post(`/api/agents/${agentId}/calls`, { to_number: '+15557654302' });
    await page.reload();
    await page.getByRole('link', { name: 'Calls with +15557654301 in the last 7 days: 1' }).click();
    await page.getByRole('row', { name: /\+15557654302/ }).waitFor();
    await filterChip(page, 'Period', 'Last 7 days').waitFor();
    await page.goBack();

    await page.getByRole('button', { name: 'Release +15557654301' }).click();
    await findDialog(page).getByText('Front desk has no number then').waitFor();
    await findDialog(page).getByRole('button', { name: 'Release' }).click();
    await page.getByText('+15557654301 has been released.').waitFor();
    await page.getByRole('row', { name: /4301/ }).waitFor({ state: 'detached' });
  });

  test('upload a file to a knowledge base, search it, and delete it', async () => {
    const page = await site.open(context, '/knowledge');
    await page.getByRole('button', { name: 'New knowledge base' }).click();
    await findDialog(page).getByLabel('Name').fill('Prices');
    await findDialog(page)
      .locator('input[type=file]')
      .setInputFiles({
        name: 'prices.txt',
        mimeType: 'text/plain',
        buffer: Buffer.from('A chair costs forty euros. A table costs ninety.'),
      });
    await findDialog(page).getByRole('button', { name: 'Create knowledge base' }).click();
    await page.getByRole('heading', { name: 'Prices' }).waitFor();
    await page.getByRole('row', { name: /prices\.txt.*ready/ }).waitFor();

    await page.getByLabel('Question or keywords').fill('chair');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByText('1 passage', { exact: true }).waitFor();
    const passage = page.getByRole('listitem').filter({ hasText: 'A chair costs forty euros.' });
    await passage.getByText('prices.txt · passage 1').waitFor();
    expect(await passage.locator('mark').allTextContents()).toEqual(['chair']);
    await passage.getByText('Contains chair', { exact: true }).waitFor();

    await page.getByRole('button', { name: 'Delete knowledge base' }).click();
    await findDialog(page).getByText('Prices is deleted with its source').waitFor();
    await findDialog(page).getByRole('button', { name: 'Delete knowledge base' }).click();
    await page.getByText('No knowledge bases yet.').waitFor();
  });

  const textFile = (name: string, text: string) => ({
    name,
    mimeType: 'text/plain',
    buffer: Buffer.from(text),
  });

  test('add a source to a knowledge base, replace it and remove it, by keyboard', async () => {
    const form = new FormData();
    form.append('name', 'Furniture');
    form.append('file', new Blob(['A chair costs forty euros.']), 'chairs.txt');
    const { headers } = await site.api.raw('/api/knowledge-base', { method: 'POST', body: form });
    const page = await site.open(context, `/knowledge/${headers.get('location')?.replace(/^.*=/, '')}`);
    await page.getByRole('row', { name: /chairs\.txt.*ready/ }).waitFor();
    expect(await page.getByRole('button', { name: /^Remove chairs/ }).count()).toBe(0);

    await page.getByRole('button', { name: 'Add a source' }).press('Enter');
    await findDialog(page)
      .locator('input[type=file]')
      .setInputFiles(textFile('tables.txt', 'A table costs ninety.'));
    await findDialog(page).getByRole('button', { name: 'Add file' }).press('Enter');
    await page.getByRole('row', { name: /tables\.txt.*ready/ }).waitFor();

    await page.getByRole('button', { name: 'Replace tables.txt' }).press('Enter');
    expect(await accessibilityProblems(page)).toEqual([]);
    await findDialog(page)
      .locator('input[type=file]')
      .setInputFiles(textFile('tables-2026.txt', 'A table costs a hundred euros.'));
    await findDialog(page).getByRole('button', { name: 'Replace file' }).press('Enter');
    await page.getByRole('row', { name: /tables-2026\.txt.*ready/ }).waitFor();
    expect(await page.getByRole('row', { name: /tables\.txt/ }).count()).toBe(0);
    await page.getByLabel('Question or keywords').fill('what does a table cost');
    await page.getByRole('button', { name: 'Search' }).press('Enter');
    const passage = page.getByRole('listitem').filter({ hasText: 'A table costs a hundred euros.' });
    await passage.getByText('Contains a, table, cost; does not contain what, does').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);

    await page.getByRole('button', { name: 'Remove chairs.txt' }).press('Enter');
    await findDialog(page).getByText('Agents no longer find anything from chairs.txt.').waitFor();
    await findDialog(page).getByRole('button', { name: 'Remove source' }).press('Enter');
    await page.getByRole('row', { name: /chairs\.txt/ }).waitFor({ state: 'detached' });
    await page.getByText('The only source cannot be removed.').waitFor();
  });

  test('fetch a link of a knowledge base again, add links, and keep the old text of a link that fails', async () => {
    const root = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
    const body = { name: 'Web', baseUrl: `${root}/hours` };
    const { headers } = await site.api.post('/api/knowledge-base', body);
    const page = await site.open(context, `/knowledge/${headers.get('location')?.replace(/^.*=/, '')}`);
    await page.getByRole('row', { name: /\/hours.*ready/ }).waitFor();

    await page.getByRole('button', { name: `Fetch again ${root}/hours` }).click();
    expect(await findDialog(page).getByLabel('Link').inputValue()).toBe(`${root}/hours`);
    await findDialog(page).getByLabel('Link').fill(`${root}/gone`);
    await findDialog(page).getByRole('button', { name: 'Fetch again' }).click();
    await findDialog(page).getByText('url cannot be read: it answers with status 404.').waitFor();
    expect(site.complaints()).toEqual([expect.stringContaining('422')]);
    await findDialog(page).getByLabel('Link').fill(`${root}/hours`);
    await findDialog(page).getByRole('button', { name: 'Fetch again' }).click();
    await findDialog(page).waitFor({ state: 'detached' });
    await page.getByRole('row', { name: /\/hours.*ready/ }).waitFor();

    await page.getByRole('button', { name: 'Add a source' }).click();
    await findDialog(page).getByLabel('Source').selectOption('links');
    await findDialog(page).getByLabel('Links').fill(`${root}/hours\n${root}/gone`);
    await findDialog(page).getByRole('button', { name: 'Add links' }).click();
    await page.getByRole('row', { name: /\/gone.*failed.*404/ }).waitFor();
  });

  test('show why a source of a knowledge base failed, and fetch it again from the overview', async () => {
    const root = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
    const page = await site.open(context, '/knowledge');
    await page.getByRole('button', { name: 'New knowledge base' }).click();
    await findDialog(page).getByLabel('Name').fill('Site');
    await findDialog(page).getByLabel('Source').selectOption('links');
    await findDialog(page).getByLabel('First link').fill(`${root}/hours`);
    await findDialog(page).getByLabel('More links').fill(`${root}/late`);
    await findDialog(page).getByRole('button', { name: 'Create knowledge base' }).click();

    await page.getByRole('heading', { name: 'Site' }).waitFor();
    await page.getByRole('row', { name: /\/late.*failed.*404/ }).waitFor();
    await page.getByText('1 of 2 failed').waitFor();
    const { pathname } = new URL(page.url());

    await page.goto(site.server.url);
    const problem = page
      .getByRole('list', { name: 'Needs attention' })
      .getByRole('listitem')
      .filter({ hasText: 'A source of the knowledge base “Site” could not be read.' });
    await problem.getByText('Latest error: it answers with status 404.').waitFor();
    await problem.getByRole('button', { name: 'Fetch again' }).click();
    await problem.getByText('url cannot be read: it answers with status 404.').waitFor();
    expect(site.complaints()).toEqual([expect.stringContaining('422')]);

    published.add('/late');
    await problem.getByRole('button', { name: 'Fetch again' }).press('Enter');
    await problem.waitFor({ state: 'detached' });
    await page.getByRole('heading', { level: 1 }).and(page.locator(':focus')).waitFor();
    await page.goto(site.server.url + pathname);
    await page.getByRole('row', { name: /\/late.*ready/ }).waitFor();
  });

  test('write a template, make an agent with it, and delete it', async () => {
    const page = await site.open(context, '/templates');
    await page.getByRole('button', { name: 'New template' }).click();
    await findDialog(page).getByLabel('Name').fill('Reminder');
    await findDialog(page).getByLabel('Greeting').fill('Hello {{customer_name}}.');
    await findDialog(page).getByLabel('Prompt').fill('Remind them.');
    await findDialog(page).getByRole('button', { name: 'Create template' }).click();
    await page.getByRole('heading', { name: 'Reminder' }).waitFor();
    const template = page.url();

    await page.getByRole('link', { name: 'Use template' }).click();
    await findDialog(page).getByLabel('Name').fill('From the template');
    await findDialog(page)
      .getByRole('button', { name: /^Create/ })
      .click();
    await page.getByRole('heading', { name: 'From the template' }).waitFor();
    expect(await page.getByLabel(/^Greeting/).inputValue()).toBe('Hello {{customer_name}}.');

    await page.goto(template);
    await page.getByRole('button', { name: 'Delete template' }).click();
    await findDialog(page).getByText('Agents created from it keep theirs.').waitFor();
    await findDialog(page).getByRole('button', { name: 'Delete template' }).click();
    await page.getByRole('heading', { name: 'Prompt templates' }).waitFor();
    await page.getByRole('link', { name: 'Reminder', exact: true }).waitFor({ state: 'detached' });
  });
});

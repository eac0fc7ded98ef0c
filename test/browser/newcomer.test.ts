import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { freePorts } from '../../launch/process/free-ports.cjs';
import { describeInBrowser, TestBrowser } from '../support/browser';
import { createDatabase } from '../support/database';
import { withKeyboard, withMouse } from '../support/mouse-and-keyboard';
import { OperatorProcess } from '../support/operator-process';
import { JWT_SECRET } from '../support/parley';
import { ServerProcess } from '../support/server-process';

/** The folder for the pictures of docs/tour.md. Without it, none are taken. */
const folder = process.env.SCREENSHOTS;

describeInBrowser('A newcomer', () => {
  let server: ServerProcess;
  let browser: TestBrowser;
  let operator: OperatorProcess;
  let context: BrowserContext;

  beforeAll(async () => {
    const { url: DATABASE_URL } = await createDatabase({ empty: true });
    // The simulated runtime reports its recordings under an address that is known before the start.
    const [port] = await freePorts(1);
    server = await ServerProcess.start({ DATABASE_URL, JWT_SECRET, PORT: String(port), LOG_LEVEL: 'warn' });
    operator = new OperatorProcess({ DATABASE_URL, JWT_SECRET, PUBLIC_URL: server.url });
    browser = await TestBrowser.start();
  });
  beforeEach(async () => {
    context = await browser.newContext();
  });
  afterEach(() => context.close());
  afterAll(async () => {
    await browser?.stop();
    await operator?.finish();
    await server?.stop();
  });

  const shoot = async (page: Page, name: string) => {
    if (folder) await page.screenshot({ path: join(folder, `${name}.png`) });
  };

  test.each([
    ['the mouse', withMouse],
    ['the keyboard alone', withKeyboard],
  ])(
    'goes from the link to an agent, a test call and its transcript, with %s',
    async (_, getDevice) => {
      const run = async (...args: string[]) => JSON.parse((await operator.run([...args, '--json'])).stdout);
      const { workspaceId } = await run('workspace', 'create', '--name', 'Acme', '--credits', '100');
      const { url } = await run('console', 'link', '--workspace', workspaceId);
      const page = await browser.open(context, url);
      const { press, write } = getDevice(page);
      await press('button', 'Sign in');
      await page.getByRole('heading', { name: 'Three steps to a first call' }).waitFor();
      await shoot(page, 'first-steps');

      await write('Name of the agent', 'Front desk');
      await press('button', 'Create an agent');
      await page.getByText('Front desk is ready.').waitFor();
      await page.getByText(/^No language model is connected, .* LLM_BASE_URL and LLM_API_KEY/).waitFor();
      expect(await page.getByRole('link', { name: 'Talk', exact: true }).getAttribute('href')).toMatch(
        /^\/agents\/[\w-]+\/talk$/,
      );
      await write('Phone number', '+15551234567');
      await press('button', 'Call');
      await page.getByText('Calling +15551234567 …').waitFor();
      await page
        .getByText(/The call was connected\.|hung up after/)
        .first()
        .waitFor();
      await shoot(page, 'test-call');
      await press('link', 'Open the call');

      await page.getByRole('heading', { name: /^Front desk called/ }).waitFor();
      await page.getByText('was charged').waitFor();
      await page.getByText('Goodbye').first().waitFor();
      expect(await page.locator('audio').getAttribute('src')).toContain('/demo/recordings/');
      await shoot(page, 'call');
      expect(browser.complaints).toEqual([]);
    },
    60_000,
  );
});

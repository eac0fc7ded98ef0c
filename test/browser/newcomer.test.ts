import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { freePorts } from '../../scripts/free-ports.cjs';
import { describeInBrowser, TestBrowser } from '../support/browser';
import { createDatabase } from '../support/database';
import { OperatorProcess } from '../support/operator-process';
import { JWT_SECRET } from '../support/parley';
import { ServerProcess } from '../support/server-process';

/** The folder for the pictures of docs/tour.md. Without it, none are taken. */
const folder = process.env.SCREENSHOTS;

/** The most presses of Tab from the beginning of a page to a control. */
const MAX_TABS = 60;

type Role = Parameters<Page['getByRole']>[0];

/** Finds a control by its role and name, as a person does. */
interface Hands {
  press: (role: Role, name: string) => Promise<void>;
  write: (label: string, text: string) => Promise<void>;
}

const withMouse = (page: Page): Hands => ({
  press: (role, name) => page.getByRole(role, { name, exact: true }).click(),
  write: async (label, text) => {
    await page.getByLabel(label, { exact: true }).click();
    await page.keyboard.type(text);
  },
});

function withKeyboard(page: Page): Hands {
  const reach = async (role: Role, name: string) => {
    const target = page.getByRole(role, { name, exact: true });
    await target.waitFor();
    for (let tabs = 0; tabs < MAX_TABS; tabs += 1) {
      if ((await target.and(page.locator(':focus')).count()) > 0) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`The keyboard does not reach the ${role} "${name}".`);
  };
  return {
    press: async (role, name) => {
      await reach(role, name);
      await page.keyboard.press('Enter');
    },
    write: async (label, text) => {
      await reach('textbox', label);
      await page.keyboard.type(text);
    },
  };
}

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
    'comes from the link to an agent, a test call and what was said, with %s',
    async (_, handsOf) => {
      const run = async (...args: string[]) => JSON.parse((await operator.run([...args, '--json'])).stdout);
      const { workspaceId } = await run('workspace', 'create', '--name', 'Acme', '--credits', '100');
      const { url } = await run('console', 'link', '--workspace', workspaceId);
      const page = await browser.open(context, url);
      const { press, write } = handsOf(page);
      await press('button', 'Sign in');
      await page.getByRole('heading', { name: 'Three steps to a first call' }).waitFor();
      await shoot(page, 'first-steps');

      await write('Name of the agent', 'Front desk');
      await press('button', 'Create an agent');
      await page.getByText('Front desk is there.').waitFor();
      await write('Phone number', '+15551234567');
      await press('button', 'Call');
      await page.getByText('The call to +15551234567 is accepted.').waitFor();
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

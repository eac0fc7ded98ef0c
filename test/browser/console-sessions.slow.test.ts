import type { BrowserContext, Page } from 'playwright-core';
import { SessionsService } from '../../src/accounts/auth/sessions.service';
import { createAgent } from '../support/agents';
import { describeInBrowser, TestBrowser } from '../support/browser';
import { AgentCalls } from '../support/calls';
import { chooseFilter, filterChip, typeFilter } from '../support/filter-bar';
import { type TestWorkspace, useOwnParley } from '../support/parley';
import { signInWith } from '../support/signed-in';
import { createToken } from '../support/tokens';
import { until } from '../support/until';
import { useStarted } from '../support/use-started';

describeInBrowser('A session of the console', () => {
  const parley = useOwnParley();
  const browser = useStarted(() => TestBrowser.start());
  let context: BrowserContext;
  let workspace: TestWorkspace;

  beforeEach(async () => {
    context = await browser.newContext();
    workspace = await parley.workspace();
  });
  afterEach(() => context.close());

  async function signIn(page: Page, credential: string): Promise<void> {
    await page.getByLabel('API key or token').fill(credential);
    await page.getByRole('button', { name: 'Sign in' }).click();
  }

  const createKey = async (scope?: string[]) => {
    const { body } = await workspace.api.post('/api/auth/api-keys', { name: 'Console', scope });
    return body.data as { apiKey: string; keyId: string };
  };

  test('is begun with a token of the identity provider', async () => {
    const page = await browser.open(context, parley.url);

    await signIn(page, createToken(workspace));

    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    expect(await context.cookies()).toMatchObject([{ httpOnly: true, sameSite: 'Strict' }]);
  });

  describe('that a link would begin', () => {
    const createSignInLink = async ({ workspaceId }: TestWorkspace) => {
      const { token } = await parley.app.get(SessionsService, { strict: false }).createLink(workspaceId);
      return `${parley.url}/login#token=${token}`;
    };
    const nameWorkspace = (id: string, name: string) =>
      parley.sql('UPDATE workspaces SET name = $2 WHERE id = $1', [id, name]);
    const signedInTo = async () => {
      const answer = await context.request.get(`${parley.url}/api/session`);
      return answer.ok()
        ? ((await answer.json()) as { data: { workspace: { name: string } } }).data.workspace.name
        : null;
    };
    let attacker: TestWorkspace;

    beforeEach(async () => {
      attacker = await parley.workspace();
      await nameWorkspace(workspace.workspaceId, 'Victim');
      await nameWorkspace(attacker.workspaceId, 'Attacker');
    });

    test('is begun by a click on the name of its workspace only', async () => {
      const page = await browser.open(context, await createSignInLink(workspace));

      await page.getByRole('heading', { name: 'Sign in to Victim?' }).waitFor();
      expect([await signedInTo(), page.url()]).toEqual([null, `${parley.url}/login`]);
      await page.keyboard.press('Enter');

      await page.getByRole('button', { name: 'Sign out' }).waitFor();
      expect(await signedInTo()).toBe('Victim');
    });

    test('does not replace another one by itself, when a page of another site leads to it', async () => {
      await signInWith(context, parley.url, workspace.apiKey);
      const link = await createSignInLink(attacker);
      const html = encodeURIComponent(`<a href="${link}">Win</a>`);
      const page = await browser.open(context, `data:text/html,${html}`);

      await page.getByRole('link', { name: 'Win' }).click();
      await page.getByText('You are signed in to Victim. Signing in to Attacker ends that session').waitFor();
      await page.getByRole('button', { name: 'Stay in Victim' }).click();

      await page.getByRole('button', { name: 'Sign out' }).waitFor();
      expect(await signedInTo()).toBe('Victim');
    });

    test('ends the one that it replaces, also on the server', async () => {
      await signInWith(context, parley.url, workspace.apiKey);
      const [cookie] = await context.cookies();
      const page = await browser.open(context, await createSignInLink(attacker));

      await page.getByRole('button', { name: 'Sign in to Attacker instead' }).click();

      await page.getByRole('button', { name: 'Sign out' }).waitFor();
      expect(await signedInTo()).toBe('Attacker');
      const replaced = parley.api.with({ cookie: `${cookie?.name}=${cookie?.value}` });
      expect((await replaced.get('/api/session')).status).toBe(401);
    });

    test('begins in a tab that shows the login already, and the page shows if the link was used', async () => {
      const link = await createSignInLink(workspace);
      const page = await browser.open(context, `${parley.url}/login`);
      await page.getByLabel('API key or token').waitFor();

      await page.evaluate(`window.location.href = ${JSON.stringify(link)}; undefined`);
      await page.getByRole('heading', { name: 'Sign in to Victim?' }).waitFor();
      expect(page.url()).toBe(`${parley.url}/login`);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByLabel('API key or token').waitFor();
      await page.goto(link);

      await page.getByText('The link has already been used, has expired').waitFor();
      expect(await page.getByLabel('API key or token').isVisible()).toBe(true);
      expect(page.url()).not.toContain('token');
    });
  });

  test('is not begun with a wrong key, and the page shows that', async () => {
    const page = await browser.open(context, parley.url);

    await signIn(page, 'parley_wrong');

    await page.getByRole('alert').waitFor();
    expect(await context.cookies()).toEqual([]);
  });

  test('that has ended leads to the login, and from there back to the same page', async () => {
    const { apiKey: key, keyId } = await createKey();
    const page = await browser.open(context, `${parley.url}/calls?status=failed`);
    await signIn(page, key);
    await typeFilter(page, 'External ID', 'crm-1');
    await page.waitForURL(/external_id=crm-1/);

    await workspace.api.delete(`/api/auth/api-keys/${keyId}`);
    await signIn(page, workspace.apiKey);

    await page.getByRole('heading', { name: 'Calls' }).waitFor();
    expect(new URL(page.url()).search).toBe('?status=failed&external_id=crm-1');
  });

  test('that has ended hides the data in all tabs, also without an action of the user', async () => {
    const { apiKey: key, keyId } = await createKey();
    await new AgentCalls(workspace.api, await createAgent(workspace)).start({ customer_name: 'Ada' });
    const page = await browser.open(context, `${parley.url}/calls`);
    await signIn(page, key);
    const tabs = [page, await browser.open(context, `${parley.url}/calls`)];
    for (const tab of tabs) await tab.getByRole('link', { name: 'Ada' }).waitFor();
    await until(() => browser.requests.some((url) => url.endsWith('/api/live')));

    await workspace.api.delete(`/api/auth/api-keys/${keyId}`);

    for (const tab of tabs) {
      await tab.getByRole('button', { name: 'Sign in' }).waitFor();
      expect(await tab.content()).not.toContain('Ada');
    }
  });

  test('that has ended when the user changes something leads to the login too', async () => {
    const { apiKey: key, keyId } = await createKey();
    const agentId = await createAgent(workspace);
    const page = await browser.open(context, `${parley.url}/agents/${agentId}`);
    // The stream would show the end before the user does anything.
    await context.route('**/api/live', () => undefined);
    await signIn(page, key);
    await page.getByRole('button', { name: 'Delete' }).click();
    await workspace.api.delete(`/api/auth/api-keys/${keyId}`);

    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();

    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect((await workspace.api.get(`/api/agents/${agentId}`)).status).toBe(200);
  });

  test('keeps a page while its server does not return the session, and ends in all tabs', async () => {
    const page = await browser.open(context, `${parley.url}/agents/${await createAgent(workspace)}`);
    await signIn(page, workspace.apiKey);
    const other = await browser.open(context, `${parley.url}/calls`);
    await other.getByText('No calls yet.').waitFor();
    const greeting = page.getByLabel(/^Greeting/);
    await greeting.fill('Good evening');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('1 unsaved change').waitFor({ state: 'detached' });
    await greeting.fill('Good night');

    await page.route('**/api/session', (route) => route.fulfill({ status: 429, json: {} }));
    const [refusal] = await Promise.all([
      page.waitForResponse('**/api/session'),
      page.evaluate(`dispatchEvent(new Event('visibilitychange')); undefined`),
    ]);
    await refusal.finished();
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    expect(await greeting.and(page.locator(':focus')).inputValue()).toBe('Good night');
    await page.unroute('**/api/session');

    await page.getByRole('button', { name: 'Sign out' }).click();
    await other.getByRole('button', { name: 'Sign in' }).waitFor();
  });

  test('of a scoped key sees the calls of its agent, and no page that it may not read', async () => {
    const agents = [
      await createAgent(workspace, { name: 'Night desk' }),
      await createAgent(workspace),
    ] as const;
    const mine = await new AgentCalls(workspace.api, agents[0]).start({ customer_name: 'Ada' });
    await new AgentCalls(workspace.api, agents[1]).start({ customer_name: 'Grace' });
    const { apiKey: key } = await createKey([`agent:${agents[0]}`]);
    const page = await browser.open(context, parley.url);

    await signIn(page, key);

    await page.getByRole('link', { name: 'Ada' }).waitFor();
    expect(await page.getByRole('link', { name: 'Grace' }).count()).toBe(0);
    const entries = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
    expect(await entries.allTextContents()).toEqual(['Calls', 'Live', 'Settings', 'API reference']);
    expect(await page.getByText('Build', { exact: true }).count()).toBe(0);
    await chooseFilter(page, 'Agent', 'Night desk');
    await filterChip(page, 'Agent', 'Night desk').waitFor();
    browser.complaints.splice(0);
    await page.goto(`${parley.url}/calls/${mine}`);
    await page.getByText('Version', { exact: true }).waitFor();
    expect(await page.getByRole('link', { name: '1', exact: true }).count()).toBe(0);
    for (const path of [`/calls/${mine}`, `/agents/${agents[0]}`, '/settings', '/live', '/calls']) {
      await page.goto(parley.url + path);
      await page.locator('h1').waitFor();
      await page.getByText('Loading').first().waitFor({ state: 'detached' });
      expect([path, await page.getByRole('alert').allTextContents()]).toEqual([path, []]);
    }
    expect(browser.complaints).toEqual([]);
  });
});

import type { BrowserContext, Page } from 'playwright-core';
import { freePorts } from '../../launch/process/free-ports.cjs';
import { createAgent } from '../support/agents';
import { describeInBrowser, TestBrowser } from '../support/browser';
import { TestConsole } from '../support/console';
import { createDatabase } from '../support/database';
import { JWT_SECRET, useOwnParley } from '../support/parley';
import { ServerProcess } from '../support/server-process';
import { signInWith } from '../support/signed-in';
import { TcpProxy } from '../support/tcp-proxy';
import { until } from '../support/until';
import { useStarted } from '../support/use-started';

const PATIENCE = 120_000;

const FAKE_MICROPHONE = '--use-fake-device-for-media-stream';
/** A host of this machine that is not called localhost. */
const ELSEWHERE = 'parley.test';

const CHAT = { type: 'chat', name: 'Help desk', greeting: 'How can I help?' };

const patient = (page: Page) => {
  page.setDefaultTimeout(PATIENCE);
  return page;
};

describeInBrowser('Without a microphone', () => {
  // No runtime takes calls here.
  const parley = useOwnParley();
  const browser = useStarted(() => TestBrowser.start([`--host-resolver-rules=MAP ${ELSEWHERE} 127.0.0.1`]));
  const refusing = useStarted(() =>
    TestBrowser.start([FAKE_MICROPHONE, '--use-fake-ui-for-media-stream=deny']),
  );

  async function signedIn(of: TestBrowser, fields: object = {}) {
    const workspace = await parley.workspace();
    const agentId = await createAgent(workspace, fields);
    const context = await of.newContext();
    await signInWith(context, parley.url, workspace.apiKey);
    const calls = async () => (await workspace.api.get('/api/calls')).body.data as { status: string }[];
    return { context, calls, path: `/agents/${agentId}/talk` };
  }

  test.each([
    ['is absent', () => browser, /^No microphone was found\./],
    ['is refused', () => refusing, /^The microphone is blocked\./],
  ])('the page says that it %s, and starts no call', async (_, getBrowser, message) => {
    const { context, calls, path } = await signedIn(getBrowser());
    const page = patient(await getBrowser().open(context, parley.url + path));
    await page.getByRole('button', { name: 'Talk', exact: true }).click();
    await page.getByRole('alert').getByText(message).waitFor();
    expect(await page.getByRole('button', { name: 'Write instead' }).isEnabled()).toBe(true);
    expect(await calls()).toEqual([]);
    expect(getBrowser().complaints.splice(0)).toEqual([]);
    await context.close();
  });

  test('the page says that browsers open none over plain HTTP elsewhere', async () => {
    const { context, calls, path } = await signedIn(browser);
    const [cookie] = await context.cookies();
    if (!cookie) throw new Error('There is no session.');
    await context.addCookies([{ ...cookie, domain: ELSEWHERE }]);
    const url = new URL(path, parley.url);
    url.hostname = ELSEWHERE;
    const page = patient(await browser.open(context, url.href));
    await page.getByRole('button', { name: 'Talk', exact: true }).click();
    await page.getByRole('alert').getByText('only over https, or on localhost').waitFor();
    expect(await calls()).toEqual([]);
    browser.complaints.splice(0);
    await context.close();
  });

  test('and without a runtime, the page says that none is connected, and the call is cancelled', async () => {
    const { context, calls, path } = await signedIn(browser, CHAT);
    const page = patient(await browser.open(context, parley.url + path));
    await page.getByRole('button', { name: 'Write', exact: true }).click();
    await page.getByRole('alert').getByText('No runtime took the call, because none is connected.').waitFor();
    await page.getByText('How the call ended').waitFor();
    await until(async () => (await calls())[0]?.status === 'failed', PATIENCE);
    await page.getByRole('status').getByText('failed').waitFor();
    expect(browser.complaints.splice(0)).toEqual([]);
    await context.close();
  });
});

describeInBrowser('A conversation that is cut off', () => {
  let proxy: TcpProxy;
  let site: TestConsole;
  let context: BrowserContext;
  let page: Page;

  beforeAll(async () => {
    const [port] = await freePorts(1);
    proxy = await TcpProxy.to(`http://127.0.0.1:${port}`);
    site = await TestConsole.start({
      PORT: String(port),
      // The page comes from the server itself, and only the conversation comes through the proxy.
      PUBLIC_URL: proxy.url,
      VOICE_CAPACITY: '1',
      WEBCALL_WAIT_MS: '3000',
      LEASE_SECONDS: '3',
      LOG_LEVEL: 'warn',
    });
  });
  beforeEach(async () => {
    context = await site.browser.newContext();
    const agentId = await createAgent(site, CHAT);
    page = patient(await site.open(context, `/agents/${agentId}/talk`));
  });
  afterEach(() => context.close());
  afterAll(async () => {
    await site?.stop();
    await proxy?.cut();
  });

  const turns = () => page.getByRole('log', { name: 'Transcript' });

  async function begin() {
    await page.getByRole('button', { name: 'Write', exact: true }).click();
    await turns().getByText('How can I help?').waitFor();
  }
  async function write(text: string) {
    await page.getByLabel('Message').fill(text);
    await page.getByRole('button', { name: 'Send' }).click();
    await turns().locator('[data-speaker=user]', { hasText: text }).waitFor();
  }

  test(
    'comes back by itself, and goes on',
    async () => {
      await begin();
      await proxy.cut();
      await page.getByText('The connection was lost. Reconnecting …').waitFor();
      await proxy.restore();
      await page.getByText('The connection was lost. Reconnecting …').waitFor({ state: 'detached' });
      await write('I am back.');
      await page.getByRole('button', { name: 'Hang up' }).click();
      await page.waitForURL(/\/calls\/[\w-]+$/);
      await page.locator('li[data-speaker=user]', { hasText: 'I am back.' }).waitFor();
    },
    2 * PATIENCE,
  );

  test(
    'and does not come back in time ends, with its message and the end of its call',
    async () => {
      await begin();
      await proxy.cut();
      await page.getByRole('alert').getByText('The connection to the runtime was lost').waitFor();
      await page
        .getByRole('status')
        .getByText('The person hung up')
        .or(page.getByText(/hung up after/))
        .first()
        .waitFor();
      await proxy.restore();
      site.complaints();
    },
    2 * PATIENCE,
  );

  test(
    'leaves room for nobody else meanwhile, who is told that every runtime is busy',
    async () => {
      await begin();
      const agentId = await createAgent(site, CHAT);
      const other = patient(await site.open(await site.browser.newContext(), `/agents/${agentId}/talk`));
      await other.getByRole('button', { name: 'Write', exact: true }).click();
      await other.getByRole('alert').getByText('No runtime took the call: all runtimes are busy').waitFor();
      await other.context().close();
      await page.getByRole('button', { name: 'Hang up' }).click();
      await page.waitForURL(/\/calls\/[\w-]+$/);
    },
    2 * PATIENCE,
  );
});

describeInBrowser('A conversation whose runtime is killed', () => {
  const browser = useStarted(() => TestBrowser.start([FAKE_MICROPHONE, '--use-fake-ui-for-media-stream']));

  test(
    'in mid-sentence says so, and its call is lost',
    async () => {
      const { url: DATABASE_URL } = await createDatabase();
      const [port] = await freePorts(1);
      const settings = {
        DATABASE_URL,
        JWT_SECRET,
        PORT: String(port),
        LEASE_SECONDS: '3',
        LOG_LEVEL: 'warn',
      };
      let server = await ServerProcess.start(settings);
      try {
        const apiKey = server.demo?.apiKey ?? '';
        const api = server.api.with({ 'x-api-key': apiKey });
        const context = await browser.newContext();
        await signInWith(context, server.url, apiKey);
        const agentId = await createAgent({ api }, { greeting: 'We are open every day. '.repeat(20) });
        const page = patient(await browser.open(context, `${server.url}/agents/${agentId}/talk`));
        await page.getByRole('button', { name: 'Talk', exact: true }).click();
        await page.getByText('The agent is speaking').waitFor();
        const readCall = async () => {
          const { body } = await api.get(`/api/calls?agent_id=${agentId}`);
          return (body.data as { status: string; disconnect_reason: string | null }[])[0];
        };
        // A call whose connection the server has not recorded yet would fail instead of being lost.
        await until(async () => (await readCall())?.status === 'connected', PATIENCE);

        await server.kill();
        await page.getByText('The connection was lost. Reconnecting …').waitFor();
        await page.getByRole('alert').getByText('The server does not answer either.').waitFor();
        server = await ServerProcess.start(settings);
        await until(async () => (await readCall())?.disconnect_reason === 'worker_lost', PATIENCE);
        await page.getByRole('status').filter({ hasText: 'ended' }).waitFor();
      } finally {
        await server.kill();
      }
    },
    3 * PATIENCE,
  );
});

import { existsSync, readdirSync } from 'node:fs';
import { get as httpGet } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Client } from 'pg';
import type { BrowserContext, Page } from 'playwright-core';
import { freePorts } from '../../launch/process/free-ports.cjs';
import { accessibilityProblems, describeInBrowser, TestBrowser } from '../support/browser';
import { ApiClient } from '../support/client';
import { createDatabase } from '../support/database';
import { OperatorProcess } from '../support/operator-process';
import { addPastCalls } from '../support/past-calls';
import { PRODUCT_FOLDER } from '../support/product';
import { ServerProcess } from '../support/server-process';
import { signInWith } from '../support/signed-in';
import { until } from '../support/until';

const JWT_SECRET = 'a secret of thirty-two bytes or more';

describeInBrowser('The console', () => {
  let server: ServerProcess;
  let browser: TestBrowser;
  let operator: OperatorProcess;
  let api: ApiClient;
  let databaseUrl: string;
  let workspaceId: string;
  let callId: string;
  let context: BrowserContext;

  beforeAll(async () => {
    const { url: DATABASE_URL } = await createDatabase();
    databaseUrl = DATABASE_URL;
    // The simulated runtime reports its recordings under an address that is known before the start.
    const [port] = await freePorts(1);
    server = await ServerProcess.start({ DATABASE_URL, JWT_SECRET, PORT: String(port) });
    browser = await TestBrowser.start();
    const { demo } = server;
    if (!demo) throw new Error('The server has created no workspace.');
    workspaceId = demo.workspaceId;
    api = server.api.with({ 'x-api-key': demo.apiKey });
    operator = new OperatorProcess({ DATABASE_URL, JWT_SECRET, PUBLIC_URL: server.url });
    const { body: agent } = await api.post('/api/agents', {
      type: 'outbound',
      name: 'Front desk',
      greeting: 'Hello {{customer_name}}.',
    });
    const agentId = (agent as { data: { _id: string } }).data._id;
    const { body: call } = await api.post(`/api/agents/${agentId}/calls`, {
      to_number: '+15551234510',
      customer_name: 'Ada',
    });
    callId = (call as { data: { conversation_id: string } }).data.conversation_id;
    await until(async () => {
      const { body } = await api.get(`/api/calls/${callId}/transcript`);
      return (body as { data: { complete: boolean } }).data.complete;
    });
  });

  beforeEach(async () => {
    context = await browser.newContext();
  });
  afterEach(async () => {
    await context.close();
    expect(browser.complaints.splice(0)).toEqual([]);
  });
  afterAll(async () => {
    await browser?.stop();
    await operator?.finish();
    await server?.stop();
  });

  const signInLink = async () => {
    const { stdout } = await operator.run(['console', 'link', '--workspace', workspaceId, '--json']);
    return (JSON.parse(stdout) as { url: string }).url;
  };

  /** A page of a signed-in user. */
  async function openSignedIn(path: string): Promise<Page> {
    await signInWith(context, server.url, (server.demo as { apiKey: string }).apiKey);
    return browser.open(context, server.url + path);
  }

  test('is entered by a link of the operator, once, and the token leaves the address', async () => {
    const link = await signInLink();
    const page = await browser.open(context, link);
    await page.getByRole('heading', { name: 'Sign in to Demo?' }).waitFor();
    expect(page.url()).not.toContain('token');
    expect(await context.cookies()).toEqual([]);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('button', { name: 'Sign out' }).waitFor();

    const other = await browser.newContext();
    const again = await browser.open(other, link);
    await again.getByText('The link has already been used').waitFor();
    await other.close();
    // The browser itself reports the refusal.
    expect(browser.complaints.splice(0).every((text) => text.includes('401'))).toBe(true);
  });

  test('is entered with an API key, at the page of the address', async () => {
    const page = await browser.open(context, `${server.url}/calls?status=failed`);
    await page.getByLabel('API key or token').fill((server.demo as { apiKey: string }).apiKey);
    await page.getByRole('button', { name: 'Sign in' }).click();

    await page.getByRole('heading', { name: 'Calls' }).waitFor();
    expect(new URL(page.url()).search).toBe('?status=failed');
    expect(await page.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage })')).not.toContain(
      'parley_',
    );
    browser.complaints.splice(0);
  });

  test('finds a call and shows its timeline, its transcript and its recording', async () => {
    const page = await openSignedIn('/calls');
    await page.getByRole('searchbox').fill('4510');
    await page.getByRole('searchbox').press('Enter');
    await page.getByRole('link', { name: 'Show the call that matches' }).click();
    await page.getByRole('link', { name: 'Ada' }).click();

    await page.getByRole('heading', { name: 'Front desk called Ada' }).waitFor();
    expect(await page.getByRole('searchbox').inputValue()).toBe('');
    await page.getByText('Hello Ada.').first().waitFor();
    await page.getByText('was charged').waitFor();
    expect(await page.locator('audio').getAttribute('src')).toContain('/demo/recordings/');
    const { body } = await api.get(`/api/calls/${callId}`);
    const { recording_url: recording } = (body as { data: { recording_url: string } }).data;
    const length = await until(() => page.evaluate<number>(`document.querySelector('audio').duration || 0`));
    expect(new URL(recording).searchParams.get('seconds')).toBe(String(length));
    const picture = page.getByRole('img', { name: 'How loud the recording is' });
    await picture.waitFor();
    expect(await picture.locator('rect').count()).toBe(await page.locator('li[data-speaker]').count());
    await page
      .getByText(/^answered after \d+\.\d s$/)
      .first()
      .waitFor();
    await page.getByText('Response time, median (p50)').waitFor();
    // The words that lie at the end of the picture are shown beneath it.
    const place = page.getByRole('slider', { name: 'Place in the recording' });
    const box = await place.boundingBox();
    await place.click({ position: { x: (box?.width ?? 0) - 2, y: 5 } });
    const last = page.locator('li[data-speaker]').last();
    await last.and(page.locator('[aria-current]')).waitFor();
    await page.locator('p[aria-hidden]', { hasText: await last.locator('p').innerText() }).waitFor();
    // By the keyboard, it goes back to the beginning.
    await place.focus();
    await page.keyboard.press('Home');
    await page.locator('li[data-speaker]').first().and(page.locator('[aria-current]')).waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Play' }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
  });

  test('announces a new call, and shows it on request', async () => {
    const page = await openSignedIn('/calls');
    await page.getByRole('link', { name: 'Ada' }).waitFor();
    const { body } = await api.get(`/api/calls/${callId}`);
    const agentId = (body as { data: { agent: { id: string } } }).data.agent.id;

    await api.post(`/api/agents/${agentId}/calls`, { to_number: '+15551234511', customer_name: 'Grace' });

    await page.getByText('1 new call').waitFor();
    expect(await page.getByRole('link', { name: 'Grace' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByRole('link', { name: 'Grace' }).waitFor();
  });

  test('is used with the keyboard alone', async () => {
    const page = await openSignedIn('/calls');
    await page.getByRole('link', { name: 'Ada' }).waitFor();

    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    await page.getByText('Go to: Campaigns').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('g');
    await page.keyboard.press('m');
    await page.getByRole('heading', { name: 'Campaigns' }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('c');
    await page.getByRole('link', { name: 'Ada' }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');

    await page.waitForURL(/\/calls\/[\da-f-]{36}$/);
  });

  test('leads by its commands to pages, to what can be created and to what a text finds', async () => {
    const page = await openSignedIn('/calls');
    await page.getByRole('link', { name: 'Ada', exact: true }).waitFor();
    await page.keyboard.press('Control+k');
    const commands = page.getByRole('dialog', { name: 'Commands' });
    const field = commands.getByRole('combobox').and(page.locator(':focus'));
    await field.waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.keyboard.type('analy');
    await commands.getByRole('option', { name: 'Analytics Page' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Analytics', level: 1 }).and(page.locator(':focus')).waitFor();

    await page.getByRole('button', { name: 'Commands' }).click();
    await field.pressSequentially('new ag');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'New agent' }).waitFor();
    expect(new URL(page.url()).search).toBe('');
    // It would lie above what is typed there.
    await page.keyboard.press('Control+k');
    expect(await commands.count()).toBe(0);
    await page.keyboard.press('Escape');

    await page.keyboard.press('Control+k');
    await field.pressSequentially('5551234510');
    await commands.getByRole('option', { name: /^Ada, \+15551234510 ?Call, / }).click();
    await page.waitForURL(`**/calls/${callId}`);
    await page.keyboard.press('Control+k');
    await field.pressSequentially('Front d');
    await commands.getByRole('option', { name: 'Front desk Agent' }).waitFor();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Search: Front d' }).waitFor();

    await page.keyboard.press('?');
    await page.getByRole('dialog').getByText('Commands: pages, actions, search').waitFor();
  });

  test('has one row above each page on a phone, and signs out in its menu', async () => {
    const page = await openSignedIn('/calls');
    await page.setViewportSize({ width: 375, height: 812 });
    expect(await page.getByRole('banner').boundingBox()).toEqual({ x: 0, y: 0, width: 375, height: 48 });
    expect(await page.getByRole('button', { name: 'Sign out' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    // The browser itself reports that the session has ended.
    expect(browser.complaints.splice(0).every((text) => text.includes('401'))).toBe(true);
  });

  test('shows how long calls are kept, and erases a person', async () => {
    const page = await openSignedIn('/settings/keeping');

    await page.getByLabel('Transcripts').fill('90');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('transcripts after 90 days').waitFor();
    await page.getByText('Nothing is old enough to be removed yet.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved.').waitFor();
    const { body } = await api.get('/api/workspace/retention');
    expect(body).toMatchObject({ data: { transcripts_days: 90, recordings_days: null, calls_days: null } });

    await page.getByLabel('Phone number').fill('+1 555 123 4599');
    await page.getByRole('button', { name: 'Erase' }).click();
    await page.getByRole('heading', { name: 'Erase everything about +15551234599?' }).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Erase' }).click();
    await page.getByText('Erasure started.').waitFor();
    await page.getByRole('cell', { name: 'completed' }).waitFor();
  });

  test('draws groups in colours with their names, and cuts no label of the time', async () => {
    const page = await openSignedIn('/analytics?group_by=agent&interval=hour');
    await page.getByRole('listitem').filter({ hasText: 'Front desk' }).waitFor();
    await page
      .getByRole('table', { name: 'Agents side by side', exact: true })
      .getByText('Front desk')
      .waitFor();
    expect(await page.locator('g[stroke="var(--accent)"] :is(line, circle)').count()).toBeGreaterThan(0);

    for (const width of [320, 1_280, 2_560]) {
      await page.setViewportSize({ width, height: 900 });
      // The room is measured after the change.
      await until(async () => {
        const rooms = await page.evaluate<boolean[]>(`
          [...document.querySelectorAll('main [data-labels] > span:not(:empty)')]
            .map(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)`);
        return rooms.length >= 2 && rooms.every(Boolean);
      });
    }
  });

  test('shows the largest outcomes by name, and all others as one', async () => {
    const database = new Client(databaseUrl);
    await database.connect();
    const sql = async <Row>(text: string, values?: unknown[]) =>
      (await database.query(text, values)).rows as Row[];
    await addPastCalls(
      { sql },
      { workspaceId },
      `SELECT gen_random_uuid() AS id, 'disconnected' AS status, 60 AS duration_sec, 'phonecall' AS call_type,
              timestamptz '2026-03-01' + n * interval '1 second' AS created_at,
              CASE WHEN n <= 5 THEN 'other' ELSE 'outcome ' || n END AS outcome
       FROM generate_series(1, 1020) AS n`,
    );
    await database.end();

    const page = await openSignedIn(
      '/analytics?group_by=outcome&start=2026-03-01&end=2026-03-01&timezone=UTC',
    );
    const groups = page.getByRole('table', { name: 'Outcomes side by side' });
    await groups.getByText('All others').waitFor();
    // Roles of a thousand rows take seconds to find.
    const rows = await groups
      .locator('tr')
      .evaluateAll((found) => found.map((row) => [...row.children].map((cell) => cell.textContent)));
    const calls = Object.fromEntries(rows.map(([name, count]) => [name, count])) as Record<string, string>;
    expect(rows).toHaveLength(1_002);
    expect([calls.other, calls['All others']]).toEqual(['5', '16']);
  });

  test('sends requests to its server only', async () => {
    const page = await openSignedIn(`/calls/${callId}`);
    await page.getByText('was charged').waitFor();

    const origins = browser.requests.map((url) => new URL(url).origin);
    expect([...new Set(origins)]).toEqual([server.url]);
  });

  test('sends its scripts and styles compressed, and lets browsers keep them', async () => {
    const folder = join(PRODUCT_FOLDER, 'console', 'assets');
    if (!existsSync(folder)) throw new Error('npm test has not built the console.');
    const names = readdirSync(folder).filter((name) => /\.(js|css)$/.test(name));
    const fetchAs = (name: string, encoding: string) =>
      fetch(`${server.url}/assets/${name}`, { headers: { 'Accept-Encoding': encoding } });
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) {
      for (const encoding of ['gzip', 'br', 'identity']) {
        const { status, headers } = await fetchAs(name, encoding);
        expect([status, headers.get('content-encoding')]).toEqual([
          200,
          encoding === 'identity' ? null : encoding,
        ]);
        expect(headers.get('content-type')).toMatch(name.endsWith('.js') ? /javascript/ : /css/);
        expect([headers.get('vary'), headers.get('cache-control')]).toEqual([
          expect.stringContaining('Accept-Encoding'),
          'public, max-age=31536000, immutable',
        ]);
      }
    }
  });

  test('loads at most 200 kB of scripts and styles for its first page', async () => {
    browser.requests.splice(0);
    const page = await openSignedIn('/');
    await page.getByRole('heading', { name: 'Running campaigns' }).waitFor();
    const assets = new Set(browser.requests.filter((url) => /\.(js|css)$/.test(url)));
    let sum = 0;
    for (const url of assets) {
      const { headers } = await fetch(url, { headers: { 'Accept-Encoding': 'gzip' } });
      sum += Number(headers.get('content-length'));
    }
    expect(sum).toBeGreaterThan(100_000);
    expect(sum).toBeLessThanOrEqual(200_000);
  });

  test('is never sent without its content security policy', async () => {
    // fetch would resolve the dots, as a browser does.
    const get = (path: string) =>
      new Promise<{ status?: number; policy?: string; text: string }>((resolve, reject) => {
        const { hostname, port } = new URL(server.url);
        const sent = httpGet({ hostname, port, path, headers: { Accept: 'text/html' } }, (answer) => {
          const { statusCode: status, headers } = answer;
          const policy = headers['content-security-policy'] as string | undefined;
          void text(answer).then((body) => resolve({ status, policy, text: body }), reject);
        });
        sent.on('error', reject);
      });
    const { policy, text: page } = await get('/calls');
    expect(policy).toContain("frame-ancestors 'none'");
    const paths = [
      ...['/assets/%2e%2e%2findex.html', '/assets/..%2findex.html', '/assets/../index.html'],
      ...['/assets/%2E%2E/index.html', '/assets/..%5cindex.html', '/%2e/index.html', '//index.html'],
      ...['/index.html', '/%69ndex.html', '/index%2ehtml', '/%2e%2e%2findex%2ehtml', '/docs/../index.html'],
      ...['/docs/%2e%2e%2findex.html', '/icon.svg/../index.html', '/icon.svg%2f..%2findex.html', '/./'],
    ];

    const answers = await Promise.all(paths.map(async (path) => ({ path, ...(await get(path)) })));
    expect(answers[0]).toMatchObject({ status: 404 });
    const bare = answers.filter((answer) => answer.text === page && answer.policy !== policy);
    expect(bare.map(({ path }) => path)).toEqual([]);
  });
});

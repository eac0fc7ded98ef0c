import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

declare global {
  /** The browser that test files of this process share. Jest loads this module again for each file. */
  var SHARED_BROWSER: Browser | undefined;
}

/** The path of the browser that `npm test` has found. */
const executablePath = process.env.TEST_CHROMIUM;

/** `describe`, which skips the tests where there is no browser. */
export const describeInBrowser = (name: string, tests: () => void): void =>
  (executablePath ? describe : describe.skip)(name, tests);

/** Without these, the browser asks hosts of its vendor for updates. */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // On a busy machine the watchdog ends the GPU process, and after six such ends the browser ends itself.
  '--disable-gpu-watchdog',
  '--disable-gpu-process-crash-limit',
];

interface Look {
  colorScheme?: 'light' | 'dark';
  width?: number;
  locale?: string;
  timezoneId?: string;
  /** The cookies and the storage of another context. */
  storageState?: Awaited<ReturnType<BrowserContext['storageState']>>;
  /** The clock of its pages is this many days ahead. */
  daysAhead?: number;
}

interface AxeResults {
  violations: { id: string; help: string; nodes: { target: string[] }[] }[];
}

const axe = readFileSync(join(__dirname, '../../node_modules/axe-core/axe.min.js'), 'utf8');

/** Whether the browser works. One that has ended on a busy machine may still be called connected. */
const answers = (browser: Browser): Promise<boolean> =>
  browser.newContext().then(
    (context) => context.close().then(() => true),
    () => false,
  );

/** A part of a browser, and all errors and warnings of its pages. */
export class TestBrowser {
  /** Errors and warnings of the console, violations of the content security policy, uncaught errors. */
  readonly complaints: string[] = [];
  /** The URLs of all requests. */
  readonly requests: string[] = [];

  private readonly contexts: BrowserContext[] = [];

  private constructor(private readonly browser: Browser) {}

  /** @param more further arguments, such as those of a microphone, for which a browser of its own is launched */
  static async start(more: string[] = []): Promise<TestBrowser> {
    const launch = () => chromium.launch({ executablePath, args: [...ARGUMENTS, ...more] });
    if (more.length > 0) return new TestBrowser(await launch());
    const shared = globalThis.SHARED_BROWSER;
    globalThis.SHARED_BROWSER = shared && (await answers(shared)) ? shared : await launch();
    return new TestBrowser(globalThis.SHARED_BROWSER);
  }

  /** A person with cookies of their own. */
  async newContext({ width = 1_280, daysAhead, ...look }: Look = {}): Promise<BrowserContext> {
    const viewport = { width, height: 900 };
    const context = await this.browser.newContext({
      colorScheme: 'light',
      locale: 'en-GB',
      viewport,
      ...look,
    });
    this.contexts.push(context);
    if (daysAhead) await context.clock.install({ time: Date.now() + daysAhead * 86_400_000 });
    return context;
  }

  async open(context: BrowserContext, url: string): Promise<Page> {
    const page = await context.newPage();
    // Shorter than the limit of a test, so that the failure names what was missing.
    page.setDefaultTimeout(60_000);
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type()))
        this.complaints.push(`${message.text()} ${message.location().url}`.trim());
    });
    page.on('pageerror', (error) => this.complaints.push(String(error)));
    page.on('request', (request) => this.requests.push(request.url()));
    await page.goto(url);
    return page;
  }

  async stop(): Promise<void> {
    await Promise.all(this.contexts.map((context) => context.close()));
    if (this.browser !== globalThis.SHARED_BROWSER) await this.browser.close();
  }
}

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * The violations of the rules of WCAG 2.2 AA in a page.
 * @param within a selector of the part that is checked
 * @param rules only these
 */
export async function accessibilityProblems(
  page: Page,
  { within = ':root', rules }: { within?: string; rules?: string[] } = {},
): Promise<string[]> {
  // The debugger evaluates the script, which the content security policy does not concern.
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(`${axe}; undefined`);
  // The size of targets is left out unless it is requested.
  const options = {
    runOnly: rules ?? TAGS,
    rules: rules ? {} : { 'target-size': { enabled: true } },
    // axe would also describe every element that keeps a rule.
    resultTypes: ['violations'],
  };
  const { violations } = await page.evaluate<AxeResults>(
    `axe.run(${JSON.stringify(within)}, ${JSON.stringify(options)})`,
  );
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
  );
}

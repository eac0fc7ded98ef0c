import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '../../launch/process/free-ports.cjs';
import { accessibilityProblems, describeInBrowser } from '../support/browser';
import { TestConsole } from '../support/console';
import { withKeyboard } from '../support/mouse-and-keyboard';
import { readCommands } from '../support/pasted-commands';
import { until } from '../support/until';

/** The folder for the picture of docs/tour.md. Without it, none is taken. */
const folder = process.env.SCREENSHOTS;

const ROOT = join(__dirname, '..', '..');

/** The machine may be busy while the command line starts. */
const PATIENCE = 120_000;

/** The sentences that the person writes, and the answers of the agent. */
const BOOKING = [
  ['I would like to book a table.', 'Please tell me the day.'],
  ['Friday', 'Please tell me the persons.'],
  ['Two', 'So I have day: Friday, persons: 2. Is that right?'],
  ['Yes.', 'That is done.'],
] as const;

describeInBrowser('The tour, whose commands are pasted into a terminal,', () => {
  let site: TestConsole;
  let terminal: Terminal;

  beforeAll(async () => {
    site = await TestConsole.start({ ALLOW_PRIVATE_ADDRESSES: 'true', LOG_LEVEL: 'warn' });
    terminal = await Terminal.open(site, readCommands('docs/tour.md', 'Book a table'));
  });
  afterAll(async () => {
    await terminal?.close();
    await site?.stop();
  });

  test(
    'books a table in a call in which the person writes, once, and shows the record',
    async () => {
      const address = await until(() => /^http.*\/talk$/m.exec(terminal.output)?.[0], PATIENCE);
      const context = await site.browser.newContext();
      const page = await site.open(context, new URL(address).pathname);
      page.setDefaultTimeout(PATIENCE);
      const { press } = withKeyboard(page);
      await press('button', 'Write instead');
      const turns = page.getByRole('log', { name: 'Transcript' });
      await turns.getByText('This is the restaurant.').waitFor();
      for (const round of [0, 1])
        for (const [said, answer] of BOOKING) {
          await page.getByLabel('Message').fill(said);
          await page.keyboard.press('Enter');
          await turns.locator('[data-speaker=agent]', { hasText: answer }).nth(round).waitFor();
        }
      await press('button', 'Hang up');

      await page.waitForURL(/\/calls\/[\w-]+$/);
      const booked = page.locator('li[data-speaker=tool]', { hasText: 'asked for again and not sent: 1' });
      await booked.getByText('"id": "b-1"').waitFor();
      await page.getByText('The analysis is available.').waitFor();
      await page.evaluate(`scrollBy(0, ${((await booked.boundingBox())?.y ?? 0) - 300})`);
      if (folder) await page.screenshot({ path: join(folder, 'console-tools.png') });
      expect(await accessibilityProblems(page)).toEqual([]);
      expect(site.complaints()).toEqual([]);
      await context.close();

      const output = await terminal.finish();
      expect(output).toMatch(
        /^\S+ +book_table +done +\{"day":"Friday","persons":2\} +\{"booking":\{"id":"b-1",/m,
      );
      expect(output).toMatch(/"repeats":1\b/);
      expect(output).toMatch(/book_table was done in \d+\.\d s\.$/m);
      expect(output).not.toMatch(/Error|undefined|not found/);
    },
    4 * PATIENCE,
  );
});

/** A shell that runs the first block of commands, and the second one when the person goes on. */
class Terminal {
  output = '';
  private readonly ended: Promise<unknown[]>;

  private constructor(
    private readonly home: string,
    private readonly shell: ReturnType<typeof spawn>,
  ) {
    this.ended = once(shell, 'close');
    for (const stream of [shell.stdout, shell.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => (this.output += text));
  }

  static async open({ server }: TestConsole, [first = '', second = '']: string[]): Promise<Terminal> {
    const home = mkdtempSync(join(tmpdir(), 'parley-tour-'));
    const [port] = await freePorts(1);
    mkdirSync(join(home, 'examples'));
    for (const name of ['packages', 'launch', 'examples/shop.mjs'])
      symlinkSync(join(ROOT, name), join(home, name));
    const tool = readFileSync(join(ROOT, 'examples/shop.json'), 'utf8').replace(':4000', `:${port}`);
    writeFileSync(join(home, 'examples/shop.json'), tool);
    const script = `
      set -e
      trap 'kill $SHOP 2>/dev/null || true' EXIT
      parley() { node launch/parley.mjs "$@"; }
      ${first.replace('shop.mjs', `shop.mjs ${port}`)}
      read -r
      ${second}`;
    const env = {
      PATH: process.env.PATH,
      HOME: home,
      PARLEY_URL: server.url,
      PARLEY_API_KEY: server.demo?.apiKey,
    };
    return new Terminal(home, spawn('bash', ['-c', script], { cwd: home, env }));
  }

  /** Runs the second block. @returns all that was printed */
  async finish(): Promise<string> {
    this.shell.stdin?.write('\n');
    const [status] = await this.ended;
    if (status !== 0) throw new Error(`A command ended with ${String(status)}:\n${this.output}`);
    return this.output;
  }

  async close(): Promise<void> {
    this.shell.stdin?.end();
    await this.ended;
    rmSync(this.home, { recursive: true });
  }
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext } from 'playwright-core';
import { closedNow } from '../test/support/calling-windows';
import { createCampaign, recipientsFile } from '../test/support/campaigns';
import { createResources, type ResourceIds } from '../test/support/examples';
import type { TestWorkspace } from '../test/support/parley';
import { until } from '../test/support/until';
import type { Benchmark } from './benchmark';
import { type Console, withConsole } from './console';
import { cpuSecondsOfFamily } from './processes';
import { median } from './report';

const RECIPIENTS = 500;

/** The page has its content, and waits for no more, when no request has ended for this time. */
const QUIET_MS = 500;

/** Each page of the console, and what shows its content. Every page also has a heading, and does not say that it loads. */
const CONTENTS: Record<string, string> = {
  '/': 'svg[role="img"], figure',
  '/calls': 'tr[data-row]',
  '/calls/compare': 'h2',
  '/calls/:id': 'h2',
  '/people/:phone': 'tr[data-row]',
  '/live': 'form',
  '/campaigns': 'tr[data-row]',
  '/campaigns/new': 'form',
  '/campaigns/:id': 'tr',
  '/agents': 'tr[data-row]',
  '/agents/:id': 'form',
  '/agents/:id/talk': 'button',
  '/agents/:id/versions': 'h2',
  '/numbers': 'tbody tr',
  '/do-not-call': 'tbody tr',
  '/knowledge': 'tr[data-row]',
  '/knowledge/:id': 'tbody tr',
  '/templates': 'main a',
  '/templates/:id': 'form',
  '/analytics': 'figure, svg',
  '/runtimes': 'h2',
  '/webhooks': 'tr[data-row]',
  '/webhooks/:id': 'h2',
  '/settings': 'h2',
  '/settings/people': 'tbody tr',
  '/settings/keys': 'tbody tr',
  '/settings/assistants': 'h2',
  '/settings/credits': 'tbody tr',
  '/settings/keeping': 'h2',
  '/settings/audit': 'tbody tr',
};

/** The paths of all pages, so that none is left out. */
const readPaths = () =>
  [...readFileSync(join(__dirname, '../console/src/pages.ts'), 'utf8').matchAll(/path: '([^']+)'/g)].map(
    ([, path]) => path as string,
  );

/** Notes when the page was first painted with all of its content. */
const watch = (content: string) => `
  let isShown = false;
  new MutationObserver(() => {
    const isNow = document.querySelector('h1') !== null
      && document.querySelector('[data-loading]') === null
      && document.querySelector(${JSON.stringify(content)}) !== null;
    if (isNow === isShown) return;
    isShown = isNow;
    window.shownAt = undefined;
    if (isNow) requestAnimationFrame(() => setTimeout(() => { window.shownAt = performance.now(); }));
  }).observe(document, { childList: true, subtree: true });`;

const IS_QUIET = `(() => {
  const last = Math.max(...performance.getEntriesByType('resource').map(({ responseEnd }) => responseEnd));
  return window.shownAt !== undefined && performance.now() - Math.max(window.shownAt, last) > ${QUIET_MS};
})()`;

const READ = `({
  ms: window.shownAt,
  bytes: [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
    .reduce((sum, { transferSize }) => sum + transferSize, 0),
  requests: performance.getEntriesByType('resource').length,
})`;

/** An opening of a page. */
interface Opened {
  /** The time until its content was painted. */
  ms: number;
  bytes: number;
  requests: number;
  /** Milliseconds of CPU time: of the page's main thread, and of the server with Postgres. */
  thread: number;
  server: number;
}

async function openPage(
  { parley, browser, services }: Console,
  context: BrowserContext,
  path: string,
  content: string,
): Promise<Opened> {
  const page = await browser.open(context, 'about:blank');
  await page.addInitScript(watch(content));
  const debuggee = await context.newCDPSession(page);
  await debuggee.send('Performance.enable');
  const serverTime = () => cpuSecondsOfFamily(parley.child.pid) + cpuSecondsOfFamily(services.postgresPid);
  const before = serverTime();
  await page.goto(parley.url + path, { waitUntil: 'commit' });
  await until(() => page.evaluate<boolean>(IS_QUIET));
  const opened = await page.evaluate<Pick<Opened, 'ms' | 'bytes' | 'requests'>>(READ);
  const { metrics } = await debuggee.send('Performance.getMetrics');
  const thread = metrics.find(({ name }) => name === 'ThreadTime')?.value ?? NaN;
  const server = serverTime() - before;
  await page.close();
  return { ...opened, thread: thread * 1_000, server: server * 1_000 };
}

/** Adds the resources of a workspace besides calls, campaigns and webhooks. */
async function addResources({ api, agents }: Console): Promise<ResourceIds> {
  const ids = await createResources({ api } as TestWorkspace);
  for (let index = 0; index < 25; index += 1) await createResources({ api } as TestWorkspace);
  const first = async <Row>(path: string) => ((await api.get(path)).body as { data: Row[] }).data[0];
  const call = await first<{ call_id: string; to_number: string }>('/api/calls?limit=1&outcome=renewed');
  const delivery = await first<{ delivery_id: string }>('/api/webhooks/deliveries?limit=1');
  if (!call || !delivery) throw new Error('The demo data has no call that renewed, or no webhook.');
  const agent_id = agents.get('Appointment reminders') as string;
  const campaign_id = await createCampaign(api, agent_id, recipientsFile(RECIPIENTS), {
    windows: JSON.stringify(closedNow()),
  });
  return { ...ids, ...call, ...delivery, agent_id, campaign_id };
}

/** The path of a page with ids. */
function fill(path: string, ids: ResourceIds): string {
  if (path === '/calls/compare') return `${path}?left=${ids.call_id}&right=${ids.call_id}`;
  const names: Record<string, string> = {
    calls: 'call_id',
    campaigns: 'campaign_id',
    agents: 'agent_id',
    knowledge: 'kb_id',
    templates: 'template_id',
    webhooks: 'delivery_id',
  };
  const id = ids[names[path.split('/')[1] ?? ''] ?? ''] ?? '';
  return path.replace(':id', id).replace(':phone', encodeURIComponent(ids.to_number ?? ''));
}

const COLUMNS = [
  ['median', ({ ms }) => ms, median],
  ['best', ({ ms }) => ms, (values) => Math.min(...values)],
  ['page CPU', ({ thread }) => thread, median],
  ['server CPU', ({ server }) => server, median],
  ['kB', ({ bytes }) => bytes / 1_000, median],
  ['requests', ({ requests }) => requests, median],
] satisfies [name: string, (opened: Opened) => number, (values: number[]) => number][];

function printLine(name: string, cells: string[]): void {
  console.log(`  ${name.padEnd(22)} ${cells.map((cell) => cell.padStart(10)).join(' ')}`);
}

export const consolePages: Benchmark = {
  name: 'console-pages',
  title: 'each page of the console, from its opening to its content, in ms',
  onRequest: true,
  async run(bench) {
    await withConsole(bench, async (site) => {
      const ids = await addResources(site);
      printLine('', ['cold:', ...COLUMNS.slice(1).map(() => ''), 'warm:']);
      printLine(
        '',
        ['cold', 'warm'].flatMap(() => COLUMNS.map(([name]) => name)),
      );
      for (const path of readPaths()) {
        const content = CONTENTS[path];
        if (content === undefined) throw new Error(`The benchmark does not know the page ${path}.`);
        const rounds: [cold: Opened, warm: Opened][] = [];
        // The first round warms the server up.
        for (let round = 0; round <= bench.options.rounds; round += 1) {
          const context = await site.newContext();
          const open = () => openPage(site, context, fill(path, ids), content);
          const pair: [Opened, Opened] = [await open(), await open()];
          if (round > 0) rounds.push(pair);
          await context.close();
        }
        const cells = ([0, 1] as const).flatMap((cache) =>
          COLUMNS.map(([, getValue, join]) => join(rounds.map((pair) => getValue(pair[cache]))).toFixed(0)),
        );
        printLine(path, cells);
      }
    });
  },
};

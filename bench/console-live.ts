import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { createCampaign, createNumbers, csv } from '../test/support/campaigns';
import { until } from '../test/support/until';
import type { Benchmark } from './benchmark';
import { type Console, withConsole } from './console';
import { startRuntime } from './runtime';

const CALLS = 1_000;
const CAMPAIGNS = 5;
const CALL_SECONDS = 40;
const SECONDS = 30;
const SHORT_SECONDS = 5;
const STARTING_MS = 300_000;

const COUNT = `
  SELECT count(*)::int AS calls, count(*) FILTER (WHERE status = 'connected')::int AS connected
  FROM conversations WHERE ended_at IS NULL`;

/** Campaigns that together keep calls in progress at their limit for some minutes. */
async function startCalls({ api, agents, parley }: Console): Promise<void> {
  const each = CALLS / CAMPAIGNS;
  const numbers = createNumbers(20 * CALLS);
  // The first agents are those of the demo data, of which some do not call.
  const ids = [...agents.values()].slice(-CAMPAIGNS);
  for (let index = 0; index < CAMPAIGNS; index += 1) {
    const own = numbers.slice(index * 20 * each, (index + 1) * 20 * each);
    const rows = own.map((number, row) => `${number},Person ${index * own.length + row}`);
    const file = csv(['phone_number,customer_name', ...rows].join('\n'));
    const fields = { campaignName: `Campaign ${index}`, concurrency: String(each) };
    await createCampaign(api, ids[index] as string, file, fields);
  }
  await until(async () => {
    const { rows } = await parley.sql.query<{ calls: number; connected: number }>(COUNT);
    return (rows[0]?.connected ?? 0) > 0.7 * CALLS;
  }, STARTING_MS);
}

/** Notes the time between frames, and scrolls the page if asked. */
const WATCH = `
  window.frames50 = [];
  let last;
  let step = 60;
  const next = (now) => {
    if (last !== undefined && now - last > 50) window.frames50.push(now - last);
    last = now;
    if (window.isScrolling) {
      const before = window.scrollY;
      window.scrollBy(0, step);
      if (window.scrollY === before) step = -step;
    }
    requestAnimationFrame(next);
  };
  requestAnimationFrame(next);`;

interface Task {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  /** Microseconds: of the clock, and of CPU time. */
  dur?: number;
  tdur?: number;
  args: { name?: string };
}

/** The tasks of the page's main thread, in milliseconds. */
function readTasks(trace: Buffer): { wall: number; cpu: number }[] {
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: Task[] };
  const threads = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  return traceEvents
    .filter(({ name, pid, tid }) => name === 'RunTask' && threads.has(`${pid} ${tid}`))
    .map(({ dur = 0, tdur = 0 }) => ({ wall: dur / 1_000, cpu: tdur / 1_000 }));
}

const TRACED = ['-*', 'disabled-by-default-devtools.timeline', '__metadata'];

/** The heap in MB, after the garbage has been collected, and the nodes of the document. */
async function readMemory(debuggee: CDPSession) {
  await debuggee.send('HeapProfiler.collectGarbage');
  const { metrics } = await debuggee.send('Performance.getMetrics');
  const read = (wanted: string) => metrics.find(({ name }) => name === wanted)?.value ?? NaN;
  return { heap: read('JSHeapUsedSize') / 1_000_000, nodes: read('Nodes'), cpu: read('ThreadTime') };
}

async function watchPage({ parley }: Console, page: Page, title: string, seconds: number) {
  const browser = page.context().browser() as Browser;
  const debuggee = await page.context().newCDPSession(page);
  await debuggee.send('Performance.enable');
  const before = await readMemory(debuggee);
  await page.evaluate('window.frames50.length = 0');
  await browser.startTracing(page, { categories: TRACED });
  await pause(seconds * 1_000);
  const tasks = readTasks(await browser.stopTracing());
  const frames = await page.evaluate<number[]>('window.frames50');
  const after = await readMemory(debuggee);
  const { rows } = await parley.sql.query<{ calls: number }>(COUNT);
  const most = (values: number[]) => Math.max(0, ...values).toFixed(0);
  console.log(
    `  ${title}: ${rows[0]?.calls} calls; longest task ${most(tasks.map(({ cpu }) => cpu))} ms of CPU time ` +
      `(${most(tasks.map(({ wall }) => wall))} ms by the clock); ` +
      `tasks over 50 ms of CPU time: ${tasks.filter(({ cpu }) => cpu > 50).length}, ` +
      `frames over 50 ms: ${frames.length}, the longest ${most(frames)} ms; ` +
      `main thread busy ${((100 * (after.cpu - before.cpu)) / seconds).toFixed(0)} %; ` +
      `heap ${before.heap.toFixed(1)} and then ${after.heap.toFixed(1)} MB, ` +
      `${before.nodes} and then ${after.nodes} nodes`,
  );
}

export const consoleLive: Benchmark = {
  name: 'console-live',
  title: 'the page of live calls with 1,000 calls that change all the time',
  onRequest: true,
  async run(bench) {
    const seconds = bench.options.short ? SHORT_SECONDS : SECONDS;
    await withConsole(bench, async (site) => {
      const runtime = await startRuntime(bench, site.parley, CALL_SECONDS);
      await startCalls(site);
      const page = await site.browser.open(await site.newContext(), `${site.parley.url}/live`);
      await page.locator('tr[data-row]').first().waitFor();
      await page.evaluate(WATCH);
      await watchPage(site, page, 'unmoved', seconds);
      await page.evaluate('window.isScrolling = true');
      await watchPage(site, page, 'scrolled', seconds);
      await page.close();
      await runtime.kill();
    });
  },
};

import { describeInBrowser, TestBrowser } from '../support/browser';
import { type DemoWorkspace, demoWorkspace } from '../support/demo-workspace';
import { useOwnParley } from '../support/parley';
import { signInWith } from '../support/signed-in';
import { until } from '../support/until';
import { useStarted } from '../support/use-started';

/** Cumulative layout shift: a smaller value is good by the Web Vitals. */
const MAX_SHIFT = 0.1;

const OBSERVER = `
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries()) window.shifts.push([value, sources[0]?.node?.outerHTML?.slice(0, 200)]);
  }).observe({ type: 'layout-shift', buffered: true });`;

describeInBrowser('A page of the console that opens', () => {
  const parley = useOwnParley();
  const browser = useStarted(() => TestBrowser.start());
  let demo: DemoWorkspace;
  let callPath: string;
  let talkPath: string;

  beforeAll(async () => {
    demo = await demoWorkspace(parley, 150);
    const { body } = await demo.api.get('/api/calls?limit=1&outcome=renewed');
    const [call] = body.data as [{ call_id: string; agent: { id: string } }];
    callPath = `/calls/${call.call_id}`;
    talkPath = `/agents/${call.agent.id}/talk`;
  });

  test.each([1_280, 320])(
    'does not move visible content: %i px',
    async (width) => {
      const context = await browser.newContext({ width });
      await signInWith(context, parley.url, demo.apiKey);
      await context.addInitScript(OBSERVER);
      const measureShift = async (path: string): Promise<number> => {
        const page = await browser.open(context, parley.url + path);
        await page.locator('h1').waitFor();
        await until(async () => (await page.getByText('Loading').count()) === 0);
        await page.waitForLoadState('load');
        const found = await page.evaluate<[number, string][]>('window.shifts');
        await page.close();
        return found.reduce((sum, [value]) => sum + value, 0);
      };
      const shifts: [string, number][] = [];
      for (const path of ['/', '/calls', callPath, '/live', '/webhooks', '/agents', '/analytics', talkPath]) {
        const shift = await measureShift(path);
        // On a busy machine, a part may load after the page has shown the content below it. The page is then opened again.
        shifts.push([path, shift < MAX_SHIFT ? shift : await measureShift(path)]);
      }
      expect(shifts.filter(([, shift]) => shift >= MAX_SHIFT)).toEqual([]);
      await context.close();
    },
    60_000,
  );
});

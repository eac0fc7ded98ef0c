import { describeInBrowser, TestBrowser } from '../support/browser';
import { createResources, type ResourceIds } from '../support/examples';
import { useParley } from '../support/parley';
import { signInWith } from '../support/signed-in';
import { useStarted } from '../support/use-started';

/** The distance of the first row of a list from the top of its page, at 1440 × 900 px. */
const MAX_TOP_PX = 180;

type PathOf = (ids: ResourceIds) => string;

const LISTS: PathOf[] = [
  () => '/calls',
  () => '/live',
  () => '/campaigns',
  ({ campaign_id }) => `/campaigns/${campaign_id}/recipients`,
  () => '/agents',
  () => '/knowledge',
  () => '/tools',
  () => '/do-not-call',
  () => '/webhooks',
  () => '/settings/audit',
  () => '/settings/credits',
];

describeInBrowser('A list of the console', () => {
  const parley = useParley();
  const browser = useStarted(() => TestBrowser.start());

  test('begins near the top of its page', async () => {
    const workspace = await parley.workspace();
    const ids = await createResources(workspace);
    const context = await browser.newContext({ width: 1_440 });
    await signInWith(context, parley.url, workspace.apiKey);
    const page = await browser.open(context, parley.url);
    const tops: [path: string, top: number][] = [];
    for (const path of LISTS.map((getPath) => getPath(ids))) {
      await page.goto(parley.url + path);
      const row = page.locator('tbody tr').first();
      await row.waitFor();
      tops.push([path, (await row.boundingBox())?.y ?? NaN]);
    }
    expect(tops.filter(([, top]) => !(top <= MAX_TOP_PX))).toEqual([]);
    await context.close();
  });
});

import type { Page } from 'playwright-core';
import { accessibilityProblems, describeInBrowser } from '../support/browser';
import { closedNow } from '../support/calling-windows';
import { createCampaign, recipientsFile } from '../support/campaigns';
import { TestConsole } from '../support/console';
import { createResources, exampleBody, type ResourceIds } from '../support/examples';
import { hasFocus, unfold, walkThroughLists, walkWithTab } from '../support/keyboard';
import type { TestWorkspace } from '../support/parley';
import { until } from '../support/until';

/** The rules whose result depends on the width: on the elements shown, their size and their scrolling. */
const OF_WIDTH = [
  'aria-hidden-focus',
  'aria-required-children',
  'aria-required-parent',
  'button-name',
  'link-name',
  'scrollable-region-focusable',
  'skip-link',
  'target-size',
];

/** Checks each rule once, and the rules that depend on the width again. */
const LOOKS: { width: number; colorScheme: 'light' | 'dark'; rules?: string[] }[] = [
  { width: 1_280, colorScheme: 'light' },
  { width: 1_280, colorScheme: 'dark', rules: ['color-contrast'] },
  { width: 768, colorScheme: 'light', rules: [] },
  { width: 320, colorScheme: 'dark', rules: OF_WIDTH },
  { width: 2_560, colorScheme: 'light', rules: [] },
];

/** The names of the tables that scroll sideways. On a phone only those of numbers may, whose rows have one line there. */
const findScrolling = (isPhone: boolean) => `
  [...document.querySelectorAll('[role=region]:has(> table)')]
    .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
    .filter((region) => !${isPhone} || getComputedStyle(region.querySelector('td')).display === 'block')
    .map((region) => region.ariaLabel)`;

/** Each page, with the buttons that open its dialogs. */
type PageOf = (ids: ResourceIds) => [path: string, ...openers: RegExp[]];

const PAGES: PageOf[] = [
  () => ['/'],
  () => ['/calls'],
  ({ call_id }) => [`/calls/compare?left=${call_id}&right=${call_id}`],
  ({ call_id }) => [`/calls/${call_id}`, /^(Call again|Hang up)$/],
  () => ['/live'],
  () => ['/search?q=Ada'],
  () => [
    '/people/+15551234567',
    /^Call$/,
    /^Write a note$/,
    /^Add to do-not-call list$/,
    /^Erase this person$/,
  ],
  () => ['/campaigns'],
  () => ['/campaigns/new'],
  ({ campaign_id }) => [`/campaigns/${campaign_id}`, /^Change$/, /^Pause$/, /^Cancel campaign$/],
  ({ campaign_id }) => [`/campaigns/${campaign_id}/recipients`, /^Remove \+/, /^Why not called\? \+/],
  () => ['/agents', /^New agent$/],
  ({ agent_id }) => [`/agents/${agent_id}`, /^Test call$/, /^Assign a number$/, /^Delete agent$/],
  ({ agent_id }) => [`/agents/${agent_id}/talk`],
  ({ agent_id }) => [`/agents/${agent_id}/analysis`],
  ({ agent_id }) => [`/agents/${agent_id}/rehearsals`],
  ({ run_id }) => [`/rehearsal-runs/${run_id}`],
  ({ agent_id }) => [`/agents/${agent_id}/versions`, /^Restore version/],
  () => ['/analytics?group_by=agent'],
  () => ['/analytics?group_by=campaign&metric=rate&interval=hour'],
  () => ['/numbers', /^Add a number$/, /^Release \+/],
  () => ['/knowledge', /^New knowledge base$/],
  ({ kb_id }) => [`/knowledge/${kb_id}`, /^Assign to an agent$/, /^Delete knowledge base$/],
  () => ['/tools', /^Create a tool$/],
  ({ tool_id }) => [`/tools/${tool_id}`, /^Delete$/],
  () => ['/templates', /^New template$/],
  ({ template_id }) => [`/templates/${template_id}`, /^Delete template$/],
  () => ['/do-not-call', /^Add a number$/, /^Import a file$/, /^Remove \+/],
  () => ['/runtimes'],
  () => ['/webhooks', /^Send a test event$/, /^Rotate the secret$/],
  ({ delivery_id }) => [`/webhooks/${delivery_id}`],
  () => ['/settings', /^End the session/],
  () => ['/settings/people', /^Invite a person$/, /^Change /, /^Make a new link/, /^Remove /],
  () => ['/settings/keys', /^Create a key$/, /^Revoke /],
  () => ['/settings/assistants'],
  () => ['/settings/credits'],
  () => ['/settings/keeping'],
  () => ['/settings/audit'],
];

describeInBrowser('Every page and dialog of the console', () => {
  let site: TestConsole;
  let ids: ResourceIds;
  let page: Page;

  beforeAll(async () => {
    site = await TestConsole.start();
    const things = await createResources({ api: site.api } as TestWorkspace);
    const agent = { type: 'outbound', name: 'Front desk', prompt: 'Ask for the day.\n'.repeat(40) };
    await site.api.put(`/api/agents/${things.agent_id}`, agent);
    const analysis = exampleBody('PUT /api/agents/{agent_id}/analysis', 'application/json', things);
    await site.api.put(`/api/agents/${things.agent_id}/analysis`, analysis);
    const waiting = { windows: JSON.stringify(closedNow()) };
    const campaign_id = await createCampaign(site.api, things.agent_id as string, recipientsFile(3), waiting);
    ids = { ...things, campaign_id };
    page = await site.open(await site.browser.newContext(), '/');
  });
  afterAll(() => site?.stop());

  async function problems(within?: string): Promise<string[]> {
    const found: string[] = [];
    for (const { width, colorScheme, rules } of LOOKS) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      const scroll = await page.evaluate<number>('document.documentElement.scrollWidth');
      if (scroll !== width) found.push(`${width} px: the page is ${scroll} px wide`);
      const scrolling = width > 768 ? [] : await page.evaluate<string[]>(findScrolling(width === 320));
      found.push(...scrolling.map((name) => `${width} px: the table ${name} scrolls sideways`));
      if (rules?.length === 0) continue;
      const here = await accessibilityProblems(page, { within, rules });
      found.push(...here.map((problem) => `${width} px, ${colorScheme}: ${problem}`));
    }
    return found;
  }

  test.each(PAGES.map((getPage) => [getPage({})[0].replaceAll('undefined', ':id'), getPage] as const))(
    'is accessible at all widths in both themes and with the keyboard alone, fits and logs no error: %s',
    async (_, getPage) => {
      const [path, ...openers] = getPage(ids);
      await page.setViewportSize({ width: 1_280, height: 900 });
      await page.goto(site.server.url + path);
      await page.locator('h1').waitFor();
      await until(async () => (await page.getByText('Loading').count()) === 0);
      expect(await problems()).toEqual([]);

      for (const name of openers) {
        await page.setViewportSize({ width: 1_280, height: 900 });
        const opener = page.getByRole('button', { name }).first();
        await opener.press('Enter');
        await page.getByRole('dialog').waitFor();
        await until(async () => (await page.getByText('Loading').count()) === 0);
        expect([name, await problems('dialog')]).toEqual([name, []]);
        expect([name, await walkWithTab(page, 'dialog')]).toEqual([name, []]);
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'detached' });
        expect([name, await hasFocus(opener)]).toEqual([name, true]);
      }

      await page.setViewportSize({ width: 1_280, height: 900 });
      await unfold(page);
      expect(await walkWithTab(page)).toEqual([]);
      expect(await walkThroughLists(page)).toEqual([]);
      expect(site.complaints()).toEqual([]);
    },
    120_000,
  );
});

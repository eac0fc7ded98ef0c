import type { Locator, Page } from 'playwright-core';

/** The parts of a page that show more when they are opened. */
const FOLDS = 'main :is(summary, [aria-expanded=false]):visible';

/** Notes each element that gets the focus, whether it shows so, and which controls never get it. */
const OBSERVER = `(() => {
  if (window.keyboardWalk) return;
  const NATIVE = 'a[href], button, input, select, textarea, summary, audio, video';
  const SMALLEST_PX = 8;
  const describe = (element) => {
    const text = element.ariaLabel || element.labels?.[0]?.textContent || element.textContent || element.name || '';
    return element.localName + ' "' + text.trim().replace(/\\s+/g, ' ').slice(0, 50) + '"';
  };
  const isShown = (element) => {
    const { width, height } = element.getBoundingClientRect();
    return width >= SMALLEST_PX && height >= SMALLEST_PX && getComputedStyle(element).clipPath === 'none';
  };
  const hasOutline = (element) => {
    if (!isShown(element)) return false;
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1;
  };
  const parentOf = (element) => element.parentElement ?? element.getRootNode().host;
  // An element may show the focus on the frame around it or on the picture beside it.
  const showsFocus = (element) =>
    hasOutline(element) ||
    (element.nextElementSibling && hasOutline(element.nextElementSibling)) ||
    [parentOf(element), parentOf(parentOf(element))].some(hasOutline);
  const isCovered = (element) => {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    const [x1, x2] = [left, right].map((x) => Math.min(Math.max(x, 0), innerWidth));
    const [y1, y2] = [top, bottom].map((y) => Math.min(Math.max(y, 0), innerHeight));
    return [0.1, 0.5, 0.9].flatMap((x) => [0.1, 0.5, 0.9].map((y) => [x, y])).every(([x, y]) => {
      const hit = element.getRootNode().elementFromPoint(x1 + x * (x2 - x1), y1 + y * (y2 - y1));
      return !(hit && (element.contains(hit) || hit.contains(element) || element.labels?.[0]?.contains(hit)));
    });
  };
  const all = (root) =>
    [...root.querySelectorAll('*')].flatMap((element) => [element, ...(element.shadowRoot ? all(element.shadowRoot) : [])]);
  const walk = { seen: new Set(), problems: [], last: undefined, steps: 0 };
  // The browser scrolls to an element after it has the focus, and an editor shows its frame later.
  const leave = () => {
    const { last } = walk;
    if (!last?.isConnected) return;
    if (!showsFocus(last)) walk.problems.push('shows no focus: ' + describe(last));
    else if (isCovered(last)) walk.problems.push('is covered: ' + describe(last));
    walk.last = undefined;
  };
  window.addEventListener('keydown', leave, true);
  window.addEventListener('focusin', (event) => {
    const element = event.composedPath()[0];
    walk.steps += 1;
    walk.last = element;
    walk.seen.add(element);
  }, true);
  walk.begin = () => Object.assign(walk, { seen: new Set(), problems: [], last: undefined, steps: 0 });
  walk.finish = (root) => {
    for (const element of all(root)) {
      if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) || element.matches(':disabled, [inert] *')) continue;
      const isNative = element.matches(NATIVE) && (!element.matches('audio, video') || element.controls);
      if (element.tabIndex > 0) walk.problems.push('is out of order: ' + describe(element));
      if (element.tabIndex < 0 || (!isNative && !element.hasAttribute('tabindex') && !element.isContentEditable)) {
        if (isNative && !element.closest('[role=grid]')) walk.problems.push('is left out by Tab: ' + describe(element));
        const onlyHere = getComputedStyle(element).cursor === 'pointer' && getComputedStyle(element.parentElement ?? element).cursor !== 'pointer';
        // The link in the first cell of a row, behind the cell of its checkbox, opens the same page.
        const hasLink = element.matches('tr:has(td:nth-of-type(-n + 2) a[href])');
        if (onlyHere && !hasLink && !element.closest('a, button, label, summary, svg, [role=grid]')) walk.problems.push('is only for the mouse: ' + describe(element));
        continue;
      }
      const radios = element.type === 'radio' && [...root.querySelectorAll('input[type=radio]')].filter(({ name }) => name === element.name);
      if (!(radios || [element]).some((one) => walk.seen.has(one))) walk.problems.push('is not reached: ' + describe(element));
    }
    return walk.problems;
  };
  window.keyboardWalk = walk;
})()`;

/** More than a page of the console has stops, with those inside of a player and of the fields of times. */
const MOST_STEPS = 1_200;
const STEPS_AT_ONCE = 40;

const pressTab = (page: Page, times: number) =>
  Promise.all(Array.from({ length: Math.max(times, 0) }, () => page.keyboard.press('Tab')));

const finishWithin = (selector: string) =>
  `window.keyboardWalk.finish(document.querySelector('${selector}'))`;

/**
 * Leads the focus through a page with Tab.
 * @param within a selector of the part that is checked, such as an open dialog
 * @returns the controls that Tab does not reach, or that do not show their focus
 */
export async function walkWithTab(page: Page, within = 'body'): Promise<string[]> {
  await page.evaluate(OBSERVER);
  const isRound = 'window.keyboardWalk.steps > window.keyboardWalk.seen.size';
  await page.evaluate('window.keyboardWalk.begin()');
  for (let steps = 0; steps < MOST_STEPS; steps += STEPS_AT_ONCE) {
    await pressTab(page, STEPS_AT_ONCE);
    if (await page.evaluate<boolean>(isRound)) return page.evaluate<string[]>(finishWithin(within));
  }
  const stuck = await page.evaluate<string>('document.activeElement.outerHTML.slice(0, 200)');
  return [`Tab does not come to the end: ${stuck}`];
}

/** Opens all folded parts of a page with Enter. */
export async function unfold(page: Page): Promise<void> {
  for (const fold of await page.locator(FOLDS).elementHandles()) await fold.press('Enter');
}

/** Opens each list of choices of a page with Enter, leads through it and closes it. @returns the problems */
export async function walkThroughLists(page: Page): Promise<string[]> {
  const found: string[] = [];
  const list = page.locator(':popover-open');
  const hasOpened = page.locator(':popover-open:focus-within');
  for (const button of await page.locator('[popovertarget]:visible').all()) {
    const name = await button.innerText();
    await page.evaluate('window.keyboardWalk.begin()');
    await button.press('Enter');
    await hasOpened.waitFor();
    const stops = await list.locator('input, a, button').count();
    await pressTab(page, stops - 1);
    found.push(...(await page.evaluate<string[]>(finishWithin(':popover-open'))));
    await page.keyboard.press('Escape');
    if (!(await hasFocus(button))) found.push(`does not get the focus back: ${name}`);
    await page.keyboard.press('Enter');
    await hasOpened.waitFor();
    // Behind the last control of a page, the focus goes to the browser first.
    await pressTab(page, Math.max(stops, 1) + 1);
    if ((await list.count()) > 0) found.push(`stays open: ${name}`);
  }
  return found;
}

export const hasFocus = async (control: Locator): Promise<boolean> =>
  (await control.and(control.page().locator(':focus')).count()) === 1;

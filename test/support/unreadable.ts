import type { Page } from 'playwright-core';

/**
 * Finds shown elements whose text a person cannot read as a whole: it is cut off, is outside of the window, or lies over
 * that of another of the elements.
 * @param selectors of the elements, of which none is within another
 * @returns the texts, each with the reason
 */
export const findUnreadable = (page: Page, ...selectors: string[]): Promise<string[]> =>
  page.evaluate<string[]>(`(() => {
    // Elements that are only for screen readers are one pixel wide and high.
    const isShown = (element) => element.clientWidth > 1 || element.getBoundingClientRect().width > 1;
    // Text above and below can be scrolled to. Beside, nobody looks for it.
    const isCut = (element) => {
      const { scrollWidth, clientWidth, scrollHeight, clientHeight } = element;
      const { overflowX, overflowY } = getComputedStyle(element);
      return (
        clientWidth > 1 &&
        ((overflowX !== 'visible' && scrollWidth > clientWidth) ||
          (['hidden', 'clip'].includes(overflowY) && scrollHeight > clientHeight))
      );
    };
    const listAround = (element) =>
      element === document.body ? [] : [element, ...listAround(element.parentElement)];
    const getBox = (element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      const boxes = [element, range].map((each) => each.getBoundingClientRect()).filter(({ width }) => width > 0);
      const [lefts, tops, rights, bottoms] = ['left', 'top', 'right', 'bottom'].map((side) => boxes.map((box) => box[side]));
      return { left: Math.min(...lefts), top: Math.min(...tops), right: Math.max(...rights), bottom: Math.max(...bottoms) };
    };
    const overlap = (one, other) =>
      Math.min(one.right, other.right) - Math.max(one.left, other.left) > 0.5 &&
      Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 0.5;
    const selectors = ${JSON.stringify(selectors)};
    const listShown = (selector) => [...document.querySelectorAll(selector)].filter(isShown);
    const missing = selectors.filter((selector) => listShown(selector).length === 0);
    if (missing.length > 0) return missing.map((selector) => 'is not shown: ' + selector);
    const parts = listShown(selectors.join(', '))
      .map((element) => ({ element, box: getBox(element), text: (element.ariaLabel ?? element.innerText).replace(/\\s+/g, ' ') }));
    return parts.flatMap(({ element, box, text }) => {
      const reasons = [];
      const related = [...element.querySelectorAll('*'), ...listAround(element)];
      if (related.some(isCut)) reasons.push('is cut off: ' + text);
      if (box.left < 0 || box.right > document.documentElement.clientWidth) reasons.push('is outside: ' + text);
      for (const other of parts)
        if (other.element !== element && overlap(box, other.box)) reasons.push('lies over ' + other.text + ': ' + text);
      return reasons;
    });
  })()`);

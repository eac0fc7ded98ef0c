/** The part of linkedom's elements that is used here; its own types are those of an ES module and of a browser. */
interface PageElement {
  readonly tagName: string;
  readonly nodeType: number;
  readonly id: string;
  readonly childNodes: Iterable<unknown>;
  readonly textContent: string | null;
  readonly parentElement: PageElement | null;
  readonly nextElementSibling: PageElement | null;
  getAttribute(name: string): string | null;
  hasAttribute(name: string): boolean;
  removeAttribute(name: string): void;
  append(...nodes: unknown[]): void;
  replaceWith(element: PageElement): void;
  remove(): void;
}

export interface Page {
  readonly documentElement: PageElement | null;
  createElement(name: string): PageElement;
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): Iterable<PageElement>;
  toString(): string;
}

/** The attributes of Bootstrap 5 and 4 that say what a control opens, and where it is; a link may name it in `href`. */
const TOGGLES = ['data-bs-toggle', 'data-toggle'];
const TARGETS = ['data-bs-target', 'data-target', 'href'];

/** The toggles of panels in Bootstrap. Others open menus and dialogs, or show hints. */
const PANEL_TOGGLES = ['collapse', 'tab', 'pill', 'list'];

const BOOTSTRAP = TOGGLES.flatMap((name) => PANEL_TOGGLES.map((kind) => `[${name}=${kind}]`));

/** Controls of panels. One with `aria-haspopup` opens a menu or a dialog, and no part of the text. */
const CONTROL =
  ':is(button, a, summary, [role=button], [role=tab])' +
  `:is([aria-controls], [aria-expanded], ${BOOTSTRAP.join(', ')}):not([aria-haspopup])`;

const [ELEMENT_NODE, TEXT_NODE] = [1, 3];

/** Elements by their names or roles: those with links instead of text, and those of headings. */
const MENUS = ['nav', 'dialog', 'menu', 'navigation', 'listbox'];
const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'dt'];

const HEADING = `:is(${HEADINGS.join(', ')}, summary, [role=heading])`;

const HIDING_STYLE = /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)\b/i;

/** Whether an element hides itself. The main part of a page is found by the same rules. */
const isHidden = (element: PageElement) =>
  element.hasAttribute('hidden') ||
  element.getAttribute('aria-hidden') === 'true' ||
  HIDING_STYLE.test(element.getAttribute('style') ?? '');

const isOneOf = (names: string[]) => (element: PageElement) =>
  names.includes(element.tagName.toLowerCase()) || names.includes(element.getAttribute('role') ?? '');

/** The element itself or the nearest one around it that passes; `closest` would parse its selector each time. */
function findAround(element: PageElement, passes: (each: PageElement) => boolean): PageElement | null {
  let each: PageElement | null = element;
  while (each && !passes(each)) each = each.parentElement;
  return each;
}

const findHeading = (element: PageElement) => findAround(element, isOneOf([...HEADINGS, 'heading']));

/** The class is removed, too: a name such as "hidden" counts against a part of a page when its main part is found. */
function show(panel: PageElement): void {
  for (const name of ['hidden', 'aria-hidden', 'style', 'class']) panel.removeAttribute(name);
}

/** The main part of a page is found by names, and a question in "accordion-header" would be left out as a header. */
function forgetNames(element: PageElement): void {
  for (const name of ['class', 'id']) element.removeAttribute(name);
}

/** Measures texts without their spaces. It visits each element once, however many elements around it are measured. */
function measureTexts(): (element: PageElement) => number {
  const lengths = new Map<PageElement, number>();
  const measure = (element: PageElement): number => {
    let length = lengths.get(element);
    if (length === undefined) {
      length = 0;
      for (const node of element.childNodes as Iterable<PageElement>) {
        if (node.nodeType === ELEMENT_NODE) length += measure(node);
        else if (node.nodeType === TEXT_NODE) length += node.textContent?.replace(/\s+/g, '').length ?? 0;
      }
      lengths.set(element, length);
    }
    return length;
  };
  return measure;
}

const firstWord = (text: string | null) => text?.trim().split(/\s+/, 1)[0] ?? '';

/** The id of the panel that a control of Bootstrap names; empty if it names none. */
function readTarget(control: PageElement): string {
  if (!TOGGLES.some((name) => PANEL_TOGGLES.includes(control.getAttribute(name) ?? ''))) return '';
  const target = TARGETS.map((name) => firstWord(control.getAttribute(name))).find(Boolean) ?? '';
  return target.startsWith('#') ? target.slice(1) : '';
}

/** The panel below a heading, which is the next element after it or after what contains nothing else. */
function nextPanel(heading: PageElement, measure: (element: PageElement) => number): PageElement | null {
  let above = heading;
  while (!above.nextElementSibling && above.parentElement) {
    if (measure(above.parentElement) !== measure(above)) return null;
    above = above.parentElement;
  }
  return above.nextElementSibling;
}

function replaceBy(name: string, element: PageElement, document: Page): void {
  const replacement = document.createElement(name);
  replacement.append(...element.childNodes);
  element.replaceWith(replacement);
}

/**
 * Makes text of the panels that a visitor opens, such as answers to frequent questions, and of the buttons that open
 * them (www.w3.org/WAI/ARIA/apg/patterns/accordion). A panel is what a shown control names, what follows its heading,
 * or what browsers find within (`hidden="until-found"`). Headings are text, whatever their names.
 */
export function showPanels(document: Page): void {
  const byId = new Map(
    Array.from(document.querySelectorAll('[id]:not([id=""])'), (element) => [element.id, element]),
  );
  const measure = measureTexts();
  for (const panel of document.querySelectorAll('[hidden="until-found"]')) show(panel);
  for (const control of document.querySelectorAll(CONTROL)) {
    const heading = findHeading(control);
    const others = heading ? MENUS : [...MENUS, 'header', 'footer'];
    if (findAround(control, (each) => isHidden(each) || isOneOf(others)(each))) continue;
    const panel =
      byId.get(firstWord(control.getAttribute('aria-controls'))) ??
      byId.get(readTarget(control)) ??
      (heading && nextPanel(heading, measure));
    if (!panel || findAround(panel, isOneOf(MENUS))) continue;
    show(panel);
    const question = heading ?? control;
    const length = measure(question);
    findAround(question, (each) => {
      if (each.tagName === 'BODY' || measure(each) > length) return true;
      forgetNames(each);
      return false;
    });
    if (control.tagName === 'A') replaceBy('span', control, document);
    else if (!heading && control.tagName === 'BUTTON') replaceBy('p', control, document);
  }
  for (const heading of document.querySelectorAll(HEADING)) forgetNames(heading);
  for (const button of document.querySelectorAll('button')) {
    if (findHeading(button)) replaceBy('span', button, document);
  }
}

/** Removes what the page hides, such as a text that only a model would read. A script shows the page as a whole. */
export function removeHidden(document: Page): void {
  for (const element of document.querySelectorAll('[hidden], [style], [aria-hidden]')) {
    if (isHidden(element) && !isOneOf(['html', 'body'])(element)) element.remove();
  }
}

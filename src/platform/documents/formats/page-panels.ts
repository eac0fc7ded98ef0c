import {
  findAround,
  isHidden,
  isOneOf,
  type Measure,
  measureTexts,
  type Page,
  type PageElement,
  replaceBy,
} from './page-element';

/** The attributes of Bootstrap 5 and 4 that say what a control opens, and where it is; a link may name it in `href`. */
const TOGGLES = ['data-bs-toggle', 'data-toggle'];
const TARGETS = ['data-bs-target', 'data-target', 'href'];

/** The toggles of panels in Bootstrap. Others open menus and dialogs, or show hints. */
const PANEL_TOGGLES = ['collapse', 'tab', 'pill', 'list'];

/** Elements that may open a panel. One with `aria-haspopup` opens a menu or a dialog, and no part of the text. */
const CONTROL = ':is(button, a, summary, [role=button], [role=tab]):not([aria-haspopup])';

const FOUND_WITHIN = '[hidden="until-found" i]';
const LABELLED_PANEL = ':is([role=tabpanel], [role=region])[aria-labelledby]';

/** A plain button with such a class opens what follows it: a script finds it by its class only. */
const ACCORDION_CLASS = /accordion|collapsib|faq/i;

/** The question, its name and its answer in the microdata of schema.org/FAQPage. */
const QUESTION_TYPE = 'schema.org/question';
const QUESTION = `[itemtype*="${QUESTION_TYPE}" i]`;
const NAME = `${QUESTION} [itemprop~=name]`;
const NAMED_BUTTON = `${NAME} button, ${QUESTION} button:is([itemprop~=name], :has([itemprop~=name]))`;
const ANSWER = `${QUESTION} :is([itemprop~=acceptedAnswer], [itemprop~=acceptedAnswer] [itemprop~=text])`;

/** Elements by their names or roles: those with links instead of text, and those of headings. */
const MENUS = ['nav', 'dialog', 'menu', 'navigation', 'listbox'];
const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'dt'];

const HEADING = `:is(${HEADINGS.join(', ')}, summary, [role=heading])`;

const isButton = ({ tagName }: PageElement) => tagName === 'BUTTON';

const isInMenu = (element: PageElement) => findAround(element, isOneOf(MENUS)) !== null;

const findHeading = (element: PageElement) => findAround(element, isOneOf([...HEADINGS, 'heading']));

/** The class is removed, too: a name such as "hidden" counts against a part of a page when its main part is found. */
function show(panel: PageElement): void {
  for (const name of ['hidden', 'aria-hidden', 'style', 'class']) panel.removeAttribute(name);
}

/** The main part of a page is found by names, and a question in "accordion-header" would be left out as a header. */
function forgetNames(element: PageElement): void {
  for (const name of ['class', 'id']) element.removeAttribute(name);
}

/** Forgets the names of a question and of the elements that contain nothing else. */
function keepQuestion(question: PageElement, measure: Measure): void {
  const { text } = measure(question);
  findAround(question, (each) => {
    if (each.tagName === 'BODY' || measure(each).text > text) return true;
    forgetNames(each);
    return false;
  });
}

const firstWord = (text: string | null) => text?.trim().split(/\s+/, 1)[0] ?? '';

const isBootstrapControl = (control: PageElement) =>
  TOGGLES.some((name) => PANEL_TOGGLES.includes(control.getAttribute(name) ?? ''));

/** The id of the panel that a control of Bootstrap names; empty if it names none. */
function readTarget(control: PageElement): string {
  if (!isBootstrapControl(control)) return '';
  const target = TARGETS.map((name) => firstWord(control.getAttribute(name))).find(Boolean) ?? '';
  return target.startsWith('#') ? target.slice(1) : '';
}

/** The panel below a heading, which is the next element after it or after what contains nothing else. */
function nextPanel(heading: PageElement, measure: Measure): PageElement | null {
  let above = heading;
  while (!above.nextElementSibling && above.parentElement) {
    if (measure(above.parentElement).text !== measure(above).text) return null;
    above = above.parentElement;
  }
  return above.nextElementSibling;
}

/** The panel of a control that is alone with it in an item of a list, or in one of several such elements. */
function panelOfItem(control: PageElement, measure: Measure): PageElement | null {
  const { parentElement: item, nextElementSibling: panel } = control;
  if (!item || !panel || panel.nextElementSibling || control.previousElementSibling) return null;
  const beside = [item.nextElementSibling, item.previousElementSibling];
  const isRepeated = beside.some((other) => other?.firstElementChild?.hasAttribute('aria-expanded'));
  if (item.tagName !== 'LI' && !isRepeated) return null;
  const { text, links } = measure(panel);
  const isMenu = links > text / 2;
  return isMenu || measure(item).text > measure(control).text + text ? null : panel;
}

/** Returns a function that finds the panel of a control. */
function indexPanels(document: Page, measure: Measure): (control: PageElement) => PageElement | null {
  const byId = new Map(
    Array.from(document.querySelectorAll('[id]:not([id=""])'), (element) => [element.id, element]),
  );
  const byControl = new Map<PageElement, PageElement>();
  for (const panel of document.querySelectorAll(FOUND_WITHIN)) {
    const above = panel.previousElementSibling;
    if (above && isButton(above)) byControl.set(above, panel);
  }
  for (const panel of document.querySelectorAll(LABELLED_PANEL)) {
    const label = byId.get(firstWord(panel.getAttribute('aria-labelledby')));
    if (label) byControl.set(label, panel);
  }
  return (control) => {
    const named =
      byId.get(firstWord(control.getAttribute('aria-controls'))) ??
      byId.get(readTarget(control)) ??
      byId.get(control.getAttribute('popovertarget') ?? '') ??
      byControl.get(control);
    if (named) return named;
    const isExpanded = control.hasAttribute('aria-expanded');
    if (isExpanded || control.hasAttribute('aria-controls') || isBootstrapControl(control)) {
      const heading = findHeading(control);
      if (heading) return nextPanel(heading, measure);
    }
    const next = control.nextElementSibling;
    if (!next || !isButton(control) || isButton(next)) return null;
    if (ACCORDION_CLASS.test(control.getAttribute('class') ?? '')) return next;
    return isExpanded ? panelOfItem(control, measure) : null;
  };
}

/** Shows the answers of schema.org's questions, whatever hides them within the question. */
function showAnswers(document: Page, measure: Measure): void {
  for (const name of document.querySelectorAll(NAME)) {
    if (!findAround(name, isHidden)) keepQuestion(name, measure);
  }
  const isQuestion = (each: PageElement) =>
    each.getAttribute('itemtype')?.toLowerCase().includes(QUESTION_TYPE) ?? false;
  for (const answer of document.querySelectorAll(ANSWER)) {
    if (isInMenu(answer)) continue;
    findAround(answer, (each) => {
      if (isQuestion(each)) return true;
      if (isHidden(each)) show(each);
      return false;
    });
  }
  for (const button of document.querySelectorAll(NAMED_BUTTON)) {
    if (!findHeading(button)) replaceBy('p', button, document);
  }
}

/**
 * Makes text of the panels that a visitor opens, such as answers to frequent questions, and of the buttons that open
 * them (www.w3.org/WAI/ARIA/apg/patterns/accordion). A panel is what a shown control names, what follows its heading,
 * or what browsers find within (`hidden="until-found"`). Headings are text, whatever their names.
 */
export function showPanels(document: Page): void {
  const measure = measureTexts();
  const findPanel = indexPanels(document, measure);
  for (const panel of document.querySelectorAll(FOUND_WITHIN)) show(panel);
  const panels = Array.from(
    document.querySelectorAll(CONTROL),
    (control) => [control, findPanel(control)] as const,
  );
  for (const [control, panel] of panels) {
    if (!panel || isInMenu(panel)) continue;
    const heading = findHeading(control);
    const others = heading ? MENUS : [...MENUS, 'header', 'footer'];
    if (findAround(control, (each) => isHidden(each) || isOneOf(others)(each))) continue;
    // It is a menu more often than other panels, and its class may say so.
    if (!panel.hasAttribute('popover')) show(panel);
    keepQuestion(heading ?? control, measure);
    if (control.tagName === 'A') replaceBy('span', control, document);
    else if (!heading && isButton(control)) replaceBy('p', control, document);
  }
  showAnswers(document, measure);
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

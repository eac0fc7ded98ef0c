/** The part of linkedom's elements that is used here; its own types are those of an ES module and of a browser. */
export interface PageElement {
  readonly tagName: string;
  readonly nodeType: number;
  readonly id: string;
  readonly childNodes: Iterable<unknown>;
  readonly textContent: string | null;
  readonly parentElement: PageElement | null;
  readonly firstElementChild: PageElement | null;
  readonly nextElementSibling: PageElement | null;
  readonly previousElementSibling: PageElement | null;
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

const [ELEMENT_NODE, TEXT_NODE] = [1, 3];

const HIDING_STYLE = /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)\b/i;

/** Whether an element hides itself. The main part of a page is found by the same rules. */
export const isHidden = (element: PageElement) =>
  element.hasAttribute('hidden') ||
  element.getAttribute('aria-hidden') === 'true' ||
  HIDING_STYLE.test(element.getAttribute('style') ?? '');

/** Whether an element has one of these names or roles. */
export const isOneOf = (names: string[]) => (element: PageElement) =>
  names.includes(element.tagName.toLowerCase()) || names.includes(element.getAttribute('role') ?? '');

/** The element itself or the nearest one around it that passes; `closest` would parse its selector each time. */
export function findAround(element: PageElement, passes: (each: PageElement) => boolean): PageElement | null {
  let each: PageElement | null = element;
  while (each && !passes(each)) each = each.parentElement;
  return each;
}

export function replaceBy(name: string, element: PageElement, document: Page): void {
  const replacement = document.createElement(name);
  replacement.append(...element.childNodes);
  element.replaceWith(replacement);
}

/** The lengths of a text and of the links in it, without spaces. */
interface TextLengths {
  text: number;
  links: number;
}

export type Measure = (element: PageElement) => TextLengths;

/** Measures texts. Each element is visited once, however many elements around it are measured. */
export function measureTexts(): Measure {
  const known = new Map<PageElement, TextLengths>();
  const measure = (element: PageElement): TextLengths => {
    const before = known.get(element);
    if (before) return before;
    const lengths = { text: 0, links: 0 };
    for (const node of element.childNodes as Iterable<PageElement>) {
      if (node.nodeType === ELEMENT_NODE) {
        const { text, links } = measure(node);
        lengths.text += text;
        lengths.links += links;
      } else if (node.nodeType === TEXT_NODE) {
        lengths.text += node.textContent?.replace(/\s+/g, '').length ?? 0;
      }
    }
    if (element.tagName === 'A') lengths.links = lengths.text;
    known.set(element, lengths);
    return lengths;
  };
  return measure;
}

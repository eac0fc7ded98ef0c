import { Readability } from '@mozilla/readability';
import { convert, type HtmlToTextOptions } from 'html-to-text';
import { MarkupScan, MAX_NESTING } from './markup-scan';

/** Beyond either, looking for the main part takes many seconds: it looks at every element again and again, and upwards. */
const MAX_FOR_MAIN_PART = { parts: 100_000, depths: 1_000_000 };

/** A table's columns are aligned in time that grows with the square of its width. */
const MAX_ALIGNED_CELLS = 20_000;

const asWritten = { options: { uppercase: false } };

const optionsFor = ({ cells }: MarkupScan): HtmlToTextOptions => ({
  wordwrap: false,
  // The scan has refused what is deeper; finding the main part wraps a few elements more around others.
  limits: { maxDepth: 2 * MAX_NESTING, maxInputLength: Infinity },
  selectors: [
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, ...asWritten })),
    { selector: 'a', options: { ignoreHref: true } },
    ...(cells > MAX_ALIGNED_CELLS
      ? [
          { selector: 'tr', format: 'block', options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
          ...['td', 'th'].map((selector) => ({
            selector,
            format: 'inlineSurround',
            options: { prefix: '', suffix: '   ' },
          })),
        ]
      : [{ selector: 'table', format: 'dataTable', options: { uppercaseHeaderCells: false } }]),
    ...['img', 'nav', 'script', 'style', 'noscript', 'template', 'svg', 'form'].map((selector) => ({
      selector,
      format: 'skip',
    })),
  ],
});

function scan(html: string): MarkupScan {
  const found = new MarkupScan();
  found.write(html);
  found.end();
  return found;
}

/** @throws Unreadable where it is nested too deeply or is too much */
export const htmlToText = (html: string): string => convert(html, optionsFor(scan(html)));

interface Page {
  documentElement: unknown;
  querySelector(selector: string): { textContent: string | null } | null;
}

/** What we need of linkedom, whose own types are those of an ES module and of a browser. */
interface LinkedomModule {
  parseHTML(html: string): { document: Page };
}

/** It changes the document, so what is left of it is not to be used again. */
function mainPartOf(document: Page): string {
  try {
    return new Readability<string>(document, { charThreshold: 200 }).parse()?.content ?? '';
  } catch {
    // It stumbles over what is no whole page, such as elements without a body around them.
    return '';
  }
}

/**
 * The main text of a page without its navigation and decoration; all of its text where no main part stands out.
 * @throws Unreadable where it is nested too deeply or is too much
 */
export async function mainTextOf(html: string): Promise<string> {
  const { parts, depths } = scan(html);
  if (parts > MAX_FOR_MAIN_PART.parts || depths > MAX_FOR_MAIN_PART.depths) return htmlToText(html);
  const linkedom = (await import('linkedom')) as unknown as LinkedomModule;
  const { document } = linkedom.parseHTML(html);
  // A text without a single tag.
  if (!document.documentElement) return htmlToText(html);
  const title = document.querySelector('title')?.textContent?.trim() ?? '';
  const text = htmlToText(mainPartOf(document) || html);
  return title === '' || text.startsWith(title) ? text : `${title}\n\n${text}`;
}

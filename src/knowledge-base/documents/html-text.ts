import { Readability } from '@mozilla/readability';
import { convert, type HtmlToTextOptions } from 'html-to-text';

const MAX_NESTING = 200;

const asWritten = { options: { uppercase: false } };

const OPTIONS: HtmlToTextOptions = {
  wordwrap: false,
  limits: { maxDepth: MAX_NESTING },
  selectors: [
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, ...asWritten })),
    { selector: 'a', options: { ignoreHref: true } },
    { selector: 'table', format: 'dataTable', options: { uppercaseHeaderCells: false } },
    ...['img', 'nav', 'script', 'style', 'noscript', 'template', 'svg', 'form'].map((selector) => ({
      selector,
      format: 'skip',
    })),
  ],
};

export const htmlToText = (html: string): string => convert(html, OPTIONS);

interface Found {
  textContent: string | null;
}

/** What we need of linkedom, whose own types are those of an ES module and of a browser. */
interface LinkedomModule {
  parseHTML(html: string): {
    document: { documentElement: unknown; querySelector(selector: string): Found | null };
  };
}

/** The main text of a page without its navigation and decoration; all of its text where no main part stands out. */
export async function mainTextOf(html: string): Promise<string> {
  const linkedom = (await import('linkedom')) as unknown as LinkedomModule;
  const { document } = linkedom.parseHTML(html);
  // A text without a single tag.
  if (!document.documentElement) return htmlToText(html);
  const title = document.querySelector('title')?.textContent?.trim() ?? '';
  // It changes the document that it reads, so what is left of it is not used again.
  const article = new Readability<string>(document, { charThreshold: 200 }).parse();
  const text = htmlToText(article?.content || html);
  return title === '' || text.startsWith(title) ? text : `${title}\n\n${text}`;
}

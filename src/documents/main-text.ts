import { Readability } from '@mozilla/readability';
import { UnreadableDocumentError } from './unreadable-document.error';
import { htmlToText, scan } from './html-text';

/** Beyond either, looking for the main part takes many seconds: it looks at every element again and again, and upwards. */
const MAX_FOR_MAIN_PART = { parts: 100_000, depths: 1_000_000 };

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
 * @throws Unreadable where it has a title at most, is nested too deeply or is too much
 */
export async function mainTextOf(html: string): Promise<string> {
  const { parts, depths } = scan(html);
  if (parts > MAX_FOR_MAIN_PART.parts || depths > MAX_FOR_MAIN_PART.depths) return htmlToText(html);
  const linkedom = (await import('linkedom')) as unknown as LinkedomModule;
  const { document } = linkedom.parseHTML(html);
  // A text without a single tag.
  if (!document.documentElement) return htmlToText(html);
  const title = document.querySelector('title')?.textContent?.trim() ?? '';
  const text = htmlToText(mainPartOf(document)) || htmlToText(html);
  if (text.trim() === '')
    throw new UnreadableDocumentError('it has no text; perhaps scripts would make it, which are not run');
  return title === '' || text.startsWith(title) ? text : `${title}\n\n${text}`;
}

import { Readability } from '@mozilla/readability';
import { ForwardingPageError } from '../forwarding-page.error';
import { UnreadableDocumentError } from '../unreadable-document.error';
import { findForward } from './find-forward';
import { htmlToText, scan } from './html-text';
import type { Page } from './page-element';
import { removeHidden, showPanels } from './page-panels';

/**
 * Beyond these limits, finding the main part takes many seconds: it visits elements and their ancestors
 * repeatedly.
 */
const MAX_FOR_MAIN_PART = { parts: 100_000, depths: 1_000_000 };

/** A page with a longer text has content of its own. */
const MAX_FORWARDING_TEXT = 500;

/** The part of linkedom that is used here. */
interface LinkedomModule {
  parseHTML(html: string): { document: Page };
}

/** Finds the main part. It changes the document, which must not be used again. */
function findMainPart(document: Page): string {
  try {
    return new Readability<string>(document, { charThreshold: 200 }).parse()?.content ?? '';
  } catch {
    // The library throws for a fragment, such as elements without a body.
    return '';
  }
}

/**
 * The main text of a page without its navigation, its decoration and what it hides, or all of its text if it finds no
 * main part.
 * @param url its address; undefined for an uploaded file
 * @throws ForwardingPageError if it only forwards to another page
 * @throws UnreadableDocumentError if it has no text but a title, is nested too deeply or is too large
 */
export async function readMainText(html: string, url?: string): Promise<string> {
  const { parts, depths } = scan(html);
  if (parts > MAX_FOR_MAIN_PART.parts || depths > MAX_FOR_MAIN_PART.depths) return htmlToText(html);
  const linkedom = (await import('linkedom')) as unknown as LinkedomModule;
  const { document } = linkedom.parseHTML(html);
  // The text has no tag.
  if (!document.documentElement) return htmlToText(html);
  const title = document.querySelector('title')?.textContent?.trim() ?? '';
  const target = findForward(document, url);
  showPanels(document);
  removeHidden(document);
  const shown = document.toString();
  const text = htmlToText(findMainPart(document)) || htmlToText(shown) || htmlToText(html);
  if (target !== undefined && text.length < MAX_FORWARDING_TEXT) throw new ForwardingPageError(target);
  if (text.trim() === '')
    throw new UnreadableDocumentError('it has no text; text that scripts create is not read');
  return title === '' || text.startsWith(title) ? text : `${title}\n\n${text}`;
}

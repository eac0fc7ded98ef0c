import type { Page } from './page-element';

/** A page that waits longer, such as one that loads itself again, is there to be read. */
const MAX_SECONDS = 10;

const MAX_LENGTH = 2_000;

/** `5; url=/new`, as browsers read it (html.spec.whatwg.org, "shared declarative refresh steps"). */
const REFRESH = /^\s*(\d+)(?:\.[\d.]*)?[\s;,]+(?:url\s*=\s*)?(?:"([^"]*)|'([^']*)|(\S.*))/is;

/** An address as a browser understands it on a page; '' if it is none. Without a base, it is as it is written. */
function resolve(target: string, base: string): string {
  if (!URL.canParse(base)) return target;
  return URL.canParse(target, base) ? new URL(target, base).href : '';
}

const withoutFragment = (address: string) => address.split('#', 1)[0];

/**
 * Finds where a page forwards to by `<meta http-equiv="refresh">`, unless it forwards to itself.
 * @param url its address; undefined for an uploaded file
 */
export function findForward(document: Page, url = ''): string | undefined {
  const declared = document.querySelector('base[href]')?.getAttribute('href')?.trim() ?? '';
  const base = resolve(declared, url) || url;
  // A browser with scripts does not follow those in <noscript>.
  for (const meta of document.querySelectorAll('meta[http-equiv][content]:not(noscript *)')) {
    if (meta.getAttribute('http-equiv')?.toLowerCase() !== 'refresh') continue;
    const found = REFRESH.exec(meta.getAttribute('content')?.slice(0, MAX_LENGTH).toWellFormed() ?? '');
    if (!found || Number(found[1]) > MAX_SECONDS) continue;
    const target = resolve((found[2] ?? found[3] ?? found[4] ?? '').trim(), base);
    if (target !== '' && withoutFragment(target) !== withoutFragment(url)) return target;
  }
  return undefined;
}

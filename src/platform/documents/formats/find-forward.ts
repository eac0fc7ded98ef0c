import type { Page } from './page-element';

/** A page that waits longer, such as one that loads itself again, is there to be read. */
const MAX_SECONDS = 10;

const MAX_LENGTH = 2_000;

/** `5; url=/new`, as browsers read it (html.spec.whatwg.org, "shared declarative refresh steps"). */
const REFRESH = /^\s*(\d+)(?:\.[\d.]*)?[\s;,]+(?:url\s*=\s*)?(?:"([^"]*)|'([^']*)|(\S.*))/is;

/** The first statement of a script, which has no condition, if it goes to an address that is not computed. */
const LOCATION =
  /^\s*(?:<!--\s*)?(?:(?:window|document|self|top)\.)?location(?:(?:\.href)?\s*=|\.(?:replace|assign)\()\s*(?:"([^"\n]*)"|'([^'\n]*)')[^\S\n]*(?:[);}]|\n(?!\s*[+.])|$)/;

/** An address as a browser understands it on a page; '' if it is none. Without a base, it is as it is written. */
function resolve(target: string, base: string): string {
  if (!URL.canParse(base)) return target;
  return URL.canParse(target, base) ? new URL(target, base).href : '';
}

const withoutFragment = (address: string) => address.split('#', 1)[0];

/** A page that opens an application is still there to be read. */
const opensApplication = (target: string) =>
  URL.canParse(target) && !['http:', 'https:'].includes(new URL(target).protocol);

/** The address that `<meta http-equiv="refresh">` names; '' if there is none, or if browsers wait long. */
function readRefresh(content: string | null = ''): string {
  const found = REFRESH.exec(content?.slice(0, MAX_LENGTH).toWellFormed() ?? '');
  if (!found || Number(found[1]) > MAX_SECONDS) return '';
  return (found[2] ?? found[3] ?? found[4] ?? '').trim();
}

/** The addresses that a page forwards to, as they are written. */
function* findTargets(document: Page): Generator<string> {
  for (const meta of document.querySelectorAll('meta[http-equiv=refresh i][content]:not(noscript *)')) {
    yield readRefresh(meta.getAttribute('content'));
  }
  const scripts = Array.from(document.querySelectorAll('script:not([src])'), ({ textContent }) =>
    (textContent ?? '').slice(0, MAX_LENGTH).toWellFormed().replaceAll('\\/', '/'),
  );
  for (const script of scripts) {
    const found = LOCATION.exec(script);
    const target = (found?.[1] ?? found?.[2] ?? '').trim();
    if (!opensApplication(target)) yield target;
  }
  // A browser with scripts does not follow this, and applications send others to a page that asks for scripts.
  const meta = document.querySelector('noscript meta[http-equiv=refresh i][content]');
  const target = readRefresh(meta?.getAttribute('content'));
  const quoted = [`"${target}"`, `'${target}'`];
  if (scripts.some((script) => script.includes('location') && quoted.some((each) => script.includes(each)))) {
    yield target;
  }
}

/**
 * Finds where a page forwards to by `<meta http-equiv="refresh">` or by a script, unless it forwards to itself.
 * @param url its address; undefined for an uploaded file
 */
export function findForward(document: Page, url = ''): string | undefined {
  const declared = document.querySelector('base[href]')?.getAttribute('href')?.trim() ?? '';
  const base = resolve(declared, url) || url;
  for (const written of findTargets(document)) {
    const target = written === '' ? '' : resolve(written, base);
    if (target !== '' && withoutFragment(target) !== withoutFragment(url)) return target;
  }
  return undefined;
}

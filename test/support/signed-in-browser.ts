import type { BrowserContext, Page } from 'playwright-core';
import { TestBrowser } from './browser';
import type { TestParley } from './parley';
import { signInWith } from './signed-in';
import { useStarted } from './use-started';

interface SignedInBrowser {
  readonly browser: TestBrowser;
  /** The cookies of the current test. */
  readonly context: BrowserContext;
  /** Opens a page of the console. */
  readonly open: (path: string) => Promise<Page>;
}

/**
 * Starts a browser, which is signed in before each test, with cookies of the test's own. After a test, nothing may be
 * left in the console of the browser.
 * @param prepare creates or finds the workspace of a test
 */
export function useSignedInBrowser(
  parley: TestParley,
  prepare: () => Promise<{ apiKey: string }> | { apiKey: string },
): SignedInBrowser {
  const browser = useStarted(() => TestBrowser.start());
  let context: BrowserContext;
  beforeEach(async () => {
    const { apiKey } = await prepare();
    context = await browser.newContext();
    await signInWith(context, parley.url, apiKey);
  });
  afterEach(async () => {
    await context.close();
    expect(browser.complaints.splice(0)).toEqual([]);
  });
  return {
    browser,
    get context() {
      return context;
    },
    open: (path) => browser.open(context, parley.url + path),
  };
}

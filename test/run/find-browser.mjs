import { existsSync } from 'node:fs';

// The shell without a window takes two thirds of the time of the whole browser.
const BROWSERS = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** Finds the browser that opens the console: the one of CHROMIUM, else the one of the system. */
export const findBrowser = () => [process.env.CHROMIUM, ...BROWSERS].find((path) => path && existsSync(path));

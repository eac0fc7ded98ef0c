import type { INestApplication } from '@nestjs/common';
import express, { type Express, type Request, type Response } from 'express';
import { existsSync, readdirSync } from 'node:fs';
import { extname, join } from 'node:path';
import { type Config, getPublicUrl } from '../config';

/** The folder into which the build puts the page. It is missing where the sources are run as they are. */
const FOLDER = join(__dirname, '..', 'console');

/**
 * The page loads nothing from elsewhere but the recordings of calls, which runtimes keep where they like. It talks to voice
 * runtimes: the one in this process, whose address may have another name than the page has, and those of the settings.
 */
const contentSecurityPolicy = (voiceOrigins: string[]) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "media-src 'self' https:",
    ["connect-src 'self'", ...voiceOrigins].join(' '),
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ');

const webSocketOrigin = (url: string) => new URL(url).origin.replace(/^http/, 'ws');

/** The paths of the server itself. All others belong to the page, which shows what its address says. */
const IS_PAGE = /^\/(?!(api|oidc|docs|docs-json|docs-yaml|health|metrics|assets)(\/|$))[^.]*$/;

const YEAR_SECONDS = 31_536_000;

/** The build has compressed the files already; the ending of each encoding, the smallest first. */
const ENCODINGS = { br: '.br', gzip: '.gz' };

/** The files of the build have a hash of their content in their names. */
function setHeaders(response: Response, path: string) {
  const isAsset = path.startsWith(join(FOLDER, 'assets'));
  response.set('Cache-Control', isAsset ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache');
  if (isAsset) response.vary('Accept-Encoding');
  const encoding = Object.entries(ENCODINGS).find(([, ending]) => path.endsWith(ending));
  if (!encoding) return;
  const [name, ending] = encoding;
  response.set('Content-Encoding', name).type(extname(path.slice(0, -ending.length)));
}

/** Serves the console, a page that uses the REST API. @returns false if it has not been built */
export function serveConsole(app: INestApplication, config: Config): boolean {
  if (!existsSync(FOLDER)) return false;
  const files = express.static(FOLDER, { index: false, redirect: false, setHeaders });
  const assets = new Set(readdirSync(join(FOLDER, 'assets')).map((name) => `/assets/${name}`));
  // Only exactly these paths are files: the library decodes others, and %2e%2e would lead to the page without its
  // policy.
  const isFile = (path: string) => assets.has(path) || path === '/icon.svg';
  const compressedPath = (request: Request) =>
    Object.entries(ENCODINGS)
      .filter(([encoding]) => request.acceptsEncodings(encoding))
      .map(([, ending]) => request.path + ending)
      .find((path) => assets.has(path));
  const server = app.getHttpAdapter().getInstance() as Express;
  // The files are no routes: other methods on their paths would be answered with 405.
  server.use(function serveConsoleFile(request, response, next) {
    if (request.method !== 'GET' && request.method !== 'HEAD') return next();
    if (isFile(request.path)) {
      request.url = compressedPath(request) ?? request.url;
      return files(request, response, next);
    }
    // Programs accept anything, and get the refusals of the API.
    if (!IS_PAGE.test(request.path) || request.accepts(['json', 'html']) !== 'html') return next();
    const own = getPublicUrl({ ...config, PORT: request.socket.localPort ?? config.PORT });
    const origins = [...(config.voice ? [webSocketOrigin(own)] : []), ...config.VOICE_ORIGINS];
    response.set({
      'Content-Security-Policy': contentSecurityPolicy(origins),
      'Permissions-Policy': 'microphone=(self)',
      'Cache-Control': 'no-cache',
    });
    response.sendFile('index.html', { root: FOLDER, cacheControl: false });
  });
  return true;
}

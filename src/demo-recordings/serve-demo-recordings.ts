import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import { DEMO_RECORDINGS_PATH, demoRecordingOf } from './demo-recording';

const FILE = /^\/([\w-]{1,64})\.wav$/;

/**
 * Serves the recordings that the simulated runtime reports, without a credential: a browser plays them, and they are
 * made of the id alone, whether or not there is such a call.
 */
export function serveDemoRecordings(app: NestExpressApplication): void {
  app.use(DEMO_RECORDINGS_PATH, (request: Request, response: Response, next: NextFunction) => {
    const [, callId] = FILE.exec(request.path) ?? [];
    if (callId === undefined || !['GET', 'HEAD'].includes(request.method)) return next();
    send(request, response, demoRecordingOf(callId));
  });
}

/** The whole file, or the one range of it that the request asks for, as players do. */
function send(request: Request, response: Response, wav: Buffer): void {
  response.set({
    'Accept-Ranges': 'bytes',
    'Cache-Control': 'public, max-age=86400',
    'Content-Type': 'audio/wav',
  });
  const ranges = request.range(wav.length);
  if (ranges === -1) {
    response.status(416).set('Content-Range', `bytes */${wav.length}`).end();
    return;
  }
  const [range, ...others] = Array.isArray(ranges) && ranges.type === 'bytes' ? ranges : [];
  if (!range || others.length > 0) {
    response.send(wav);
    return;
  }
  response.status(206).set('Content-Range', `bytes ${range.start}-${range.end}/${wav.length}`);
  response.send(wav.subarray(range.start, range.end + 1));
}

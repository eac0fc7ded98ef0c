import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import { Readable } from 'node:stream';
import { DEMO_RECORDINGS_PATH, type DemoRecording, demoRecordingOf } from './demo-recording';

const FILE = /^\/([\w-]{1,64})\.wav$/;

/**
 * Serves the recordings that the simulated runtime reports, without a credential: a browser plays them, and they are
 * made of the id and the length in the address, whether or not there is such a call.
 */
export function serveDemoRecordings(app: NestExpressApplication): void {
  app.use(DEMO_RECORDINGS_PATH, (request: Request, response: Response, next: NextFunction) => {
    const [, callId] = FILE.exec(request.path) ?? [];
    if (callId === undefined || !['GET', 'HEAD'].includes(request.method)) return next();
    const seconds = Number(request.query.seconds);
    send(request, response, demoRecordingOf(callId, Number.isNaN(seconds) ? undefined : seconds));
  });
}

/** The whole file, or the one range of it that the request asks for, as players do. */
function send(request: Request, response: Response, recording: DemoRecording): void {
  const { bytes } = recording;
  response.set({
    'Accept-Ranges': 'bytes',
    'Cache-Control': 'public, max-age=86400',
    'Content-Type': 'audio/wav',
  });
  const ranges = request.range(bytes);
  if (ranges === -1) {
    response.status(416).set('Content-Range', `bytes */${bytes}`).end();
    return;
  }
  const [range, ...others] = Array.isArray(ranges) && ranges.type === 'bytes' ? ranges : [];
  const isPart = range !== undefined && others.length === 0;
  const { start, end } = isPart ? range : { start: 0, end: bytes - 1 };
  if (isPart) response.status(206).set('Content-Range', `bytes ${start}-${end}/${bytes}`);
  response.set('Content-Length', String(end - start + 1));
  if (request.method === 'HEAD') response.end();
  else Readable.from(recording.read(start, end + 1)).pipe(response);
}

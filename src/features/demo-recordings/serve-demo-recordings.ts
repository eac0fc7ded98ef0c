import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import { pipeline, Readable } from 'node:stream';
import { DEMO_RECORDINGS_PATH, type DemoRecording, createDemoRecording } from './demo-recording';
import { DemoRecordings } from './demo-recordings';

const FILE = /^\/([\w-]{1,64})\.wav$/;

/**
 * Serves the recordings that the simulated runtime reports, without a credential, because a browser plays them. Only the
 * addresses that calls show have a signature, so there are none without that runtime and without demo data.
 */
export function serveDemoRecordings(app: NestExpressApplication): void {
  const recordings = app.get(DemoRecordings);
  function serveDemoRecording(request: Request, response: Response, next: NextFunction): void {
    const [, callId = ''] = FILE.exec(request.path) ?? [];
    const { seconds, signature } = request.query;
    if (typeof seconds !== 'string' || typeof signature !== 'string') return next();
    if (!['GET', 'HEAD'].includes(request.method)) return next();
    if (!recordings.isSigned(callId, seconds, signature)) return next();
    send(request, response, createDemoRecording(callId, Number(seconds)));
  }
  app.use(DEMO_RECORDINGS_PATH, serveDemoRecording);
}

/** Sends the whole file, or the one range of it that the request names, as players do. */
function send(request: Request, response: Response, recording: DemoRecording): void {
  const { bytes } = recording;
  response.set({
    'Accept-Ranges': 'bytes',
    'Cache-Control': 'private, max-age=86400',
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
  if (request.method === 'HEAD') return void response.end();
  // A player that leaves early ends the reading, which is no error.
  pipeline(Readable.from(recording.read(start, end + 1)), response, () => undefined);
}

import { toMembers, parseFrame, readDtmf, readMark } from '../json-frames';

/** The frames of Twilio Media Streams that a runtime reads. */
export type StreamFrame =
  | { event: 'connected' }
  | { event: 'start'; streamSid: string; callSid: string; parameters: Record<string, unknown> }
  | { event: 'media'; payload: Buffer }
  | { event: 'mark'; name: string }
  | { event: 'dtmf'; digit: string }
  | { event: 'stop' };

/** @returns undefined if it makes no sense */
export function readStreamFrame(data: string): StreamFrame | undefined {
  const frame = parseFrame(data);
  if (!frame) return undefined;
  switch (frame.event) {
    case 'connected':
    case 'stop':
      return { event: frame.event };
    case 'start': {
      const { streamSid, callSid, customParameters } = toMembers(frame.start);
      if (typeof streamSid !== 'string' || typeof callSid !== 'string') return undefined;
      return { event: 'start', streamSid, callSid, parameters: toMembers(customParameters) };
    }
    case 'media': {
      const { payload } = toMembers(frame.media);
      return typeof payload === 'string'
        ? { event: 'media', payload: Buffer.from(payload, 'base64') }
        : undefined;
    }
    case 'mark':
      return readMark(frame);
    case 'dtmf':
      return readDtmf(frame);
    default:
      return undefined;
  }
}

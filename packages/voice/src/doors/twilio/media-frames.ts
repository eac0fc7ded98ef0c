import { toMembers, parseFrame, readDtmf, readMark } from '../../json-frames';
import type { StreamFrame, StreamProtocol } from '../phone/stream-protocol';

/** Twilio Media Streams: text frames of JSON. */
export const twilioStream: StreamProtocol = {
  read: (data, isBinary) => (isBinary ? undefined : readStreamFrame(data.toString())),
  media: (audio, streamSid) =>
    JSON.stringify({ event: 'media', streamSid, media: { payload: Buffer.from(audio).toString('base64') } }),
  mark: (name, streamSid) => JSON.stringify({ event: 'mark', streamSid, mark: { name } }),
  clear: (streamSid) => JSON.stringify({ event: 'clear', streamSid }),
};

function readStreamFrame(data: string): StreamFrame | undefined {
  const frame = parseFrame(data);
  if (!frame) return undefined;
  switch (frame.event) {
    case 'connected':
    case 'stop':
      return { event: frame.event };
    case 'start': {
      const { streamSid, customParameters } = toMembers(frame.start);
      if (typeof streamSid !== 'string') return undefined;
      return { event: 'start', streamId: streamSid, parameters: toMembers(customParameters) };
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

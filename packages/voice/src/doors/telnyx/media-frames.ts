import { toMembers, parseFrame, readDtmf, readMark } from '../../json-frames';
import type { StreamFrame, StreamProtocol } from '../phone/stream-protocol';
import { readState } from './client-state';

/** The media stream of Telnyx: text frames of JSON, whose audio may come out of its order. */
export const telnyxStream: StreamProtocol = {
  read: (data, isBinary) => (isBinary ? undefined : readStreamFrame(data.toString())),
  media: (audio) =>
    JSON.stringify({ event: 'media', media: { payload: Buffer.from(audio).toString('base64') } }),
  mark: (name) => JSON.stringify({ event: 'mark', mark: { name } }),
  clear: () => JSON.stringify({ event: 'clear' }),
};

function readStreamFrame(data: string): StreamFrame | undefined {
  const frame = parseFrame(data);
  if (!frame) return undefined;
  switch (frame.event) {
    case 'connected':
    case 'stop':
      return { event: frame.event };
    case 'start': {
      const { client_state: state } = toMembers(frame.start);
      if (typeof frame.stream_id !== 'string') return undefined;
      return { event: 'start', streamId: frame.stream_id, parameters: { ...readState(state) } };
    }
    case 'media': {
      const { payload, chunk, track } = toMembers(frame.media);
      if (typeof payload !== 'string' || track === 'outbound') return undefined;
      const place = Number(chunk);
      const audio = Buffer.from(payload, 'base64');
      return { event: 'media', payload: audio, ...(Number.isSafeInteger(place) ? { chunk: place } : {}) };
    }
    case 'mark':
      return readMark(frame);
    case 'dtmf':
      return readDtmf(frame);
    default:
      return undefined;
  }
}

import { type MediaFormat, readMediaFormat } from '../../audio/media-format';
import { toMembers, parseFrame, readDtmf, readMark } from '../../json-frames';

/** Why a connection is closed. */
export const CLOSE = {
  ended: { code: 1000, reason: 'The call is over' },
  nonsense: { code: 4400, reason: 'A frame makes no sense' },
  wrongSecret: { code: 4401, reason: 'The address is wrong or was used up' },
  secondClient: { code: 4409, reason: 'The call has a client' },
  manyListeners: { code: 4409, reason: 'The call has five listeners' },
  listenerSpeaks: { code: 4400, reason: 'A listener sends nothing' },
  tooFast: { code: 4429, reason: 'More than 100 frames a second' },
  typedTooFast: { code: 4429, reason: 'Texts come faster than they are answered' },
  typedTooMuch: { code: 4429, reason: 'The call has too much text' },
  tooMuchAudio: { code: 4429, reason: 'Audio comes faster than it is spoken' },
} as const;

export const MAX_FRAME_BYTES = 64 * 1024;
export const MAX_FRAMES_PER_SECOND = 100;

/** The frames that a client sends. */
export type ClientFrame =
  | { event: 'start'; mediaFormat: MediaFormat | null }
  | { event: 'media'; payload: Buffer }
  | { event: 'mark'; name: string }
  | { event: 'dtmf'; digit: string }
  | { event: 'text'; text: string }
  | { event: 'stop' };

const MAX_TEXT = 4_000;

/** @returns undefined if it makes no sense */
export function readFrame(data: string): ClientFrame | undefined {
  const frame = parseFrame(data);
  if (!frame) return undefined;
  switch (frame.event) {
    case 'start': {
      if (frame.mediaFormat === null) return { event: 'start', mediaFormat: null };
      const mediaFormat = readMediaFormat(frame.mediaFormat);
      return mediaFormat && { event: 'start', mediaFormat };
    }
    case 'media': {
      const { payload } = toMembers(frame.media);
      if (typeof payload !== 'string' || !/^[A-Za-z0-9+/]*={0,2}$/.test(payload)) return undefined;
      return { event: 'media', payload: Buffer.from(payload, 'base64') };
    }
    case 'mark':
      return readMark(frame);
    case 'dtmf':
      return readDtmf(frame);
    case 'text': {
      const text = typeof frame.text === 'string' ? frame.text.trim() : '';
      return text !== '' && text.length <= MAX_TEXT ? { event: 'text', text } : undefined;
    }
    case 'stop':
      return { event: 'stop' };
    default:
      return undefined;
  }
}

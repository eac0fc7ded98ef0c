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
  let frame: Record<string, unknown>;
  try {
    frame = objectOf(JSON.parse(data));
  } catch {
    return undefined;
  }
  switch (frame.event) {
    case 'connected':
    case 'stop':
      return { event: frame.event };
    case 'start': {
      const { streamSid, callSid, customParameters } = objectOf(frame.start);
      if (typeof streamSid !== 'string' || typeof callSid !== 'string') return undefined;
      return { event: 'start', streamSid, callSid, parameters: objectOf(customParameters) };
    }
    case 'media': {
      const { payload } = objectOf(frame.media);
      return typeof payload === 'string'
        ? { event: 'media', payload: Buffer.from(payload, 'base64') }
        : undefined;
    }
    case 'mark': {
      const { name } = objectOf(frame.mark);
      return typeof name === 'string' ? { event: 'mark', name } : undefined;
    }
    case 'dtmf': {
      const { digit } = objectOf(frame.dtmf);
      return typeof digit === 'string' && /^[0-9*#A-D]$/.test(digit) ? { event: 'dtmf', digit } : undefined;
    }
    default:
      return undefined;
  }
}

const objectOf = (value: unknown) =>
  (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;

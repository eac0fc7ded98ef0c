import type { StreamFrame, StreamProtocol } from '../phone/stream-protocol';

/** The WebSocket channel of Asterisk: audio is binary, and control messages are lines of words. */
export const asteriskStream: StreamProtocol = {
  read(data, isBinary): StreamFrame | undefined {
    if (isBinary) return { event: 'media', payload: data };
    const [name, ...words] = data.toString().trim().split(/\s+/);
    const fields = new Map(
      words.map((word) => [word.slice(0, word.indexOf(':')), word.slice(word.indexOf(':') + 1)]),
    );
    if (name === 'MEDIA_START')
      return {
        event: 'start',
        streamId: fields.get('connection_id') ?? '',
        parameters: Object.fromEntries(fields),
      };
    const mark = fields.get('correlation_id');
    return name === 'MEDIA_MARK_PROCESSED' && mark !== undefined ? { event: 'mark', name: mark } : undefined;
  },
  media: (audio) => audio,
  mark: (name) => `MARK_MEDIA ${name}`,
  clear: () => 'FLUSH_MEDIA',
};

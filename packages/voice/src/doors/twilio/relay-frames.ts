import { toMembers, parseFrame } from '../../json-frames';
import type { StreamFrame } from '../phone/stream-protocol';

/** The messages of ConversationRelay that a runtime reads. */
export type RelayFrame =
  | { type: 'prompt'; text: string; isLast: boolean }
  /** The person interrupted the agent, after these words of it. */
  | { type: 'interrupt'; heard: string }
  /** These words of the agent were played. */
  | { type: 'played'; text: string }
  | { type: 'dtmf'; digit: string }
  | { type: 'error'; description: string };

/** @returns undefined if it makes no sense, or is of no interest */
export function readRelayFrame(data: string): RelayFrame | undefined {
  const frame = parseFrame(data);
  const text = (name: string) => {
    const value = frame?.[name];
    return typeof value === 'string' ? value : undefined;
  };
  switch (frame?.type) {
    case 'prompt':
      return { type: 'prompt', text: text('voicePrompt') ?? '', isLast: frame.last !== false };
    case 'interrupt':
      return { type: 'interrupt', heard: text('utteranceUntilInterrupt') ?? '' };
    case 'info':
      return frame.name === 'tokensPlayed' ? { type: 'played', text: text('value') ?? '' } : undefined;
    case 'dtmf': {
      const digit = text('digit') ?? '';
      return /^[0-9*#A-D]$/.test(digit) ? { type: 'dtmf', digit } : undefined;
    }
    case 'error':
      return { type: 'error', description: text('description') ?? '' };
    default:
      return undefined;
  }
}

/** The first message, which names the call. */
export const relayProtocol = {
  read(data: Buffer, isBinary: boolean): StreamFrame | undefined {
    const frame = isBinary ? undefined : parseFrame(data.toString());
    const { sessionId } = frame ?? {};
    if (frame?.type !== 'setup' || typeof sessionId !== 'string') return undefined;
    return { event: 'start', streamId: sessionId, parameters: toMembers(frame.customParameters) };
  },
};

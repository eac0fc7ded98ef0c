import { RATE } from '../../../domain/audio/pcm';

/** A part of the work of the runtime, and who does it: `local` is the runtime itself. */
export interface Service {
  part: 'recognition' | 'language' | 'synthesis';
  provider: string;
  /** The host of its server. */
  host?: string;
  /** It goes on if those before it fail. */
  fallback?: boolean;
}

/** The frames of the runtime, as `packages/voice/README.md` describes it. */
export type RuntimeFrame =
  | { event: 'ready'; services?: Service[] }
  | { event: 'media'; payload: string }
  | { event: 'mark'; name: string }
  | { event: 'clear' }
  | { event: 'transcript'; speaker: 'agent' | 'user'; text: string; final: boolean }
  | { event: 'state'; state: 'listening' | 'thinking' | 'speaking' }
  | { event: 'metrics'; turnGapMs: number }
  | { event: 'ended'; reason: string };

export type ClientFrame =
  | { event: 'start'; mediaFormat: MediaFormat | null }
  | { event: 'media'; media: { payload: string } }
  | { event: 'mark'; mark: { name: string } }
  | { event: 'text'; text: string }
  | { event: 'stop' };

interface MediaFormat {
  encoding: 'audio/l16';
  sampleRate: number;
  channels: 1;
}

export const MEDIA_FORMAT: MediaFormat = { encoding: 'audio/l16', sampleRate: RATE, channels: 1 };

const STATES = ['listening', 'thinking', 'speaking'] as const;
const PARTS = ['recognition', 'language', 'synthesis'] as const;

/** @returns undefined if this page does not know the frame; a newer runtime may send others */
export function readFrame(data: unknown): RuntimeFrame | undefined {
  const frame = typeof data === 'string' ? toObject(parse(data)) : {};
  switch (frame.event) {
    case 'ready':
      return { event: 'ready', services: parseServices(frame.services) };
    case 'media': {
      const { payload } = toObject(frame.media);
      return typeof payload === 'string' ? { event: 'media', payload } : undefined;
    }
    case 'mark': {
      const { name } = toObject(frame.mark);
      return typeof name === 'string' ? { event: 'mark', name } : undefined;
    }
    case 'clear':
      return { event: 'clear' };
    case 'transcript': {
      const { speaker, text, final } = frame;
      if ((speaker !== 'agent' && speaker !== 'user') || typeof text !== 'string') return undefined;
      return { event: 'transcript', speaker, text, final: final === true };
    }
    case 'state': {
      const state = STATES.find((known) => known === frame.state);
      return state && { event: 'state', state };
    }
    case 'metrics':
      return typeof frame.turn_gap_ms === 'number'
        ? { event: 'metrics', turnGapMs: frame.turn_gap_ms }
        : undefined;
    case 'ended':
      return { event: 'ended', reason: String(frame.reason) };
    default:
      return undefined;
  }
}

function parseServices(value: unknown): Service[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.map(toObject).flatMap(({ part, provider, host, fallback }) => {
    const known = PARTS.find((name) => name === part);
    if (!known || typeof provider !== 'string') return [];
    return [
      {
        ...{ part: known, provider },
        ...(typeof host === 'string' && { host }),
        ...(fallback === true && { fallback }),
      },
    ];
  });
}

function parse(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}

const toObject = (value: unknown) =>
  (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;

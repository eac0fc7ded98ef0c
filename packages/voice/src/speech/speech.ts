/** Recognition and synthesis as a conversation sees them. Each provider implements these interfaces. */

import type { IncomingMessage } from 'node:http';
import type { Audio } from '../audio/audio';
import { BusyError, readRetryAfter } from '../retries';
import type { AccountLimit } from './account-limit';

export interface VoiceSettings {
  /** The provider's name of the voice. */
  voice: string;
  /** 1 is the voice's own speed, and its own pitch. */
  speed: number;
  pitch: number;
  /** The following are for providers that have them. */
  model?: string;
  /** ISO 639, without a region. */
  language?: string;
  stability?: number;
  similarity?: number;
  style?: number;
  boost?: boolean;
  /** 0 to 4; more is faster and less exact. */
  latency?: number;
}

/** The voice of an agent, and the provider that speaks with it. */
export type ChosenVoice = VoiceSettings & { provider: string };

/** The provider that hears the person, with its settings. */
export interface RecognitionSettings {
  provider: string;
  model: string;
  language: string;
  /** Names that the person may say. */
  terms: string[];
  noiseReduction?: boolean;
}

/** A part of the sound of a sentence. */
export interface SpokenAudio extends Audio {
  /** The letters of the text up to its end, which is the end of a word. undefined: the provider does not say. */
  letters?: number;
  /** The letters that a provider has charged for it. undefined: those of the sentence, with its first part. */
  charged?: number;
}

export interface Synthesizer {
  /** The service that reads the text, for the page of the call; `local`: this machine. */
  readonly provider: string;
  /** The audio of one sentence, in parts as they are ready. */
  speak(text: string, settings: VoiceSettings, signal: AbortSignal): AsyncIterable<SpokenAudio>;
}

export interface Recognizer {
  readonly provider: string;
  open(listener: RecognitionListener): Recognition;
}

export interface RecognitionListener {
  /** The words of the utterance that were recognised so far. A later text replaces them. */
  interim(text: string): void;
}

/** The recognition of one call. The audio is signed 16-bit at {@link RECOGNITION_RATE}. */
export interface Recognition {
  /** Audio of the person, with the silence before and after it. */
  write(samples: Int16Array): void;
  /** The person paused: the text of the utterance since the last {@link next}. @throws SpeechError */
  text(signal: AbortSignal): Promise<string>;
  /** The utterance is over: what was written before belongs to it. */
  next(): void;
  /** The seconds of speech that were recognised. */
  readonly seconds: number;
  close(): void;
}

export const RECOGNITION_RATE = 16_000;

/** The provider that hears, answers and speaks by itself. */
export const REALTIME = 'openai-realtime';

/** A provider of speech failed, or took too long. */
export class SpeechError extends Error {
  constructor(
    message: string,
    /** The status with which it refused a request. */
    readonly status?: number,
  ) {
    super(message);
    this.name = 'SpeechError';
  }
}

/** The error for an answer that refuses a request. */
export const createRefusal = ({ statusCode, headers }: IncomingMessage, sentence: string) =>
  statusCode === 429
    ? new BusyError(sentence, readRetryAfter(headers['retry-after']))
    : new SpeechError(sentence, statusCode);

/** The interfaces of providers of speech that others may have, too. */
export type SpeechProtocol = 'deepgram' | 'elevenlabs';

/** The address and the key of a provider. */
export interface Account {
  baseUrl: string;
  apiKey: string;
  /** The protocol of the address. undefined: that of the provider with its name. */
  protocol?: SpeechProtocol;
  /** Bounds its requests or streams at once; undefined: nothing does. */
  limit?: AccountLimit;
}

import type { Plan } from '../agent/plan';
import type { Tap } from '../audio/two-sides';
import type { Brain, TranscriptTurn } from '../brain/brain';
import type { Clock } from '../clock';
import type { Recognizer, Synthesizer, VoiceSettings } from '../speech/speech';

/** The one that has answered a phone. `beep`: a machine that records now. */
export type Answerer = 'person' | 'machine' | 'beep' | 'fax';

/** The voice of a carrier that speaks by itself. */
export interface RemoteVoice {
  /** @param played is called when everything of the sentence was played */
  say(text: string, played: () => void): void;
  /** Drops what was not played. @returns the words of the answer that the person heard; undefined if nobody interrupted it */
  drop(): string | undefined;
}

/** The client of a conversation, behind a door. */
export interface Line {
  /** The rate of its audio; undefined: a conversation in writing. */
  readonly sampleRate?: number;
  /** The client speaks the agent's sentences, and writes what the person says. */
  readonly remoteVoice?: RemoteVoice;
  frame(samples: Int16Array): void;
  mark(name: string): void;
  clear(): void;
  transcript(speaker: 'agent' | 'user', text: string, final: boolean): void;
  state(state: 'listening' | 'thinking' | 'speaking'): void;
  metrics(turnGapMs: number): void;
  /** Sends keys of a telephone. undefined: they are played as tones. */
  press?(digits: string): Promise<void>;
}

/** The receiver of the reports about the conversation. */
export interface Report {
  /** @returns the number of the turn in the transcript of the call; undefined: it is not in it */
  turn(turn: Omit<TranscriptTurn, 'sequence'> & { startedAt: Date; endedAt: Date }): number | undefined;
  problem(sentence: string): void;
}

export interface Parts {
  plan: Plan;
  brain: Brain;
  recognizer: Recognizer;
  synthesizer: Synthesizer;
  /** Says the apology when a service has failed. Default: the same voice. */
  apologist?: { synthesizer: Synthesizer; voice: VoiceSettings };
  line: Line;
  report: Report;
  clock: Clock;
  /** Get the audio of both sides. */
  taps?: Tap[];
}

/** The parts of the time between the person's last sound and the agent's first sound, in milliseconds. */
export interface TurnTiming {
  /** The time from the end of the speech until the turn is over and its text is recognised. */
  endOfTurn: number;
  /** The time from then to the first sentence of the answer. */
  answer: number;
  /** The time from then to the first audio of the sentence. */
  synthesis: number;
  /** All of it, with the waits that the agent's fields ask for. */
  gap: number;
}

/** The figures of a conversation. */
export interface Figures {
  turns: number;
  interruptions: number;
  timings: TurnTiming[];
  synthesizedCharacters: number;
  recognizedSeconds: number;
}

/** The gap that this share of the turns did not exceed. null: there was none. */
export function findGap({ timings }: Figures, share: number): number | null {
  const gaps = timings.map(({ gap }) => gap).sort((a, b) => a - b);
  return gaps[Math.max(0, Math.ceil(gaps.length * share) - 1)] ?? null;
}

/** An agent that is conversed with in writing neither hears nor speaks, also if its client has audio. */
export const hasAudio = ({ plan, line }: Parts): boolean => plan.spoken && line.sampleRate !== undefined;

export const listOpenTaps = ({ taps = [] }: Parts): Tap[] => taps.filter(({ isOpen }) => isOpen);

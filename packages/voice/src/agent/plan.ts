import type { ToolOfCall } from '@parley/worker';
import type { Place } from '../audio/ambience';
import type { CallSpeech } from '../speech/carrier-speech';
import type { ChosenVoice, RecognitionSettings, VoiceSettings } from '../speech/speech';

/** The behaviour of a conversation, as an agent's fields and a call define it. Times are in milliseconds. */
export interface Plan {
  /** Whether it may be spoken: speech must be ready before somebody joins. Otherwise it is in writing. */
  spoken: boolean;
  greeting: string;
  /** The instructions to the language model. */
  prompt: string;
  /** Variables that the agent declares and the call does not give: the agent asks for them. */
  missingVariables: string[];
  language: LanguageSettings;
  recognition: RecognitionSettings;
  voice: ChosenVoice;
  /** The providers that go on when one fails, in their order. */
  followers: { recognition: RecognitionSettings[]; language: LanguageSettings[]; synthesis: ChosenVoice[] };
  /** The end of a call in which all of them have failed. `transfer`: the person is connected with the first number of the agent. */
  lastResort: 'apologise' | 'transfer';
  carrierSpeech: CallSpeech;
  /** The voice of this machine, for an apology when another one fails. */
  ownVoice: VoiceSettings;
  turns: {
    /** Silence that ends a turn. */
    endOfTurnMs: number;
    /** Silence that ends a turn whose text ends like a sentence. */
    endOfSentenceMs: number;
    /** The shortest time from the end of the person's speech to the agent's first sound. */
    waitMs: number;
    /** The time in which the person who answers a phone may say hello first; 0: the agent begins. */
    helloMs: number;
  };
  interruption: {
    /** The number of words that interrupt; 0: {@link voiceMs} decides. */
    words: number;
    voiceMs: number;
    /** The agent is silent for this long after an interruption. */
    backOffMs: number;
    /** Whether voice counts, or words alone. */
    byVoice: boolean;
  };
  limits: {
    silenceMs: number;
    maximumMs: number;
  };
  /** undefined: no reminders. */
  reminder?: { afterMs: number; times: number };
  /** The sound while an answer is due and nothing of it comes; undefined: no sound, because no provider follows. */
  whileDue?: 'words' | 'tone';
  /** Said while the answer takes long. */
  fillers: string[];
  /** Said while the person speaks long; `frequency`: in which share of the pauses. undefined: never. */
  backChannel?: { words: string[]; frequency: number };
  /** Noise behind the agent's voice; `level` in dB below the loudest sound. */
  background?: { place: Place; level: number };
  /** The way to detect a voicemail, and the message for it; '': none. undefined: no voicemail is detected. */
  voicemail?: { by: ('audio' | 'transcript')[]; message: string };
  /** Names that the person may say. */
  vocabulary: string[];
  /** The tools of the language model that the server does. */
  tools: ToolOfCall[];
  /** Numbers with which the language model may connect the person of a phone call. */
  transfers: { name: string; to: string }[];
  recording: boolean;
  transcript: boolean;
}

/** The language model that answers, with its settings. */
export interface LanguageSettings {
  /** `local`, or a provider whose address and key are set. */
  provider: string;
  model: string;
  temperature: number;
  maxTokens: number;
}

/** A field of the agent that could not be followed, for the timeline of the call. */
export interface Warning {
  code: string;
  text: string;
}

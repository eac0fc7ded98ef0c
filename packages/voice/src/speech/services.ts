import { DeepgramRecognizer } from './deepgram/deepgram-recognizer';
import { ElevenLabsSynthesizer } from './elevenlabs/elevenlabs-synthesizer';
import type { Account, ChosenVoice, RecognitionSettings, Recognizer, Synthesizer } from './speech';

/** The providers of speech whose keys are set. */
export interface SpeechAccounts {
  deepgram?: Account;
  elevenlabs?: Account;
  /** Hears, answers and speaks. */
  'openai-realtime'?: Account;
}

export interface Speech {
  recognizer: Recognizer;
  synthesizer: Synthesizer;
}

/** The providers that the plan names, which are on this machine where it names none. */
export function chooseSpeech(
  plan: { recognition: RecognitionSettings; voice: ChosenVoice },
  local: Speech,
  { deepgram, elevenlabs }: SpeechAccounts = {},
): Speech {
  const hears = plan.recognition.provider === 'deepgram' ? deepgram : undefined;
  const speaks = plan.voice.provider === 'elevenlabs' ? elevenlabs : undefined;
  return {
    recognizer: hears ? new DeepgramRecognizer(hears, plan.recognition) : local.recognizer,
    synthesizer: speaks ? new ElevenLabsSynthesizer(speaks) : local.synthesizer,
  };
}

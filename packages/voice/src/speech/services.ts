import { Chain, type ChainParts } from '../providers/chain';
import { DeepgramRecognizer } from './deepgram/deepgram-recognizer';
import { ElevenLabsSynthesizer } from './elevenlabs/elevenlabs-synthesizer';
import { FallbackRecognizer } from './fallback-recognizer';
import { FallbackSynthesizer } from './fallback-synthesizer';
import type {
  Account,
  RecognitionSettings,
  Recognizer,
  SpeechProtocol,
  Synthesizer,
  ChosenVoice,
} from './speech';

/** The providers of speech whose keys are set, by their names. */
export type SpeechAccounts = Readonly<Record<string, Account | undefined>>;

/** The names of the providers that speak a protocol. */
export const namesOf = (accounts: SpeechAccounts, protocol: SpeechProtocol): string[] =>
  Object.keys(accounts).filter((name) => hasProtocol(name, accounts[name], protocol));

const hasProtocol = (name: string, account: Account | undefined, protocol: SpeechProtocol): boolean =>
  account !== undefined && (account.protocol ?? name) === protocol;

export interface Speech {
  recognizer: Recognizer;
  synthesizer: Synthesizer;
}

/** The providers of a plan, as far as they hear and speak. */
interface ChosenSpeech {
  recognition: RecognitionSettings;
  voice: ChosenVoice;
  followers: { recognition: RecognitionSettings[]; synthesis: ChosenVoice[] };
}

/**
 * The providers that the plan names and those that follow them, which are on this machine where it names none.
 */
export function chooseSpeech(
  plan: ChosenSpeech,
  local: Speech,
  accounts: SpeechAccounts,
  parts: ChainParts,
): Speech {
  const { recognition, voice, followers } = plan;
  const recognizers = [recognition, ...followers.recognition].map((settings) => ({
    ...{ provider: settings.provider, model: settings.model },
    use: chooseRecognizer(settings, local, accounts),
  }));
  const saysTimes = followers.synthesis.length > 0;
  const voices = [voice, ...followers.synthesis].map(({ provider, ...settings }) => ({
    // An agent may name a voice that its account does not have, which says nothing about the voices of others.
    ...{ provider, model: [settings.voice, settings.model ?? ''].join(' ') },
    use: { settings, synthesizer: chooseSynthesizer(provider, local, accounts, saysTimes) },
  }));
  return {
    recognizer: new FallbackRecognizer(new Chain('recognition', recognizers, parts)),
    synthesizer: new FallbackSynthesizer(new Chain('synthesis', voices, parts)),
  };
}

function chooseRecognizer(
  settings: RecognitionSettings,
  local: Speech,
  accounts: SpeechAccounts,
): Recognizer {
  const { provider } = settings;
  const account = accounts[provider];
  return account && hasProtocol(provider, account, 'deepgram')
    ? new DeepgramRecognizer(account, settings)
    : local.recognizer;
}

function chooseSynthesizer(
  provider: string,
  local: Speech,
  accounts: SpeechAccounts,
  saysTimes: boolean,
): Synthesizer {
  const account = accounts[provider];
  return account && hasProtocol(provider, account, 'elevenlabs')
    ? new ElevenLabsSynthesizer(account, provider, saysTimes)
    : local.synthesizer;
}

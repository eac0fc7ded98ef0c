import { str } from 'envalid';
import type { SpeechAccounts } from '../speech/services';
import { AccountLimit } from '../speech/account-limit';
import { type Account, REALTIME } from '../speech/speech';
import {
  type Environment,
  httpAddress,
  integer,
  readEnvironment,
  readSecret,
  withoutSlash,
} from './environment';

const key = str({ default: undefined });
const limit = integer({ min: 1, max: 10_000 })({ default: undefined });

export const SPEECH_SETTINGS = {
  DEEPGRAM_API_KEY: key,
  DEEPGRAM_BASE_URL: httpAddress({ default: 'https://api.deepgram.com' }),
  DEEPGRAM_MAX_CONCURRENT: limit,
  ELEVENLABS_API_KEY: key,
  ELEVENLABS_BASE_URL: httpAddress({ default: 'https://api.elevenlabs.io' }),
  ELEVENLABS_MAX_CONCURRENT: limit,
  OPENAI_REALTIME_API_KEY: key,
  OPENAI_REALTIME_BASE_URL: httpAddress({ default: 'https://api.openai.com/v1' }),
};

const PROVIDERS = [
  ['deepgram', 'DEEPGRAM', 'DEEPGRAM_MAX_CONCURRENT', 'are recognised on this machine'],
  ['elevenlabs', 'ELEVENLABS', 'ELEVENLABS_MAX_CONCURRENT', 'are spoken on this machine'],
  [REALTIME, 'OPENAI_REALTIME', undefined, 'are answered by the scripted brain'],
] as const;

/** @throws SettingsError with a sentence that says what would be right */
export function readSpeech(env: Environment): { accounts: SpeechAccounts; notes: string[] } {
  const accounts: Record<string, Account> = {};
  const notes: string[] = [];
  const settings = readEnvironment(SPEECH_SETTINGS, env);
  for (const [name, prefix, limited, done] of PROVIDERS) {
    const apiKey = readSecret(env, `${prefix}_API_KEY`);
    if (apiKey === '') notes.push(`${prefix}_API_KEY is not set: calls of agents of ${name} ${done}.`);
    else {
      const baseUrl = withoutSlash(settings[`${prefix}_BASE_URL` as const]);
      const places = limited && settings[limited];
      accounts[name] = { baseUrl, apiKey, ...(places && { limit: new AccountLimit(limited, places) }) };
    }
  }
  return { accounts, notes };
}

import type { SpeechAccounts } from '../speech/services';
import { AccountLimit } from '../speech/account-limit';
import { REALTIME } from '../speech/speech';
import { type Environment, httpUrl, integer, readSecret } from './environment';

const PROVIDERS = [
  ['deepgram', 'DEEPGRAM', 'https://api.deepgram.com', 'are recognised on this machine'],
  ['elevenlabs', 'ELEVENLABS', 'https://api.elevenlabs.io', 'are spoken on this machine'],
  [REALTIME, 'OPENAI_REALTIME', 'https://api.openai.com/v1', 'are answered by the scripted brain'],
] as const;

/** The providers whose accounts bound what is under way at once. */
const LIMITED = new Set(['DEEPGRAM', 'ELEVENLABS']);
const MAX_CONCURRENT = 10_000;

/** @throws SettingsError with a sentence that says what would be right */
export function readSpeech(env: Environment): { accounts: SpeechAccounts; notes: string[] } {
  const accounts: SpeechAccounts = {};
  const notes: string[] = [];
  for (const [name, prefix, otherwise, done] of PROVIDERS) {
    const apiKey = readSecret(env, `${prefix}_API_KEY`);
    if (apiKey === '') notes.push(`${prefix}_API_KEY is not set: calls of agents of ${name} ${done}.`);
    else {
      const baseUrl = httpUrl(env, `${prefix}_BASE_URL`, otherwise);
      accounts[name] = { baseUrl, apiKey, ...readLimit(env, prefix) };
    }
  }
  return { accounts, notes };
}

function readLimit(env: Environment, prefix: string): { limit?: AccountLimit } {
  const setting = `${prefix}_MAX_CONCURRENT`;
  if (!LIMITED.has(prefix) || !env[setting]) return {};
  return { limit: new AccountLimit(setting, integer(env, setting, MAX_CONCURRENT, 1, MAX_CONCURRENT)) };
}

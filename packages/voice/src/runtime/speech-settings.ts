import type { SpeechAccounts } from '../speech/services';
import { type Environment, httpUrl, readSecret } from './environment';

const PROVIDERS = [
  ['deepgram', 'DEEPGRAM', 'https://api.deepgram.com', 'recognised'],
  ['elevenlabs', 'ELEVENLABS', 'https://api.elevenlabs.io', 'spoken'],
] as const;

/** @throws SettingsError with a sentence that says what would be right */
export function readSpeech(env: Environment): { accounts: SpeechAccounts; notes: string[] } {
  const accounts: SpeechAccounts = {};
  const notes: string[] = [];
  for (const [name, prefix, otherwise, done] of PROVIDERS) {
    const apiKey = readSecret(env, `${prefix}_API_KEY`);
    if (apiKey === '')
      notes.push(`${prefix}_API_KEY is not set: calls of agents of ${name} are ${done} on this machine.`);
    else accounts[name] = { baseUrl: httpUrl(env, `${prefix}_BASE_URL`, otherwise), apiKey };
  }
  return { accounts, notes };
}

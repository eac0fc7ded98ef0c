import { Parley } from '../parley';
import { LONGEST_TIMER_MS } from '../pause';
import { type Config, readConfig } from './config-file';
import { UsageError } from './errors';

export const DEFAULT_URL = 'http://127.0.0.1:3000';

const sameServer = (one: string, other: string) => one.replace(/\/+$/, '') === other.replace(/\/+$/, '');

/** The server and the key: those of the environment, else the kept ones. A kept key goes to its server only. */
export async function findAccess(env: NodeJS.ProcessEnv): Promise<Config> {
  const { PARLEY_URL: url, PARLEY_API_KEY: apiKey } = env;
  if (url && apiKey) return { url, apiKey };
  const kept = await readConfig();
  if (apiKey) return { url: kept?.url ?? DEFAULT_URL, apiKey };
  if (!kept) throw new UsageError('There is no API key. Set PARLEY_API_KEY, or run: parley login');
  if (url && !sameServer(url, kept.url)) {
    throw new UsageError(
      `The kept key is for ${kept.url}. Set PARLEY_API_KEY, or run: parley login --url ${url}`,
    );
  }
  return kept;
}

/** The time limit of each attempt, if the user gives one. @throws UsageError */
export function readTimeLimit({ PARLEY_TIMEOUT_SECONDS: text }: NodeJS.ProcessEnv): { timeoutMs?: number } {
  if (!text) return {};
  const timeoutMs = Number(text) * 1_000;
  if (timeoutMs > 0 && timeoutMs <= LONGEST_TIMER_MS) return { timeoutMs };
  throw new UsageError('PARLEY_TIMEOUT_SECONDS must be a number of seconds above 0.');
}

/**
 * @param names what the user gave the address and the key by
 * @throws UsageError for an address or a key that cannot be one
 */
export function connect(
  { url, apiKey }: Config,
  timeLimit: { timeoutMs?: number },
  names: Config = { url: 'PARLEY_URL', apiKey: 'PARLEY_API_KEY' },
): Parley {
  try {
    return new Parley({ baseUrl: url, apiKey, ...timeLimit });
  } catch (error) {
    const reason = (error as Error).message;
    throw new UsageError(reason.replace('baseUrl', names.url).replace('apiKey', names.apiKey));
  }
}

import { Parley } from '../parley';
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

/** @throws UsageError for an address or a key that cannot be one */
export function connect({ url, apiKey }: Config): Parley {
  try {
    return new Parley({ baseUrl: url, apiKey });
  } catch (error) {
    const reason = (error as Error).message;
    throw new UsageError(reason.replace('baseUrl', 'PARLEY_URL').replace('apiKey', 'PARLEY_API_KEY'));
  }
}

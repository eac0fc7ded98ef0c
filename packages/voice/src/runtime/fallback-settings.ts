import { EnvError, makeExactValidator } from 'envalid';
import { type Fallbacks, type Follower, NO_FALLBACKS, PARTS, type ServicePart } from '../providers/fallbacks';
import { namesOf, type SpeechAccounts } from '../speech/services';
import { type Environment, oneOf, readEnvironment, SettingsError } from './environment';

const MAX_FOLLOWERS = 5;
const MAX_HEDGE = { min: 200, max: 5_000 };
const BREAKER = { failures: 100, seconds: 3_600 };
const OFF = 'off' as const;

/** Only the speech of this machine follows. */
const LOCAL = 'local';
const MALFORMED = `must be ${LOCAL}, or such as language=groq/MODEL,openai;recognition=NAME;synthesis=NAME/VOICE, with up to ${MAX_FOLLOWERS} providers of a part`;

type Listed = Record<ServicePart, Follower[]>;

const toFallbacks = makeExactValidator<Listed>((input) => {
  const listed: Listed = { recognition: [], language: [], synthesis: [] };
  if (input.trim() === LOCAL) return listed;
  for (const group of input.split(';')) {
    const [, name, providers = ''] = /^\s*([a-z]+)\s*=(.*)$/.exec(group) ?? [];
    const part = PARTS.find((known) => known === name);
    const followers = providers.split(',').flatMap(toFollower);
    const isWhole = followers.length === providers.split(',').length && followers.length <= MAX_FOLLOWERS;
    if (!part || listed[part].length > 0 || !isWhole) throw new EnvError(MALFORMED);
    listed[part] = followers;
  }
  return listed;
});

/** Empty if the text names no provider. */
function toFollower(text: string): Follower[] {
  const [, provider, model] = /^([a-z][a-z0-9]{0,39})(?:\/(\S{1,200}))?$/.exec(text.trim()) ?? [];
  return provider === undefined ? [] : [{ provider, ...(model && { model }) }];
}

const toHedge = makeExactValidator<number | typeof OFF>((input) => {
  if (input === OFF) return OFF;
  const ms = /^\d{1,5}$/.test(input) ? Number(input) : NaN;
  if (ms >= MAX_HEDGE.min && ms <= MAX_HEDGE.max) return ms;
  throw new EnvError(`must be ${OFF} or a whole number from ${MAX_HEDGE.min} to ${MAX_HEDGE.max}`);
});

const toBreaker = makeExactValidator<{ failures: number; seconds: number } | typeof OFF>((input) => {
  if (input === OFF) return OFF;
  const [failures = NaN, seconds = NaN] = (/^(\d{1,4})\/(\d{1,4})$/.exec(input) ?? []).slice(1).map(Number);
  const fits = failures >= 1 && failures <= BREAKER.failures && seconds >= 1 && seconds <= BREAKER.seconds;
  if (fits) return { failures, seconds };
  throw new EnvError(
    `must be ${OFF}, or failures from 1 to ${BREAKER.failures} and seconds from 1 to ${BREAKER.seconds}, such as 3/30`,
  );
});

export const FALLBACK_SETTINGS = {
  VOICE_FALLBACKS: toFallbacks({ default: undefined }),
  VOICE_HEDGE_MS: toHedge({ default: 900 }),
  VOICE_BREAKER: toBreaker({ default: { failures: 3, seconds: 30 } }),
  VOICE_LAST_RESORT: oneOf('apologise', 'transfer')({ default: 'apologise' }),
};

/**
 * The providers that follow one that fails. Without `VOICE_FALLBACKS` nothing follows, and its other settings have no effect.
 * @throws SettingsError if a name has no address, or one with another protocol
 */
export function readFallbacks(
  env: Environment,
  models: ReadonlyMap<string, unknown>,
  accounts: SpeechAccounts,
): Fallbacks {
  const values = readEnvironment(FALLBACK_SETTINGS, env);
  const listed = values.VOICE_FALLBACKS;
  if (!listed) return NO_FALLBACKS;
  const known: Record<ServicePart, readonly string[]> = {
    recognition: namesOf(accounts, 'deepgram'),
    language: [...models.keys()],
    synthesis: namesOf(accounts, 'elevenlabs'),
  };
  for (const part of PARTS)
    for (const { provider } of listed[part])
      if (!known[part].includes(provider))
        throw new SettingsError(
          `VOICE_FALLBACKS names ${provider} for ${part}, ${explain(part, provider, known)}.`,
        );
  const { VOICE_HEDGE_MS: hedge, VOICE_BREAKER: breaker, VOICE_LAST_RESORT: lastResort } = values;
  return {
    ...{ recognition: listed.recognition, language: listed.language, synthesis: listed.synthesis },
    ...{ hasLocal: true, hedgeMs: hedge === OFF ? undefined : hedge, lastResort },
    breaker: breaker === OFF ? undefined : { failures: breaker.failures, ms: breaker.seconds * 1_000 },
  };
}

function explain(part: ServicePart, provider: string, known: Record<ServicePart, readonly string[]>): string {
  if (provider === LOCAL)
    return part === 'language'
      ? 'but the scripted assistant does not follow the prompt of an agent'
      : 'which is last by itself';
  const other = PARTS.find((each) => known[each].includes(provider));
  if (other) return `but its address is for ${other}`;
  const name = provider.toUpperCase();
  const settings =
    provider === 'openai' ? 'LLM_BASE_URL and LLM_API_KEY' : `${name}_BASE_URL and ${name}_API_KEY`;
  return `which has no address or no key. Set ${settings}`;
}

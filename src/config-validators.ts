import { createPublicKey, type KeyObject } from 'node:crypto';
import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { EnvError, makeExactValidator, makeValidator } from 'envalid';

// The checks that only the server has. Each message follows the name of the setting.

export const processCount = ({ max }: { max: number }) =>
  makeExactValidator<number>((input) => {
    const value = input === 'auto' ? Math.min(max, availableParallelism()) : Number(/^\d+$/.exec(input)?.[0]);
    if (!(value >= 1 && value <= max)) throw new EnvError(`must be auto or a whole number from 1 to ${max}`);
    return value;
  });

export const boolean = makeExactValidator<boolean>((input) => {
  if (input !== 'true' && input !== 'false') throw new EnvError('must be true or false');
  return input === 'true';
});

export const name = makeValidator<string>((input) => {
  if (!/^[\w.-]{1,100}$/.test(input)) {
    throw new EnvError('must have up to 100 letters, digits, dots, underscores and hyphens');
  }
  return input;
});

/**
 * The URL of each host of a URL such as `postgres://user:password@one:5432,two:5432/parley`.
 * @throws TypeError if one of them is not a URL
 */
export function urlsByHost(url: string): string[] {
  const [, before = '', hosts = '', after = ''] =
    /^([^:/?#]+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s.exec(url) ?? [];
  return hosts.split(',').map((host) => new URL(`${before}${host}${after}`).href);
}

export const databaseAddress = makeValidator<string>((input) => {
  const isValid = (url: string) => ['postgres:', 'postgresql:'].includes(new URL(url).protocol);
  try {
    if (urlsByHost(input).every(isValid)) return input;
  } catch {
    // One of them is not a URL.
  }
  throw new EnvError(
    'must be a URL that begins with postgres:// or postgresql://; several hosts are separated by commas',
  );
});

/** Addresses separated by commas. A comma within one is percent-encoded. */
export const addresses = (...protocols: string[]) =>
  makeExactValidator<string[]>((input) => {
    const list = input.split(',').map((url) => url.trim());
    if (!list.every((url) => URL.canParse(url) && protocols.includes(new URL(url).protocol))) {
      const beginnings = protocols.map((protocol) => `${protocol}//`).join(' or ');
      throw new EnvError(`must be URLs that begin with ${beginnings}, separated by commas`);
    }
    return list;
  });

export const someOf = <Choice extends string>(...choices: readonly Choice[]) =>
  makeExactValidator<Choice[]>((input) => {
    const words = input.split(',').map((word) => word.trim());
    const isChoice = (word: string): word is Choice => choices.some((choice) => choice === word);
    if (!words.every(isChoice)) {
      throw new EnvError(`must be one or more of ${choices.join(', ')}, separated by commas`);
    }
    return words;
  });

export const destinations = (...words: string[]) =>
  makeExactValidator<string[]>((input) => {
    if (words.includes(input)) return [];
    const prefixes = input.split(',').map((prefix) => prefix.trim().replace(/^\+/, ''));
    if (!prefixes.every((prefix) => /^[1-9]\d{0,14}$/.test(prefix))) {
      const list = 'a comma-separated list of prefixes of phone numbers, such as 49 or +4915';
      throw new EnvError(`must be ${[list, ...words].join(', or ')}`);
    }
    return prefixes;
  });

/** The length of a network's prefix in bits. Undefined: the text is not a network. */
function parsePrefixLength(text: string): number | undefined {
  const [address = '', length, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || address.includes('%') || rest.length > 0) return undefined;
  const longest = version === 4 ? 32 : 128;
  if (length === undefined) return longest;
  return /^\d{1,3}$/.test(length) && Number(length) <= longest ? Number(length) : undefined;
}

/** @param words what else the list may contain */
export const networks = ({
  words = [],
  shortestPrefix = 0,
}: { words?: string[]; shortestPrefix?: number } = {}) =>
  makeExactValidator<string[]>((input) => {
    const list = input.split(',').map((network) => network.trim());
    const isValid = (text: string) =>
      words.includes(text) || (parsePrefixLength(text) ?? -1) >= shortestPrefix;
    if (list.every(isValid)) return list;
    const more = words.length > 0 ? `, or ${words.join(', ')}` : '';
    throw new EnvError(
      `must be a comma-separated list of addresses or networks, such as 203.0.113.0/24 and 2001:db8::/32${more}`,
    );
  });

export const secret = makeValidator<string>((input) => {
  if (Buffer.byteLength(input) < 32) throw new EnvError('must have at least 32 bytes');
  return input;
});

/** Whether tokens may be checked with a public key: RSA of 2,048 bits or more, or EC on P-256. */
export const isStrongKey = ({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): boolean =>
  asymmetricKeyType === 'rsa'
    ? (asymmetricKeyDetails?.modulusLength ?? 0) >= 2_048
    : asymmetricKeyDetails?.namedCurve === 'prime256v1';

function isStrongPublicKey(pem: string): boolean {
  if (!pem.includes('-----BEGIN PUBLIC KEY-----')) return false;
  try {
    return isStrongKey(createPublicKey(pem));
  } catch {
    return false;
  }
}

export const publicKey = makeValidator<string>((input) => {
  // In an .env file a PEM is one line, with \n for its line breaks.
  const pem = input.replaceAll('\\n', '\n');
  if (!isStrongPublicKey(pem)) {
    throw new EnvError(
      'must be a public key in PEM form (-----BEGIN PUBLIC KEY-----), RSA with 2,048 bits or more or EC on P-256',
    );
  }
  return pem;
});

/** Pairs such as `a=1,b=2`, whose values may be encoded as in a URL, as OpenTelemetry writes them. */
export const pairs = makeValidator<Record<string, string>>((input) => {
  const entries = input.split(',').map((entry) => /^\s*([\w.-]+)\s*=\s*(.*?)\s*$/.exec(entry)?.slice(1));
  const wrong = new EnvError('must be pairs separated by commas, such as name=value,other=value');
  if (!entries.every((pair) => pair !== undefined)) throw wrong;
  try {
    return Object.fromEntries(
      entries.map(([name = '', value = '']) => [name, decodeURIComponent(value)] as const),
    );
  } catch {
    throw wrong;
  }
});

/** A number that need not be whole. */
export const number = ({ min, max }: { min: number; max: number }) =>
  makeExactValidator<number>((input) => {
    const value = /^\d*\.?\d+$/.test(input) ? Number(input) : NaN;
    if (!(value >= min && value <= max)) throw new EnvError(`must be a number from ${min} to ${max}`);
    return value;
  });

/** Origins of WebSockets, comma-separated, for a Content-Security-Policy. `https:` counts as `wss:`. */
export const webSocketOrigins = makeValidator<string[]>((input) => {
  const origins = input.split(',').map((entry) => {
    const given = entry.trim().replace(/^http/, 'ws').replace(/\/$/, '');
    const url = URL.canParse(given) ? new URL(given) : undefined;
    return url && /^wss?:$/.test(url.protocol) && url.origin === given.toLowerCase() ? url.origin : undefined;
  });
  if (origins.every((origin) => origin !== undefined)) return origins;
  throw new EnvError(
    'must be a comma-separated list of origins that begin with wss:// or ws://, such as wss://voice.example.com',
  );
});

/** The prefix of the scope of an agent. */
export const AGENT_SCOPE = 'agent:';

/** The scope of a credential that may change nothing. */
export const READ_SCOPE = 'read';

/** The scope of a credential that may use the tools of `/mcp` that change something. */
export const MCP_ACT_SCOPE = 'mcp:act';

/** The scope of a credential that runs calls and campaigns, and changes nothing else. */
export const OPERATE_SCOPE = 'operate';

/** The scopes that name no agent. */
export const SCOPE_WORDS: readonly string[] = [READ_SCOPE, OPERATE_SCOPE, MCP_ACT_SCOPE];

const isOwnScope = (word: string) => word.startsWith(AGENT_SCOPE) || SCOPE_WORDS.includes(word);

export const scopeWord = makeValidator<string>((input) => {
  if (!/^[\x21\x23-\x5b\x5d-\x7e]+$/.test(input) || isOwnScope(input)) {
    throw new EnvError(
      `must be one word of a scope, without spaces, that is none of ${SCOPE_WORDS.join(', ')} and does not begin with ${AGENT_SCOPE}`,
    );
  }
  return input;
});

/** Domains of e-mail addresses, such as `example.com,example.org`, in lower case. */
export const domains = makeExactValidator<string[]>((input) => {
  const list = input.split(',').map((domain) => domain.trim().toLowerCase());
  if (!list.every((domain) => /^[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)*$/u.test(domain)))
    throw new EnvError('must be a comma-separated list of domains, such as example.com');
  return list;
});

export interface RequiredClaim {
  name: string;
  value: string;
}

/** A claim and its value, such as `groups=parley`. */
export const claim = makeExactValidator<RequiredClaim>((input) => {
  const [, name, value] = /^([^=\s]+)=(.+)$/.exec(input) ?? [];
  if (name === undefined || value === undefined)
    throw new EnvError('must be a claim and its value, such as groups=parley');
  return { name, value };
});

export const uuid = makeValidator<string>((input) => {
  if (!/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(input)) throw new EnvError('must be a UUID');
  return input.toLowerCase();
});

/** Probabilities by name, such as `answered=0.6,busy=0.4`. They add up to 1. */
export const probabilities = <Name extends string>(...names: readonly Name[]) =>
  makeExactValidator<Partial<Record<Name, number>>>((input) => {
    const entries = input.split(',').map((entry) => entry.trim().split('='));
    const isValid = ([name, value = '', ...rest]: string[]) =>
      names.some((known) => known === name) && /^(0|1|0?\.\d{1,6}|1\.0+)$/.test(value) && rest.length === 0;
    const sum = entries.reduce((total, [, value]) => total + Number(value), 0);
    const isUnique = new Set(entries.map(([name]) => name)).size === entries.length;
    if (!entries.every(isValid) || !isUnique || Math.abs(sum - 1) > 1e-6) {
      throw new EnvError(
        `must be probabilities that add up to 1, such as answered=0.6,busy=0.4, of ${names.join(', ')}`,
      );
    }
    return Object.fromEntries(entries.map(([name, value]) => [name, Number(value)])) as Partial<
      Record<Name, number>
    >;
  });

import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { consoleLogger, harmless, type Logger } from './logger';
import type { CallStart, ProviderOfWorker } from './messages';
import type { Transport } from './transport';

export interface WorkerOptions {
  /** Addresses of RabbitMQ, separated by commas, which are tried in turn. Default: `RABBITMQ_URL`. */
  url?: string;
  /** The server's setting BROKER_PREFIX. Default: `BROKER_PREFIX`, else `voice`. */
  prefix?: string;
  /** The queue of calls. Default: `PARLEY_QUEUE`, else `<prefix>.calls.default`. */
  queue?: string;
  /**
   * Declares the queue, as that of a worker pool, and binds it to the calls with these routing keys. Default: the queue
   * is there. Not with `transport`.
   */
  routingKeys?: string[];
  /** The id of the workspace to which the RabbitMQ user is confined, if it is. Default: `PARLEY_WORKSPACE`. */
  workspace?: string;
  /** The name that operators see, as they see `version`. Every workspace can see it. Default: `worker`. */
  name?: string;
  version?: string;
  /**
   * The id of this worker, in at most 200 bytes. It must differ for each worker, and every workspace can see it.
   * Default: the name, the machine, the process and a random part.
   */
  workerId?: string;
  /** The number of handlers that run at once. Default: `PARLEY_CAPACITY`, else 1. */
  capacity?: number;
  /**
   * Whether a call beyond the capacity fails as `dial_busy` at once, and does not wait for a place: for a worker that is
   * the only one. A function is asked for each call instead, for calls that take no place yet. Default: false.
   */
  refusesWhenFull?: boolean | ((call: CallStart) => boolean);
  /** The time for which calls may continue after a stop. Default: `PARLEY_DRAIN_SECONDS`, else 3,600. */
  drainSeconds?: number;
  /** A folder for reports that RabbitMQ has not confirmed, so that they survive this process. Default: memory. */
  outbox?: string;
  /** The server's HTTP address, for `call.search`. Default: the address in the server's answer. */
  apiUrl?: string;
  /** The API key. Default: the credential of the call. */
  apiKey?: string;
  /** The logger. Default: standard error. */
  logger?: Logger;
  /**
   * Whether SIGTERM and SIGINT stop the worker. If the stop cut calls, the process is ended a second later, because their
   * handlers may go on. Default: false.
   */
  handleSignals?: boolean;
  /** The transport. Default: RabbitMQ at `url`. */
  transport?: Transport;
  /** The providers of speech and language that the process asks, which operators see. At most 20 are shown. */
  providers?: () => ProviderOfWorker[];
}

/** The settings of the engine. They are copied to the engine's thread. */
export interface EngineSettings {
  urls: string[];
  prefix: string;
  queue: string;
  routingKeys: string[];
  workspace: string | undefined;
  workerId: string;
  name: string;
  version: string;
  capacity: number;
  refusesWhenFull: boolean;
  outbox: string | undefined;
}

export interface Settings {
  engine: EngineSettings;
  drainSeconds: number;
  api: { url: string | undefined; key: string | undefined };
  logger: Logger;
  handleSignals: boolean;
  transport: Transport | undefined;
  providers: (() => ProviderOfWorker[]) | undefined;
  /** Whether the handler does not get a call. @param calls the number of calls, with this one */
  isFull: (call: CallStart, calls: number) => boolean;
}

const MAX_CAPACITY = 1_000_000;
const MAX_WORKER_ID_BYTES = 200;
const LONGEST_DRAIN_SECONDS = 7 * 86_400;

/** @throws TypeError that says which option or environment variable is wrong */
export function readOptions(options: WorkerOptions): Settings {
  const env = process.env;
  const prefix = text('prefix', options.prefix, env.BROKER_PREFIX) ?? 'voice';
  const name = (text('name', options.name) ?? 'worker').slice(0, 100);
  const { transport, refusesWhenFull } = options;
  const capacity = number('capacity', options.capacity, env.PARLEY_CAPACITY, [1, MAX_CAPACITY, true]) ?? 1;
  return {
    engine: {
      urls: transport ? [] : addresses(text('url', options.url, env.RABBITMQ_URL)),
      prefix,
      queue: text('queue', options.queue, env.PARLEY_QUEUE) ?? `${prefix}.calls.default`,
      routingKeys: options.routingKeys ?? [],
      workspace: text('workspace', options.workspace, env.PARLEY_WORKSPACE),
      name,
      workerId: workerId(text('workerId', options.workerId), name),
      version: (text('version', options.version) ?? '').slice(0, 100),
      capacity,
      refusesWhenFull: Boolean(refusesWhenFull),
      outbox: text('outbox', options.outbox),
    },
    drainSeconds:
      number('drainSeconds', options.drainSeconds, env.PARLEY_DRAIN_SECONDS, [0, LONGEST_DRAIN_SECONDS]) ??
      3_600,
    api: { url: httpAddress(text('apiUrl', options.apiUrl)), key: text('apiKey', options.apiKey) },
    logger: harmless(options.logger ?? consoleLogger),
    handleSignals: options.handleSignals ?? false,
    transport,
    providers: options.providers,
    isFull:
      typeof refusesWhenFull === 'function'
        ? refusesWhenFull
        : (_, calls) => refusesWhenFull === true && calls > capacity,
  };
}

const VARIABLES: Record<string, string> = {
  url: 'RABBITMQ_URL',
  capacity: 'PARLEY_CAPACITY',
  drainSeconds: 'PARLEY_DRAIN_SECONDS',
};

/** The given value, else that of the environment; an empty text counts as absent. */
function text(option: string, given: string | undefined, fromEnvironment?: string): string | undefined {
  if (given !== undefined && typeof given !== 'string') {
    throw new TypeError(`The option ${option} must be a text.`);
  }
  return given || fromEnvironment || undefined;
}

/** The default id, which operators see. */
function workerId(given: string | undefined, name: string): string {
  if (given !== undefined) {
    if (Buffer.byteLength(given) <= MAX_WORKER_ID_BYTES) return given;
    throw new TypeError(`The option workerId must have at most ${MAX_WORKER_ID_BYTES} bytes.`);
  }
  const readable = Buffer.from(`${name} ${hostname()}:${process.pid}`).subarray(0, 150).toString('utf8');
  return `${readable.replaceAll('\uFFFD', '')} ${randomUUID()}`;
}

type Range = [min: number, max: number, whole?: boolean];

function number(
  option: string,
  given: number | undefined,
  fromEnvironment: string | undefined,
  [min, max, whole = false]: Range,
): number | undefined {
  const isGiven = given !== undefined;
  if (!isGiven && !fromEnvironment) return undefined;
  const value = isGiven ? given : Number(fromEnvironment);
  if (typeof value === 'number' && value >= min && value <= max && (!whole || Number.isInteger(value))) {
    return value;
  }
  const source = isGiven ? `The option ${option}` : `The environment variable ${VARIABLES[option]}`;
  const found = isGiven ? String(given) : `"${fromEnvironment}"`;
  throw new TypeError(
    `${source} must be ${whole ? 'a whole number' : 'a number'} from ${min} to ${max}, not ${found}.`,
  );
}

function addresses(list: string | undefined): string[] {
  if (list === undefined) {
    throw new TypeError(
      'Set the option url, or the environment variable RABBITMQ_URL, to the address of RabbitMQ.',
    );
  }
  const urls = list.split(',').map((url) => url.trim());
  for (const url of urls) {
    // The address may have a password, so the message does not repeat it.
    if (!URL.canParse(url) || !['amqp:', 'amqps:'].includes(new URL(url).protocol)) {
      throw new TypeError('An address of RabbitMQ must have the form amqp://user:password@host:5672/vhost.');
    }
  }
  return urls;
}

function httpAddress(url: string | undefined): string | undefined {
  if (url === undefined) return undefined;
  if (URL.canParse(url) && ['http:', 'https:'].includes(new URL(url).protocol))
    return url.replace(/\/+$/, '');
  throw new TypeError('The option apiUrl must begin with http:// or https://.');
}

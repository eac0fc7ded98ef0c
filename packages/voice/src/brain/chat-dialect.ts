import { parseObject } from './tools';

/** The parameters that may be left out of a request. A limit that is refused has another name first. */
const OPTIONAL = [
  'temperature',
  'max_tokens',
  'max_completion_tokens',
  'response_format',
  'stream_options',
  'tool_choice',
  'seed',
] as const;
const NO_TOOLS = [
  /\b(?:support|enable|allow|permit)\w*\W+(?:\w+\W+){0,2}(?:tools\b(?![[.])|tool[ _-](?:use|call)|function[ _-]call)/i,
  /(?:\btools\b(?![[.])|\b(?:tool[ _-](?:use|call|choice)|function[ _-]call)\w*)\W+(?:\w+\W+){0,4}(?:not|unsupported|requires?)\b/i,
  /\b(?:unsupported|unknown|unrecogni[sz]ed|unexpected)\W+(?:\w+\W+){0,4}tools\b(?![[.])/i,
];
/** A refusal of these tools only, such as of their number. */
const TOO_MANY = /too (?:long|many|large)|at most|maximum/i;
/** The owners of agents write the names of models, so what is known of them is bounded. */
const MAX_KNOWN = 1_000;

/** The parameters that a server refuses for a model. They are remembered for all calls of this process. */
export class ChatDialect {
  private static readonly known = new Map<string, ChatDialect>();
  private refused: ReadonlySet<string> = new Set();

  private constructor(private readonly place: string) {}

  /** @param url of the chat completions */
  static of(url: string, model: string): ChatDialect {
    const place = JSON.stringify([url, model]);
    return ChatDialect.known.get(place) ?? new ChatDialect(place);
  }

  /** The request without what was refused before, or now. */
  adapt(
    { max_tokens, ...request }: Record<string, unknown> & { max_tokens: number },
    refusedNow: ReadonlySet<string>,
  ): Record<string, unknown> {
    const isNamed = (name: string) => this.refused.has(name) || refusedNow.has(name);
    const isRefused = (name: string) => isNamed(name) || (name === 'tool_choice' && isNamed('tools'));
    const limit = isRefused('max_tokens') ? { max_completion_tokens: max_tokens } : { max_tokens };
    return Object.fromEntries(Object.entries({ ...request, ...limit }).filter(([name]) => !isRefused(name)));
  }

  /** A request without these was accepted. A refusal for another reason may have named one, too. */
  learn(refused: ReadonlySet<string>): void {
    if (refused.size === 0) return;
    this.refused = new Set([...this.refused, ...refused]);
    const { known } = ChatDialect;
    known.set(this.place, this);
    const [oldest] = known.keys();
    if (known.size > MAX_KNOWN && oldest !== undefined) known.delete(oldest);
  }
}

/** @returns the part of a request that a refusal names, if it may be left out */
export function findRefused(refusal: string, request: object): string | undefined {
  const sent = OPTIONAL.filter((name) => name in request);
  const param = readParam(refusal);
  const named = typeof param === 'string' ? sent.find((name) => param.split('.').includes(name)) : undefined;
  if (named !== undefined) return named;
  if ('max_tokens' in request && refusal.includes('max_completion_tokens')) return 'max_tokens';
  return (
    sent.find((name) => refusal.includes(name)) ??
    (refusesTools(refusal, param, request) ? 'tools' : undefined)
  );
}

/** A refusal of one tool says nothing about those of other agents. */
function refusesTools(refusal: string, param: unknown, request: object): boolean {
  if (!('tools' in request) || TOO_MANY.test(refusal)) return false;
  return param === 'tools' || NO_TOOLS.some((sentence) => sentence.test(refusal));
}

/** The name as OpenAI gives it. Other servers have it in a sentence. */
function readParam(refusal: string): unknown {
  try {
    const { error } = parseObject(refusal) as { error?: { param?: unknown } | null };
    return error?.param;
  } catch {
    // The body is a plain text, a page, or longer than what is read of it.
    return undefined;
  }
}

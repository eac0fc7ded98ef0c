import { CollectedFacts, type PersonCall } from '@parley/voice';
import { shorten } from '@parley/worker';
import {
  PARTIES,
  REHEARSAL_END_REASONS,
  type RehearsalEndReason,
  type RehearsalFacts,
} from '../../../platform/messaging/wire';
import type { ReportedParts, ToolUse } from './joined-parts';

/** The longest turn of the agent, as of a transcript. */
const MAX_TURN = 8_000;
/** The bytes of all frames of the runtime. */
const MAX_BYTES = 1_048_576;
const BEEP_MS = 500;
/** A runtime that does not count its tokens is counted with this many a second. */
const TOKENS_PER_SECOND = 100;
/** As of a rehearsal whose facts a runtime reports. */
const MAX_TOKENS = 100_000_000;

type End = RehearsalFacts['end'];

/** The side of the person in the call of a runtime. The frames are those with which a browser writes. */
export class JoinedCall implements PersonCall {
  isOver = false;
  /** The end; undefined while it goes on, and if the connection was cut. */
  end?: End;
  readonly messages: PersonCall['conversation']['messages'] = [];
  /** In writing, no interruption is played. */
  readonly agent = { lastTurn: '', begun: 0, speaksSince: undefined, interrupted: () => undefined };
  private readonly facts = new CollectedFacts();
  private readonly gaps: number[] = [];
  private readonly startedAt = new Date();
  private endedAt = this.startedAt;
  private isListening = false;
  /** Whether the agent has said something since the last words of the person. */
  private hasAnswered = false;
  /** When the person has said something that has no answer yet. */
  private askedAt?: number;
  private bytes = 0;
  private isLimited = false;
  private wake: () => void = () => undefined;

  /** @param send gives the runtime a frame */
  constructor(private readonly send: (frame: object) => void) {}

  get conversation(): this {
    return this;
  }

  get awaits(): 'hello' | 'turn' | undefined {
    if (!this.isListening) return undefined;
    if (this.hasAnswered) return 'turn';
    return this.messages.length === 0 ? 'hello' : undefined;
  }

  get now(): number {
    return performance.now();
  }

  start(): void {
    this.send({ event: 'start', mediaFormat: null });
  }

  /** Takes a message of the runtime. @returns false if it makes no sense, or is too much */
  receive(data: unknown): boolean {
    if (this.isOver) return true;
    this.bytes += typeof data === 'string' ? Buffer.byteLength(data) : MAX_BYTES;
    const frame = this.bytes <= MAX_BYTES ? parseFrame(data) : undefined;
    const isKnown = frame !== undefined && this.take(frame);
    this.wake();
    return isKnown;
  }

  async pass(ms: number, until: () => boolean = () => false): Promise<void> {
    const end = this.now + ms;
    while (!this.isOver && !until() && this.now < end) {
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        this.wake = resolve;
        if (ms < Infinity) timer = setTimeout(resolve, end - this.now);
      });
      clearTimeout(timer);
    }
  }

  prepare(): Promise<number> {
    return Promise.resolve(0);
  }

  says(words: string): Promise<void> {
    return Promise.resolve(void this.read(words));
  }

  noise(ms: number): Promise<void> {
    return this.pass(ms);
  }

  beep(): Promise<void> {
    return this.pass(BEEP_MS);
  }

  read(text: string): undefined {
    this.said(text, { event: 'text', text });
  }

  press(digit: string): void {
    this.said(`DTMF ${digit}`, { event: 'dtmf', dtmf: { digit } });
  }

  hangUp(): void {
    this.stop({ reason: 'user_hangup', by: 'user' });
  }

  /** It takes longer than a rehearsal may. */
  limit(): void {
    if (this.isOver) return;
    this.isLimited = true;
    this.stop({ reason: 'max_duration_reached', by: 'system' });
  }

  /** @param end undefined: without an end that counts */
  stop(end?: End): void {
    if (this.isOver) return;
    this.send({ event: 'stop' });
    this.finish(end);
  }

  /** The connection is over. */
  closed(): void {
    this.finish();
  }

  /** The facts, with those that the runtime has reported. */
  toFacts({ end = this.end, ...reported }: ReportedParts, uses: ToolUse[]): RehearsalFacts {
    for (const { name, arguments: given, mock, askedAt, result, error } of uses)
      this.facts.add({
        ...{ speaker: 'tool', text: name, at_ms: Math.max(0, askedAt - this.startedAt.getTime()) },
        tool: { name, arguments: given, result: error === null ? result : { error }, closed: mock === null },
      });
    const { outcome = '', optOut = false, fields = {} } = reported;
    const seconds = (this.endedAt.getTime() - this.startedAt.getTime()) / 1_000;
    const tokens = fields.llm_tokens;
    const gaps = this.gaps.toSorted((a, b) => a - b);
    return this.facts.toFacts(
      {
        end: (this.end?.by === 'user' ? this.end : end) ?? { reason: 'error', by: 'system' },
        ...{ outcome, opt_out: optOut },
        results: listResults(uses),
        variables: Object.fromEntries(
          Object.entries(fields).map(([name, value]) => [name, String(value ?? '')]),
        ),
        figures: {
          ...{
            turn_gap_ms_p95: gaps[Math.ceil(gaps.length * 0.95) - 1] ?? null,
            interrupted_ms: null,
            seconds,
          },
          tokens: isCount(tokens) ? Math.min(tokens, MAX_TOKENS) : Math.ceil(TOKENS_PER_SECOND * seconds),
        },
      },
      this.isLimited,
    );
  }

  private said(text: string, frame: object): void {
    if (this.isOver) return;
    this.isListening = this.hasAnswered = false;
    this.askedAt = this.now;
    this.messages.push({ role: 'user', text });
    this.turn('user', text);
    this.send(frame);
  }

  /** @returns whether it makes sense. A later runtime may have events that this server does not know. */
  private take({ event, speaker, text, final, state, reason }: Record<string, unknown>): boolean {
    switch (event) {
      case 'transcript':
        if (typeof text !== 'string' || typeof final !== 'boolean') return false;
        if (speaker === 'agent') this.heard(shorten(text, MAX_TURN), final);
        return speaker === 'agent' || speaker === 'user';
      case 'state':
        this.isListening = state === 'listening';
        if (state === 'speaking') this.answered();
        return this.isListening || state === 'thinking' || state === 'speaking';
      case 'ended':
        if (typeof reason === 'string') this.finish(toEnd(reason));
        return typeof reason === 'string';
      default:
        return typeof event === 'string';
    }
  }

  private heard(text: string, final: boolean): void {
    this.answered();
    if (!final) return;
    this.hasAnswered = true;
    this.agent.lastTurn = text;
    this.agent.begun++;
    this.messages.push({ role: 'agent', text });
    this.turn('agent', text);
    if (this.facts.isFull) this.limit();
  }

  /** The agent begins to answer. */
  private answered(): void {
    if (this.askedAt !== undefined) this.gaps.push(Math.round(this.now - this.askedAt));
    this.askedAt = undefined;
  }

  private turn(speaker: 'user' | 'agent', text: string): void {
    this.facts.add({ speaker, text, at_ms: Date.now() - this.startedAt.getTime() });
  }

  private finish(end?: End): void {
    if (this.isOver) return;
    this.isOver = true;
    this.end = end;
    this.endedAt = new Date();
    this.wake();
  }
}

/** The end that a runtime reports. A party that is not known follows from the reason. */
export function toEnd(reason: string, by?: string): End {
  const known = REHEARSAL_END_REASONS.find((each) => each === reason && each !== 'limit') ?? 'error';
  const party = PARTIES.find((each) => each === by);
  return { reason: known, by: party ?? USUAL_PARTY[known] ?? 'system' };
}

const USUAL_PARTY: Partial<Record<RehearsalEndReason, End['by']>> = {
  user_hangup: 'user',
  agent_hangup: 'agent',
  call_transfer: 'agent',
};

/** The variables of the answers. A later answer counts more. */
const listResults = (uses: ToolUse[]): Record<string, string> =>
  Object.fromEntries(
    uses.toSorted((a, b) => a.dueAt - b.dueAt).flatMap(({ variables = {} }) => Object.entries(variables)),
  );

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

function parseFrame(data: unknown): Record<string, unknown> | undefined {
  try {
    const frame: unknown = JSON.parse(data as string);
    return typeof frame === 'object' && frame !== null ? (frame as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

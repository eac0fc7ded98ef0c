import { type AnalysisOptions, type AnalysisValues, toAnalysisReport } from './analysis';
import type { Call, Recording, Turn } from './call';
import type { CallEnd, EndedCall } from './ending';
import { CallInterrupted } from './errors';
import { jsonSize } from './json-size';
import { fitting, fittingTool, LENGTHS, MAX_BYTES, shorten } from './limits';
import {
  type CallStart,
  type Judgement,
  type RehearsalFacts,
  SPEAKERS,
  type TranscriptTurn,
  TYPES,
} from './messages';
import type { RecordingSource, RecordOptions } from './recording-upload';
import type { Passage, SearchOptions } from './search';
import type { ToolInvocation, ToolOptions, WaitOptions } from './tools';
import type { AllowedTransfer } from './transfers';

/** The server stores no more turns. */
const MAX_TURNS = 5_000;
const MAX_WARNINGS = 20;
const LONGEST_JOIN_MS = 3_600_000;
const LONGEST_LISTENING_MS = 86_400_000;

/** The functions of the worker that a call uses. */
export interface CallPorts {
  /** Resolves when the report is kept. */
  report: (type: string, fields: object) => Promise<void>;
  turn: (turn: TranscriptTurn) => void;
  search: (query: string, options: SearchOptions, signal: AbortSignal) => Promise<Passage[]>;
  record: (source: RecordingSource, options: RecordOptions) => Promise<string>;
  allowTransfer: (to: string, signal: AbortSignal) => Promise<AllowedTransfer>;
  tool: (name: string, given: object, options: ToolOptions) => Promise<ToolInvocation>;
  waitForTool: (asked: ToolInvocation, options: WaitOptions) => Promise<ToolInvocation>;
  /** Whether the call takes a place of the worker from now on. */
  place: (isTaken: boolean) => void;
  warn: (message: string) => void;
}

export class HeldCall implements Call, EndedCall {
  readonly id: string;
  readonly direction: 'outbound' | 'inbound';
  readonly signal: AbortSignal;
  private readonly interrupting = new AbortController();
  private connectedSince: Date | undefined;
  private kept: Promise<void> | undefined;
  private turns = 0;
  private warnings = 0;
  /** Whether it takes a place of the worker. */
  takesPlace = true;
  /** The end, once the call is over. */
  end: CallEnd | undefined;

  constructor(
    readonly start: CallStart,
    readonly leaseSeconds: number,
    private readonly ports: CallPorts,
  ) {
    this.id = start.conversation_id;
    this.direction = start.direction;
    this.signal = this.interrupting.signal;
  }

  joinable(url: string, expiresAt: Date): Promise<void> {
    checkAddress('The url of a web call', url);
    const expires_at = time('expiresAt', expiresAt);
    if (expiresAt.getTime() > Date.now() + LONGEST_JOIN_MS)
      throw new TypeError('expiresAt must be at most an hour ahead.');
    const isJoined = this.start.rehearsal?.mode === 'joined';
    if (this.start.call_type !== 'webcall' && !isJoined)
      throw new Error(`The call ${this.id} is no web call.`);
    if (this.kept || this.end) {
      this.ports.warn(
        `call.joinable() of ${this.id} came after the call was connected, and was not reported.`,
      );
      return Promise.resolve();
    }
    return this.ports.report(TYPES.joinable, { url, expires_at });
  }

  listenable(url: string, expiresAt: Date): Promise<void> {
    checkAddress('The url for listeners', url);
    const expires_at = time('expiresAt', expiresAt);
    if (expiresAt.getTime() > Date.now() + LONGEST_LISTENING_MS)
      throw new TypeError('expiresAt must be at most a day ahead.');
    if (this.end) {
      this.ports.warn(`call.listenable() of ${this.id} came after its end, and was not reported.`);
      return Promise.resolve();
    }
    return this.ports.report(TYPES.joinable, { listen: { url, expires_at } });
  }

  connected(at: Date = new Date()): Promise<void> {
    if (this.kept) return this.kept;
    if (this.end) {
      this.ports.warn(`call.connected() of ${this.id} came after its end, and was not reported.`);
      return Promise.resolve();
    }
    const occurred_at = time('at', at);
    this.connectedSince = at;
    this.kept = this.ports.report(TYPES.connected, { occurred_at });
    return this.kept;
  }

  turn({ speaker, text, startedAt = new Date(), endedAt, tool }: Turn): number | undefined {
    if (!SPEAKERS.includes(speaker))
      throw new TypeError(`The speaker of a turn must be one of: ${SPEAKERS.join(', ')}.`);
    if (typeof text !== 'string') throw new TypeError('The text of a turn must be a text.');
    if (tool !== undefined && typeof tool?.name !== 'string')
      throw new TypeError('The tool of a turn needs a name.');
    const times = {
      started_at: time('startedAt', startedAt),
      ...(endedAt !== undefined && { ended_at: time('endedAt', endedAt) }),
    };
    if (this.turns === MAX_TURNS) return undefined;
    this.turns += 1;
    if (this.turns === MAX_TURNS)
      this.ports.warn(`The transcript of ${this.id} has ${MAX_TURNS} turns, and gets no more.`);
    const sequence = this.turns;
    this.ports.turn(
      fitting((share) => ({
        ...{ sequence, speaker, text: shorten(text, LENGTHS.turn * share), ...times },
        ...(tool && { tool: fittingTool(tool, share) }),
      })),
    );
    return sequence;
  }

  recorded({ url, durationSec }: Recording): Promise<void> {
    const parsed =
      typeof url === 'string' && URL.canParse(url) && url.length <= LENGTHS.url ? new URL(url) : undefined;
    if (!parsed || !['http:', 'https:'].includes(parsed.protocol) || parsed.username || parsed.password) {
      throw new TypeError(
        `The url of a recording must begin with http:// or https://, without a password, and have at most ${LENGTHS.url} characters.`,
      );
    }
    const isDuration = typeof durationSec === 'number' && durationSec >= 0 && durationSec <= 1_000_000_000;
    if (durationSec !== undefined && !isDuration) {
      throw new TypeError('The durationSec of a recording must be a number of seconds.');
    }
    const duration = durationSec === undefined ? {} : { duration_sec: durationSec };
    return this.ports.report(TYPES.recorded, { recording_url: url, ...duration });
  }

  analyzed(fields: AnalysisValues, options: AnalysisOptions = {}): Promise<void> {
    return this.ports.report(TYPES.analyzed, toAnalysisReport(fields, options));
  }

  rehearsed(facts: RehearsalFacts): Promise<void> {
    const { bytes } = jsonSize(facts);
    if (bytes > MAX_BYTES)
      throw new TypeError(`The facts about a rehearsal have at most ${MAX_BYTES} bytes, not ${bytes}.`);
    return this.reportOfRehearsal('rehearsed', { facts });
  }

  judged(answers: readonly Judgement[], tokens: number): Promise<void> {
    return this.reportOfRehearsal(
      'judged',
      fitting((share) => ({
        answers: answers.map(({ pass, reason }) => ({
          ...{ pass, reason: shorten(reason, Math.floor(LENGTHS.text * share)) },
        })),
        tokens,
      })),
    );
  }

  allowTransfer(to: string): Promise<AllowedTransfer> {
    return this.ports.allowTransfer(to, this.signal);
  }

  tool(name: string, given: object = {}, options: ToolOptions = {}): Promise<ToolInvocation> {
    return this.ports.tool(name, given, options);
  }

  waitForTool(asked: ToolInvocation, options: WaitOptions = {}): Promise<ToolInvocation> {
    return this.ports.waitForTool(asked, options);
  }

  releasePlace(): void {
    this.setPlace(false);
  }

  takePlace(): void {
    this.setPlace(true);
  }

  record(source: RecordingSource, options: RecordOptions): Promise<string> {
    return this.ports.record(source, options);
  }

  warn(code: string, text: string): Promise<void> {
    if (typeof code !== 'string' || typeof text !== 'string')
      throw new TypeError('The code and the text of a warning must be texts.');
    if (this.warnings === MAX_WARNINGS) return Promise.resolve();
    this.warnings += 1;
    return this.ports.report(TYPES.warning, {
      code: shorten(code, LENGTHS.warningCode),
      text: shorten(text, LENGTHS.warning),
      occurred_at: new Date().toISOString(),
    });
  }

  search(query: string, options: SearchOptions = {}): Promise<Passage[]> {
    return this.ports.search(query, options, this.signal);
  }

  get isConnected(): boolean {
    return this.connectedSince !== undefined;
  }

  get connectedAt(): Date | undefined {
    return this.connectedSince;
  }

  get transcriptTurns(): number {
    return this.turns;
  }

  get interruption(): CallInterrupted | undefined {
    return this.signal.aborted ? (this.signal.reason as CallInterrupted) : undefined;
  }

  interrupt(code: CallInterrupted['code']): void {
    this.interrupting.abort(new CallInterrupted(code));
  }

  private reportOfRehearsal(name: 'rehearsed' | 'judged', fields: object): Promise<void> {
    if (this.start.call_type !== 'rehearsal') throw new Error(`The call ${this.id} is no rehearsal.`);
    if (this.end) {
      this.ports.warn(`call.${name}() of ${this.id} came after its end, and was not reported.`);
      return Promise.resolve();
    }
    return this.ports.report(TYPES[name], fields);
  }

  private setPlace(isTaken: boolean): void {
    if (this.takesPlace === isTaken || this.end) return;
    this.takesPlace = isTaken;
    this.ports.place(isTaken);
  }
}

function checkAddress(name: string, url: string): void {
  const isAddress = typeof url === 'string' && /^(wss?|https?):\/\/\S+$/i.test(url) && URL.canParse(url);
  if (isAddress && url.length <= LENGTHS.url) return;
  throw new TypeError(
    `${name} must begin with ws://, wss://, http:// or https://, and have at most ${LENGTHS.url} characters.`,
  );
}

function time(name: string, date: Date): string {
  if (date instanceof Date && !Number.isNaN(date.getTime())) return date.toISOString();
  throw new TypeError(`${name} must be a valid Date.`);
}

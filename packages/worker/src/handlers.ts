import type { Call } from './call';
import {
  type CallEnd,
  type CallResult,
  cutEnding,
  toCallEnd,
  endReport,
  type HandlerOutcome,
  isExpected,
} from './ending';
import { CallFailed, type CallInterrupted, describeThrown } from './errors';
import { HeldCall } from './held-call';
import type { Logger } from './logger';
import type { CallStart, TranscriptTurn } from './messages';
import type { CallKey, Grant, Report } from './protocol';
import type { RecordingUpload } from './recording-upload';
import type { KnowledgeSearch } from './search';
import type { ToolPort } from './tools';
import type { Transfers } from './transfers';
import { type BrokerNames, CallTrace } from './tracing';

/** Conducts one call. Its result is the end of the call. */
export type Handler = (call: Call) => Promise<CallResult | void> | CallResult | void;

export interface HandlersOptions {
  handler: Handler;
  /** Whether a call fails as busy. @param calls the number of calls, with this one */
  isFull: (start: CallStart, calls: number) => boolean;
  logger: Logger;
  broker: BrokerNames;
  search: KnowledgeSearch;
  recordings: RecordingUpload;
  transfers: Transfers;
  tools: ToolPort;
  report: (report: Report) => Promise<void>;
  turn: (call: CallKey, turn: TranscriptTurn, traceparent: string | undefined) => void;
  /** Whether the call takes a place from now on. */
  placed: (conversationId: string, isTaken: boolean) => void;
  began: (call: Call) => void;
  ended: (end: CallEnd, call: Call) => void;
  failed: (error: Error, call: Call) => void;
}

interface Handled {
  call: HeldCall;
  key: CallKey;
  trace: CallTrace;
}

/** Runs the handler for each call, and reports how it ended. */
export class Handlers {
  private readonly running = new Map<string, Handled>();
  private readonly unfinished = new Set<Promise<CallEnd>>();
  /** The interruption that applies at once to calls that begin from now on. */
  private interruption: CallInterrupted['code'] | undefined;
  private isCutting = false;

  constructor(private readonly options: HandlersOptions) {}

  /** The number of calls that take a place. */
  get size(): number {
    return [...this.running.values()].filter(({ call }) => call.takesPlace).length;
  }

  /**
   * Resolves when the call has ended and its end is kept.
   * @param queue of the message of the call; undefined for a call that reached the worker
   */
  begin(start: CallStart, key: CallKey, { api, leaseSeconds }: Grant, queue?: string): Promise<CallEnd> {
    const { report, turn, search, recordings, transfers, tools, placed, logger, broker } = this.options;
    const trace = new CallTrace(start, broker, queue);
    const call = new HeldCall(start, leaseSeconds, {
      report: (type, fields) =>
        trace.publish(type, (traceparent) => report({ call: key, type, fields, traceparent })),
      turn: (spoken) => turn(key, spoken, trace.traceparent),
      search: (query, options, signal) => search.search({ start, api }, query, options, signal),
      record: (source, options) => recordings.send({ id: start.conversation_id, api }, source, options),
      allowTransfer: (to, signal) => transfers.allow({ id: start.conversation_id, api }, to, signal),
      tool: (name, given, options) => tools.ask({ start, api }, name, given, options),
      waitForTool: (asked, options) => tools.wait({ start, api }, asked, options),
      place: (isTaken) => placed(start.conversation_id, isTaken),
      warn: (message) => logger.warn(message),
    });
    const handled = { call, key, trace };
    this.running.set(call.id, handled);
    const ended = this.handle(handled).finally(() => this.unfinished.delete(ended));
    this.unfinished.add(ended);
    return ended;
  }

  hangUp(conversationId: string): void {
    this.running.get(conversationId)?.call.interrupt('hangup');
  }

  /** Aborts the signals of all calls, also of those that begin later. */
  interrupt(code: CallInterrupted['code']): void {
    this.interruption = code;
    for (const { call } of this.running.values()) call.interrupt(code);
  }

  /** Reports the end of all calls whose handlers run, also of those that begin later. @returns their number */
  async cut(): Promise<number> {
    this.isCutting = true;
    const cut = [...this.running.values()];
    await Promise.all(cut.map((handled) => this.cutOne(handled)));
    return cut.length;
  }

  /** Resolves when no handler runs. */
  async idle(): Promise<void> {
    while (this.unfinished.size > 0) await Promise.allSettled(this.unfinished);
  }

  private async handle(handled: Handled): Promise<CallEnd> {
    const { call } = handled;
    if (this.interruption) call.interrupt(this.interruption);
    if (this.isCutting) return this.cutOne(handled);
    const refusal = this.refuse(call);
    if (refusal) return this.end(handled, this.ending(call, refusal));
    this.options.began(call);
    const outcome = await this.run(handled);
    // The call may have been cut in the meantime.
    if (call.end) return call.end;
    return this.end(handled, this.ending(call, outcome));
  }

  /** The outcome of a call that the handler does not get. */
  private refuse({ start }: HeldCall): HandlerOutcome | undefined {
    try {
      return this.options.isFull(start, this.size) ? { threw: new CallFailed('dial_busy') } : undefined;
    } catch (error) {
      return { threw: error };
    }
  }

  private cutOne(handled: Handled): Promise<CallEnd> {
    const { call } = handled;
    const message = `The call ${call.id} was cut: its handler has not ended.`;
    this.options.logger.error(message);
    this.options.failed(new Error(message), call);
    return this.end(handled, cutEnding(call));
  }

  /**
   * The end of a call by the outcome of its handler. The handler may return or throw any value, even one that
   * throws when it is read.
   */
  private ending(call: HeldCall, outcome: HandlerOutcome): CallEnd {
    try {
      const end = toCallEnd(call, outcome);
      if ('threw' in outcome && !isExpected(call, outcome.threw)) this.fail(call, outcome.threw);
      return end;
    } catch (error) {
      this.fail(call, error);
      return cutEnding(call);
    }
  }

  private async run({ call, trace }: Handled): Promise<HandlerOutcome> {
    try {
      return { returned: await trace.handle(async () => this.options.handler(call)) };
    } catch (error) {
      return { threw: error };
    }
  }

  private async end({ call, key, trace }: Handled, end: CallEnd): Promise<CallEnd> {
    call.end = end;
    this.running.delete(call.id);
    const report = endReport(end, new Date(), call.connectedAt, call.transcriptTurns);
    await trace.publish(report.type, (traceparent) =>
      this.options.report({ call: key, end: true, ...report, traceparent }),
    );
    this.options.ended(end, call);
    return end;
  }

  private fail(call: HeldCall, thrown: unknown): void {
    const what = describeThrown(thrown);
    this.options.logger.error(`The handler of the call ${call.id} failed: ${what}`);
    this.options.failed(thrown instanceof Error ? thrown : new Error(what), call);
  }
}

import type { AnalysisOptions, AnalysisValues } from './analysis';
import type { CallEnd } from './ending';
import { type CallStartChanges, exampleCall } from './example-call';
import { FakeTools, listTools, type ToolFunctions } from './fake-tools';
import { FakeTransport } from './fake-transport';
import type { Handler } from './handlers';
import { consoleLogger } from './logger';
import {
  type ApiOfCall,
  type IncomingCall,
  type Speaker,
  type ToolUse,
  type TranscriptTurn,
  TYPES,
} from './messages';
import type { WorkerOptions } from './options';
import { Worker } from './worker';

export interface OfferOptions {
  /** Fields of the call that matter to the test; the others are those of an example. */
  start?: CallStartChanges;
  /** The time after which a client hangs up, from the grant of the call. */
  hangUpAfterMs?: number;
  /** The credential of the call, and the address of a server for `call.search`. Default: none */
  api?: ApiOfCall;
  /**
   * The tools of the call, by name: `call.tool` gives what the function returns, and is refused with the message of what
   * it throws. The message of the call has them beside those of `start.tools`, which may describe them.
   */
  tools?: ToolFunctions;
  /** Whether the call reaches the worker, instead of being placed by it. */
  incoming?: boolean | Partial<IncomingCall>;
}

/** The data that the server would have received about a call. */
export interface OfferedCall {
  /** The reports in their order, as they are sent; without heartbeats. */
  events: { type: string; body: Record<string, unknown> }[];
  turns: { sequence: number; speaker: Speaker; text: string; tool?: ToolUse }[];
  /** The latest analysis; undefined: none was reported */
  analysis?: { fields: AnalysisValues } & AnalysisOptions;
  end: Pick<CallEnd, 'type' | 'reason' | 'by' | 'summary' | 'outcome'>;
}

export interface FakeServer {
  /** Runs the handler for one call. Resolves when the call has ended and everything is reported. */
  offer(handler: Handler, options?: OfferOptions): Promise<OfferedCall>;
}

/**
 * A server without RabbitMQ, for tests of a handler.
 * @param options the options of the worker, such as `apiUrl`
 */
export function fakeServer(options: Omit<WorkerOptions, 'transport'> = {}): FakeServer {
  const quiet = { ...consoleLogger, info: () => undefined };
  return { offer: (handler, offered = {}) => offer({ logger: quiet, ...options }, handler, offered) };
}

async function offer(
  options: WorkerOptions,
  handler: Handler,
  { start, hangUpAfterMs, incoming = false, api, tools }: OfferOptions,
): Promise<OfferedCall> {
  const call = exampleCall({ ...start, tools: listTools(tools ?? {}, start?.tools) });
  let hangUp: NodeJS.Timeout | undefined;
  const transport = new FakeTransport(call, api, () => {
    if (hangUpAfterMs !== undefined) hangUp ??= setTimeout(() => transport.hangUp(), hangUpAfterMs);
  });
  // A test with the address of a server asks that server for tools.
  const asked = tools || !api ? new FakeTools(tools ?? {}) : undefined;
  const worker = new Worker({ ...options, transport }, handler, asked);
  const ended = new Promise<CallEnd>((resolve) => worker.on('end', resolve));
  worker.on('state', (state) => {
    if (state !== 'running') return;
    if (incoming === false) transport.offer();
    else
      void worker.incoming({
        to_number: call.to_number,
        from_number: call.from_number,
        ...(incoming === true ? {} : incoming),
      });
  });
  const stopped = worker.run();
  const { type, reason, by, summary, outcome } = await Promise.race([ended, stopped.then(() => ended)]);
  clearTimeout(hangUp);
  await worker.stop();
  await stopped;
  return {
    events: transport.events,
    turns: toTurns(transport.events),
    ...findAnalysis(transport.events),
    end: { type, reason, by, summary, outcome },
  };
}

function toTurns(events: OfferedCall['events']): OfferedCall['turns'] {
  const transcripts = events.filter(({ type }) => type === TYPES.transcript);
  return transcripts.flatMap(({ body }) =>
    (body.turns as TranscriptTurn[]).map(({ sequence, speaker, text, tool }) => ({
      ...{ sequence, speaker, text },
      ...(tool && { tool }),
    })),
  );
}

function findAnalysis(events: OfferedCall['events']): Pick<OfferedCall, 'analysis'> {
  const report = events.findLast(({ type }) => type === TYPES.analyzed);
  if (!report) return {};
  const { fields, criteria, opt_out } = report.body;
  return {
    analysis: {
      fields: fields as AnalysisValues,
      ...(criteria !== undefined && { criteria: criteria as AnalysisOptions['criteria'] }),
      ...(opt_out !== undefined && { optOut: opt_out as boolean }),
    },
  };
}

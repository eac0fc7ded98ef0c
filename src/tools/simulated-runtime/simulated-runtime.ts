import { Logger } from '@nestjs/common';
import { type Call, type CallResult, createWorker, IncomingRefused, type Worker } from '@parley/worker';
import type { RuntimeOutcome } from '../../config';
import { settleWithin } from '../../platform/messaging/settle-within';
import { BrokerTransport, type BrokerTransportOptions } from '../broker-transport/broker-transport';
import { playCallee } from './play-callee';
import { outcomeBy, chooseScenario } from './scenario';
import { playCall } from './simulated-call';

const DEFAULT_CAPACITY = 2_000;

const DEFAULT_PACE_MS = 250;
const DEFAULT_GRACE_MS = 4_000;

/** The time for the reports of interrupted calls. */
const REPORT_TIMEOUT_MS = 1_000;

export interface SimulatedRuntimeOptions extends BrokerTransportOptions {
  /** The id of the runtime in the server's logs. */
  workerId: string;
  /** The address of the server that has the recordings. Default: there are none. */
  publicUrl?: string;
  /** Milliseconds that each line of a conversation takes. */
  pace?: number;
  /** Milliseconds that calls may continue after a stop. */
  graceMs?: number;
  /** The probabilities of the outcomes. Default: the number of each call decides. */
  outcomes?: Partial<Record<RuntimeOutcome, number>>;
  /** The number of calls at once. */
  capacity?: number;
  /** Whether the variable `callee` of a call decides how it goes, for tests of the runtime contract. */
  isConformance?: boolean;
}

/** An agent runtime without telephony: a worker of `@parley/worker` that plays scripted conversations. */
export class SimulatedRuntime {
  private readonly logger = new Logger(SimulatedRuntime.name);
  private readonly transport: BrokerTransport;
  private readonly worker: Worker;
  /** The calls whose person calls back. */
  private readonly callingBack = new Set<string>();

  constructor(private readonly options: SimulatedRuntimeOptions) {
    this.transport = new BrokerTransport(options);
    this.worker = createWorker(
      {
        transport: this.transport,
        queue: options.topology.callsQueue,
        workerId: options.workerId,
        name: 'Simulated runtime',
        version: '1',
        capacity: options.capacity ?? DEFAULT_CAPACITY,
        logger: {
          debug: (message) => this.logger.debug(message),
          info: (message) => this.logger.log(message),
          warn: (message) => this.logger.warn(message),
          error: (message) => this.logger.error(message),
        },
      },
      (call) => this.play(call),
    );
    this.worker.on('end', ({ conversationId }, { start }) => {
      if (this.callingBack.delete(conversationId)) void this.callBack(start);
    });
  }

  /** Resolves when the runtime takes calls. */
  async start(): Promise<void> {
    const running = new Promise<void>((resolve) =>
      this.worker.on('state', (state) => state === 'running' && resolve()),
    );
    await Promise.race([running, this.worker.run()]);
  }

  /**
   * Plays a call that reaches this runtime, until its end.
   * @returns why it must not be answered; undefined: it was played
   */
  async receive(call: Parameters<Worker['incoming']>[0]): Promise<string | undefined> {
    try {
      await this.worker.incoming(call);
      return undefined;
    } catch (error) {
      if (error instanceof IncomingRefused) return error.reason;
      throw error;
    }
  }

  /** Takes no further calls, interrupts those that do not end within the grace period, and reports on all of them. */
  async stop(): Promise<void> {
    const { graceMs = DEFAULT_GRACE_MS } = this.options;
    await settleWithin(graceMs + REPORT_TIMEOUT_MS, this.worker.stop({ seconds: graceMs / 1_000 }));
    this.transport.abandon();
  }

  private async play(call: Call): Promise<CallResult | void> {
    const { pace = DEFAULT_PACE_MS, publicUrl, outcomes, isConformance } = this.options;
    if (isConformance) return playCallee(call);
    const scenario = chooseScenario(call.start, outcomes && outcomeBy(outcomes, Math.random()));
    if (scenario.kind === 'crash') return this.transport.lose(call.id);
    const result = await playCall(call, scenario, { pace, publicUrl });
    if (scenario.kind === 'conversation' && scenario.callsBack && !call.signal.aborted) {
      this.callingBack.add(call.id);
    }
    return result;
  }

  /** The person of the call calls the number that they were called from. */
  private async callBack({ conversation_id, to_number, from_number }: Call['start']): Promise<void> {
    if (from_number === '') return;
    const refusal = await this.receive({ to_number: from_number, from_number: to_number });
    if (refusal === undefined) return;
    this.logger.log({ conversationId: conversation_id, refusal }, 'A person could not call back');
  }
}

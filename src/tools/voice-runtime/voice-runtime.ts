import { Logger } from '@nestjs/common';
import {
  BrowserDoor,
  type Carrier,
  createCarrier,
  createRehearsalWorker,
  joinedHandler,
  LocalSpeech,
  ProviderHealth,
  type RuntimeSettings,
  type SignatureListener,
  voiceHandler,
  VoiceMetrics,
  WebPlaces,
} from '@parley/voice';
import { createWorker, type Worker, type WorkerOptions } from '@parley/worker';
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Registry } from 'prom-client';
import type { MessageBroker } from '../../platform/messaging/message-broker';
import { settleWithin } from '../../platform/messaging/settle-within';
import { PHONE_CALLS_KEY, type Topology, WEB_CALLS_KEY } from '../../platform/messaging/topology';
import { BrokerTransport } from '../broker-transport/broker-transport';

/** The time for calls that a stop interrupts, and for their reports. */
const STOP_TIMEOUT_MS = 6_000;

export interface VoiceRuntimeOptions extends RuntimeSettings {
  broker: MessageBroker;
  topology: Topology;
  registry: Registry;
}

/**
 * The voice runtime as a part of the server: it takes web calls, and their people come through the server's port. With a
 * carrier, it takes phone calls too.
 */
export class VoiceRuntime {
  private readonly logger = new Logger(VoiceRuntime.name);
  private readonly door = new BrowserDoor();
  private readonly speech = new LocalSpeech();
  private readonly metrics: VoiceMetrics;
  private readonly workers: Pick<Worker, 'run' | 'stop' | 'stats'>[] = [];
  private readonly transports: BrokerTransport[] = [];
  private phones: { carrier: Carrier; close(): Promise<void> } | undefined;

  constructor(private readonly options: VoiceRuntimeOptions) {
    this.metrics = new VoiceMetrics(options.registry);
  }

  /** Whether a request with `Upgrade` is for this runtime. */
  isFor(request: IncomingMessage): boolean {
    return this.door.isFor(request);
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean {
    const isTaken = this.phones?.carrier.upgrade(request, socket, head) ?? false;
    return isTaken || this.door.upgrade(request, socket, head);
  }

  /** Whether a request with `Upgrade` is the audio of a phone call that waits for it. */
  expects(request: IncomingMessage): boolean {
    return this.phones?.carrier.expects(request) ?? false;
  }

  /** Answers a webhook of the carrier. @returns false if it is none */
  handle(request: IncomingMessage, response: ServerResponse, signature: SignatureListener): boolean {
    return this.phones?.carrier.handle(request, response, signature) ?? false;
  }

  /**
   * Takes calls from now on.
   * @param publicUrl where browsers reach the server
   * @param localUrl where this process reaches it
   * @param port at which it listens
   */
  async start({
    publicUrl,
    localUrl,
    port,
  }: {
    publicUrl: string;
    localUrl: string;
    port: number;
  }): Promise<void> {
    const { broker, topology, capacity, rehearsals, drainSeconds, notes, carrier } = this.options;
    const { models, accounts, fallbacks } = this.options;
    const health = new ProviderHealth(fallbacks.breaker, this.metrics);
    const webSocketUrl = publicUrl.replace(/^http/, 'ws');
    for (const note of notes) this.logger.log(note);
    const logger = {
      debug: (message: string) => this.logger.debug(message),
      info: (message: string) => this.logger.log(message),
      warn: (message: string) => this.logger.warn(message),
      error: (message: string) => this.logger.error(message),
    };
    if (carrier)
      this.phones = await createCarrier(carrier, {
        ...{ publicUrl: webSocketUrl, port, speech: this.speech, logger },
      });
    const options = { drainSeconds, apiUrl: localUrl, logger, providers: () => health.report() };
    const places = new WebPlaces(capacity.web);
    const parts = {
      ...{ door: this.door, speech: this.speech, metrics: this.metrics, publicUrl: webSocketUrl },
      ...{ models, accounts, fallbacks, health, logger, places },
    };
    const toOptions = (queue: string, poolKeys?: string[]) => {
      const transport = new BrokerTransport({ broker, topology, poolKeys });
      this.transports.push(transport);
      return {
        ...{ transport, queue, name: 'Voice runtime', version: '1' },
        // Workspaces see it, so it contains nothing about the machine.
        workerId: `voice runtime ${randomBytes(4).toString('hex')}`,
        ...options,
      };
    };
    const add = (queue: string, routingKey: string, pool: Partial<WorkerOptions>, carrier?: Carrier) => {
      const worker = createWorker(
        { ...toOptions(queue, [routingKey]), ...pool },
        voiceHandler({ ...parts, carrier }),
      );
      this.workers.push(worker);
      return worker;
    };
    // A person waits for the answer to a web call, and no other voice runtime could take it: the handler refuses it.
    const refusesWhenFull = () => false;
    add(topology.webCallsQueue, WEB_CALLS_KEY, { capacity: capacity.web, refusesWhenFull });
    if (this.phones) {
      const { carrier } = this.phones;
      const pool = { capacity: capacity.phone };
      const worker = add(topology.phoneCallsQueue, PHONE_CALLS_KEY, pool, carrier);
      carrier.takeCalls((call, options) => worker.incoming(call, options));
    }
    if (rehearsals > 0) {
      const pool = { name: 'Rehearsals', capacity: rehearsals };
      const rehearsing = { ...toOptions(topology.rehearsalsQueue), ...pool };
      this.workers.push(
        createRehearsalWorker(rehearsing, { models, places, converse: joinedHandler(parts) }),
      );
    }
    for (const worker of this.workers)
      worker.run().catch((error: Error) => this.logger.error(error.message, error.stack));
  }

  /** Takes no further calls, and lets those that it has end. Resolves when it has none. */
  async drain(): Promise<void> {
    const calls = this.workers.reduce((sum, worker) => sum + worker.stats().calls, 0);
    if (calls > 0)
      this.logger.log(`Waits for ${calls} calls to end, for ${this.options.drainSeconds} s at most`);
    await Promise.all(this.workers.map((worker) => worker.stop()));
  }

  /** Interrupts the calls that it has, and reports on all of them. */
  async stop(): Promise<void> {
    const stops = this.workers.map((worker) => worker.stop({ seconds: 0 }));
    await settleWithin(STOP_TIMEOUT_MS, Promise.allSettled(stops));
    for (const transport of this.transports) transport.abandon();
    await this.phones?.close();
    await this.speech.close();
  }
}

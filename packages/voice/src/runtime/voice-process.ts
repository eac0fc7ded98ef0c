import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createWorker, type Logger, type Worker } from '@parley/worker';
import { Registry } from 'prom-client';
import { BrowserDoor } from '../doors/browser/browser-door';
import { createCarrier } from './create-carrier';
import { Peers } from '../net/peers';
import { type AnswerAgain, PeerOffers, type TakeOffer } from '../net/peer-offers';
import { ProviderHealth } from '../providers/provider-health';
import { createRehearsalWorker } from '../rehearsal/rehearsal-worker';
import { LocalSpeech } from '../speech/local/local-speech';
import { conformanceHandler, takeAnnouncedCalls } from './conformance';
import { isFull } from './places';
import { readSettings, type Settings } from './settings';
import { VoiceMetrics } from './voice-metrics';
import { joinedHandler, voiceHandler } from './voice-runtime';
import { WebPlaces } from './web-places';

/** The routing key of the calls for the queue of the voice runtimes. */
const WEB_CALLS_KEY = 'call.webcall.#';
/** The routing key of the calls for the queue of the runtimes with a carrier. */
const PHONE_CALLS_KEY = 'call.phonecall.#';

/** A voice runtime beside RabbitMQ, with a port of its own. */
export class VoiceProcess {
  private constructor(
    /** The address at which browsers reach it. */
    readonly publicUrl: string,
    /** One for each queue. */
    private readonly workers: Pick<Worker, 'run' | 'stop'>[],
    private readonly end: () => Promise<void>,
  ) {}

  /**
   * Listens, and takes calls from then on.
   * @throws SettingsError, or the error of `listen`
   */
  static async start(
    env: Record<string, string | undefined> = process.env,
    { logger = console, handleSignals = false }: { logger?: Logger; handleSignals?: boolean } = {},
  ): Promise<VoiceProcess> {
    const settings = readSettings(env);
    const { web, phone } = settings.capacity;
    for (const note of settings.notes) logger.warn(note);
    const door = new BrowserDoor();
    const speech = new LocalSpeech();
    const registry = new Registry();
    const metrics = new VoiceMetrics(registry);
    const peers = new Peers(settings.peers);
    let phones: Awaited<ReturnType<typeof createCarrier>> | undefined;
    let phoneWorkerId: string | undefined;
    const offers = createOffers(settings, peers, logger);
    const takeOffer: TakeOffer = (offer, withdrawn) =>
      phones?.carrier.offered(offer, withdrawn) ?? Promise.resolve(undefined);
    const answerAgain: AnswerAgain = (workerId, id) =>
      (workerId === phoneWorkerId ? phones?.carrier.repeated(id) : undefined) ?? Promise.resolve(undefined);
    const server = createServer((request, response) =>
      peers.request(request, response, () => {
        if (offers?.handle(request, response, takeOffer, answerAgain)) return;
        if (phones?.carrier.handle(request, response)) return;
        const own = () => void answer(request, response, registry);
        if (offers) offers.passOn(request, response, own);
        else own();
      }),
    );
    server.on('upgrade', (request, socket, head) =>
      peers.upgrade(request, socket, head, () => {
        const isTaken = phones?.carrier.upgrade(request, socket, head) ?? false;
        if (!isTaken && !door.upgrade(request, socket, head)) socket.destroy();
      }),
    );
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(settings.port, settings.host, resolve);
    });
    const { port } = server.address() as AddressInfo;
    const publicUrl = settings.publicUrl ?? `ws://localhost:${port}`;
    const { models, accounts, fallbacks } = settings;
    const health = new ProviderHealth(fallbacks.breaker, metrics);
    const ownUrl = `${publicUrl}${peers.path}`;
    const parts = {
      ...{ door, speech, metrics, models, accounts, fallbacks, health },
      ...{ publicUrl: ownUrl, logger },
    };
    const options = {
      url: settings.rabbitmqUrl,
      apiUrl: settings.apiUrl,
      name: 'voice',
      drainSeconds: settings.drainSeconds,
      logger,
      handleSignals,
      providers: () => health.report(),
    };
    const places = new WebPlaces(web);
    const worker = createWorker(
      { ...options, ...chooseQueue(settings), capacity: web },
      settings.isConformance
        ? conformanceHandler((changes) => voiceHandler({ ...parts, ...changes }))
        : voiceHandler({ ...parts, places }),
    );
    const stopReading = settings.isConformance
      ? takeAnnouncedCalls(worker, (error) => logger.warn(error.message))
      : undefined;
    const workers: Pick<Worker, 'run' | 'stop'>[] = [worker];
    if (settings.carrier) {
      phones = await createCarrier(settings.carrier, {
        ...{ publicUrl, peers, port, speech, logger },
      });
      const { carrier } = phones;
      const queue = { prefix: settings.prefix, queue: `${settings.prefix}.calls.phonecall` };
      const phoneWorker = createWorker(
        { ...options, ...queue, routingKeys: [PHONE_CALLS_KEY], capacity: phone },
        voiceHandler({ ...parts, carrier }),
      );
      phoneWorkerId = phoneWorker.id;
      carrier.takeCalls(
        (call, options) => phoneWorker.incoming(call, options),
        offers && {
          isFull: (asked) => isFull(phoneWorker, phone, asked),
          handOn: (offer, signal) => offers.handOn(offer, signal),
          toClaimId: (offer, round) => offers.toClaimId(offer, round),
          askHolder: (workerId, id) => offers.askHolder(workerId, id),
        },
      );
      workers.push(phoneWorker);
    }
    // The kit of the contract has no queue of them.
    if (settings.rehearsals > 0 && !settings.isConformance) {
      const { prefix, rehearsals: capacity } = settings;
      const pool = { prefix, queue: `${prefix}.calls.rehearsal`, name: 'rehearsals', capacity };
      workers.push(
        createRehearsalWorker({ ...options, ...pool }, { models, places, converse: joinedHandler(parts) }),
      );
    }
    offers?.start();
    return new VoiceProcess(publicUrl, workers, async () => {
      stopReading?.();
      offers?.stop();
      await phones?.close();
      server.close();
      server.closeAllConnections();
      await speech.close();
    });
  }

  /** Takes calls until it is stopped. @throws what does not pass by itself, such as a wrong password */
  async run(): Promise<void> {
    try {
      await Promise.all(this.workers.map((worker) => worker.run()));
    } finally {
      await this.end();
    }
  }

  /** Takes no more calls, and lets those that it has end, for as long as the settings say. */
  async drain(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.stop()));
  }
}

/** A process without a carrier knows the others, too: it may get the requests of their carriers. */
function createOffers(
  { carrier, peers: shared, publicUrl = '' }: Settings,
  peers: Peers,
  logger: Logger,
): PeerOffers | undefined {
  if (!shared) return undefined;
  const speaks = carrier?.name === 'twilio' && carrier.speaks;
  const name = `${carrier?.name ?? 'none'}${speaks ? ' that speaks' : ''}`;
  return new PeerOffers(peers, shared.secret, publicUrl.replace(/^ws/, 'http'), name, logger);
}

/** Without a queue of the settings, the voice runtimes have one of their own, which gets all web calls. */
const chooseQueue = ({ prefix, queue }: Settings) =>
  queue ? { prefix, queue } : { prefix, queue: `${prefix}.calls.webcall`, routingKeys: [WEB_CALLS_KEY] };

/** The probe of an orchestrator, and the figures for Prometheus. */
async function answer({ url }: IncomingMessage, response: ServerResponse, registry: Registry): Promise<void> {
  if (url === '/metrics') response.setHeader('Content-Type', registry.contentType);
  else if (url !== '/healthz') response.statusCode = 404;
  response.end(url === '/metrics' ? await registry.metrics() : undefined);
}

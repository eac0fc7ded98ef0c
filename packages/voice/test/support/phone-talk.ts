import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BrowserDoor, createCarrier, readCarrier, voiceHandler, type VoiceRuntimeParts } from '@parley/voice';
import type { Call, Handler, Logger } from '@parley/worker';
import { fakeServer, type OfferedCall, type OfferOptions } from '@parley/worker/testing';
import type { Environment } from '../../src/runtime/environment';
import type { Person } from '../stand-ins/phone/handset';
import type { PhoneCallRecord } from '../stand-ins/phone/phone-stand-in';
import { until } from '../../../../test/support/until';
import { askCarrier, type CarrierRecord, noteCarrierId } from './carrier-record';
import { instantSpeech } from './instant-speech';
import { RecordedStream } from './recorded-stream';
import { withMembers } from './voice-server';

/** A person needs a while to call. */
const CALLER_MS = 120_000;

/** A call through the runtime, as both sides have it. */
export interface CarriedCall extends Omit<OfferedCall, 'analysis'> {
  /** The record of a stand-in; undefined if it refused the call. */
  phone?: PhoneCallRecord;
  /** The carrier's own id of the call; undefined if it refused the call. */
  carrierId?: string;
  warnings: { code: string; text: string }[];
  analysis: Record<string, unknown>;
  /** All that were reported, also after the end. */
  analyses: Record<string, unknown>[];
  /** The number of them that say that the person wants no more calls. */
  optOuts: number;
}

/** The agent calls a person, or a person calls the agent. */
export type Way = 'call' | 'ring';

export type Offered = { options?: OfferOptions; parts?: Partial<VoiceRuntimeParts> } & OfferedMembers;

/** The things that a test changes of a call, or watches. */
interface OfferedMembers {
  leaseSeconds?: number;
  /** The answer of the server to a transfer; default: an hour. */
  allowTransfer?: Call['allowTransfer'];
  /** Is called with the id of the call, before its handler begins. */
  began?: (callId: string) => void;
  /** Is called with the text of each turn, when it is reported. */
  onTurn?: (text: string) => void;
}

/** The people at the phones: handsets of a stand-in, or people who read what they are to do. */
export interface People {
  /** Somebody gets ready to be called. @returns the number */
  meet(person: Person): string;
  /** Somebody calls the number of the account. @returns the record of a stand-in */
  ring(person: Person): Promise<PhoneCallRecord | undefined>;
  /** The record of the last call to a number, if the carrier is a stand-in. */
  find(number: string): PhoneCallRecord | undefined;
}

type Opened = Awaited<ReturnType<typeof openCarrier>>;

/** Opens the carrier that the settings name, of an account or of a stand-in, as the voice runtime does. */
export async function openCarrier(env: Environment, logger: Pick<Logger, 'warn' | 'error'>) {
  const settings = readCarrier(env);
  if (!settings) throw new Error('VOICE_CARRIER names no carrier');
  const server = createServer();
  server.listen(Number(env.VOICE_PORT ?? 0), env.VOICE_HOST ?? '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const publicUrl = (env.VOICE_PUBLIC_URL ?? `ws://127.0.0.1:${port}`).replace(/^http/, 'ws');
  const speech = instantSpeech();
  const { carrier, close } = await createCarrier(settings, { publicUrl, port, speech, logger });
  const carrierIds = new Map<string, string>();
  server.on('request', (request, response) => {
    noteCarrierId(request, carrierIds);
    if (!carrier.handle(request, response)) response.writeHead(404).end();
  });
  const streams: RecordedStream[] = [];
  server.on('upgrade', (request, socket, head: Buffer) => {
    if (!carrier.upgrade(request, socket, head)) socket.destroy();
    // A listener before the one of the WebSocket would take its first frames.
    streams.push(new RecordedStream(request, socket));
  });
  const door = new BrowserDoor();
  const runtime: VoiceRuntimeParts = { door, speech, publicUrl, models: new Map(), carrier, logger };
  return {
    ...{ carrier, publicUrl, runtime, streams, url: `http://127.0.0.1:${port}` },
    /** The carrier's id of a call that the agent places. A channel of Asterisk has the id that it is given. */
    findCarrierId: (callId: string) =>
      settings.name === 'asterisk' ? `parley-${callId}` : carrierIds.get(callId),
    ask: (carrierId: string) => askCarrier(settings, carrierId),
    end: close,
    leave: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The voice runtime with a carrier, and the people whom it calls. */
export class PhoneTalk {
  readonly carrier: Opened['carrier'];
  readonly publicUrl: string;

  constructor(
    protected readonly opened: Opened,
    protected readonly people: People,
    private readonly defaults: OfferOptions = {},
  ) {
    this.carrier = opened.carrier;
    this.publicUrl = opened.publicUrl;
  }

  /** The handler of the runtime. */
  get handler() {
    return voiceHandler(this.opened.runtime);
  }

  /** The agent calls a person. */
  async call(person: Person, { options = {}, parts = {}, ...members }: Offered = {}): Promise<CarriedCall> {
    const to_number = options.start?.to_number ?? this.people.meet(person);
    const offered = { ...options, start: { ...options.start, to_number } };
    const call = await this.offer(offered, parts, members);
    return { ...call, phone: this.people.find(to_number) };
  }

  /** A person calls the agent. */
  async ring(person: Person, { options = {}, parts = {}, ...members }: Offered = {}): Promise<CarriedCall> {
    let offered: Promise<CarriedCall> | undefined;
    this.carrier.takeCalls((call, { accepted }) => {
      const start = { ...options.start, ...call, direction: 'inbound' as const };
      const incoming = { ...options, start, incoming: call };
      return (offered = this.offer(incoming, parts, { ...members, began: accepted }));
    });
    const phone = await this.people.ring(person);
    return { ...(await until(() => offered, CALLER_MS)), phone };
  }

  /** The media streams that carriers have asked for, the last one at the end. */
  get streams(): RecordedStream[] {
    return this.opened.streams;
  }

  /** Asks the carrier what became of a call. */
  ask({ carrierId }: CarriedCall): Promise<CarrierRecord> {
    if (carrierId === undefined) throw new Error('The carrier has not said which call it is');
    return this.opened.ask(carrierId);
  }

  async close(): Promise<void> {
    await this.opened.end();
    this.opened.leave();
  }

  private async offer(
    options: OfferOptions,
    parts: Partial<VoiceRuntimeParts>,
    members?: OfferedMembers,
  ): Promise<CarriedCall> {
    const run = voiceHandler({ ...this.opened.runtime, ...parts });
    let offered: Call | undefined;
    const handler: Handler = (call) => {
      members?.began?.(call.id);
      return run((offered = call));
    };
    const carried = await offerCall(handler, { ...this.defaults, ...options }, members);
    const { id = '', start } = offered ?? {};
    const carrierId = start?.direction === 'inbound' ? start.external_id : this.opened.findCarrierId(id);
    return { ...carried, carrierId };
  }
}

const forAnHour: Call['allowTransfer'] = (to) => Promise.resolve({ to, maximumSeconds: 3_600 });

/** Offers a phone call to a runtime, and notes what it reports. */
async function offerCall(
  handler: Handler,
  options: OfferOptions,
  { leaseSeconds = 30, allowTransfer = forAnHour, onTurn }: OfferedMembers = {},
): Promise<CarriedCall> {
  const warnings: CarriedCall['warnings'] = [];
  const warn = (code: string, text: string) => Promise.resolve(void warnings.push({ code, text }));
  const analyses: CarriedCall['analyses'] = [];
  let optOuts = 0;
  const analyzed: Call['analyzed'] = (fields, { optOut = false } = {}) => {
    analyses.push(fields);
    if (optOut) optOuts++;
    return Promise.resolve();
  };
  const offered = await fakeServer().offer(
    (call: Call) => {
      const turn: Call['turn'] = (reported) => {
        const sequence = call.turn(reported);
        onTurn?.(reported.text ?? '');
        return sequence;
      };
      return handler(withMembers(call, { warn, analyzed, leaseSeconds, allowTransfer, turn }));
    },
    {
      ...options,
      start: { call_type: 'phonecall', from_number: '', ...options.start },
    },
  );
  return { ...offered, warnings, analyses, optOuts, analysis: analyses[0] ?? {} };
}

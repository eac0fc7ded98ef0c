import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  AsteriskDoor,
  BrowserDoor,
  type Carrier,
  TelnyxDoor,
  TwilioDoor,
  voiceHandler,
  type VoiceRuntimeParts,
} from '@parley/voice';
import { type Call, IncomingRefused } from '@parley/worker';
import { fakeServer, type OfferedCall, type OfferOptions } from '@parley/worker/testing';
import type { Person } from '../stand-ins/phone/handset';
import type { PhoneCallRecord, PhoneStandIn } from '../stand-ins/phone/phone-stand-in';
import { AsteriskStandIn } from '../stand-ins/asterisk/asterisk-stand-in';
import { TelnyxStandIn } from '../stand-ins/telnyx/telnyx-stand-in';
import { TwilioStandIn } from '../stand-ins/twilio/twilio-stand-in';
import { until } from '../../../../test/support/until';
import { instantSpeech } from './instant-speech';
import { withMembers } from './voice-server';

export type CarrierName = 'twilio' | 'telnyx' | 'asterisk' | 'twilio that speaks';

/** A call through the runtime, as both sides have it. */
export interface CarriedCall extends OfferedCall {
  /** The carrier's record; undefined if the carrier refused the call. */
  phone?: PhoneCallRecord;
  warnings: { code: string; text: string }[];
  analysis: Record<string, unknown>;
}

type Offered = { options?: OfferOptions; parts?: Partial<VoiceRuntimeParts> };

/** The voice runtime with the stand-in of a carrier. */
export class CarrierTalk {
  readonly problems: string[] = [];
  private numbers = 0;

  private constructor(
    readonly standIn: PhoneStandIn & { maxCalls: number },
    readonly carrier: Carrier,
    readonly publicUrl: string,
    private readonly server: Server,
    private readonly parts: VoiceRuntimeParts,
    private readonly end: () => Promise<void> = () => Promise.resolve(),
  ) {}

  static async start(name: CarrierName, parts: Partial<VoiceRuntimeParts> = {}): Promise<CarrierTalk> {
    const server = createServer((request, response) => {
      if (!talk.carrier.handle(request, response)) response.writeHead(404).end();
    });
    server.on('upgrade', (request, socket, head: Buffer) => {
      if (!talk.carrier.upgrade(request, socket, head)) socket.destroy();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const publicUrl = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const note = (sentence: string) => void talk.problems.push(sentence);
    const logger = { warn: note, error: note };
    const { standIn, carrier, path, close } = await connect(name, publicUrl, logger);
    standIn.webhookUrl = `${name === 'asterisk' ? publicUrl : publicUrl.replace('ws', 'http')}${path}`;
    const talk: CarrierTalk = new CarrierTalk(
      standIn,
      carrier,
      publicUrl,
      server,
      {
        ...{
          door: new BrowserDoor(),
          speech: instantSpeech(),
          publicUrl,
          models: new Map(),
          carrier,
          logger,
        },
        ...parts,
      },
      close,
    );
    return talk;
  }

  /** The handler of the runtime. */
  get handler() {
    return voiceHandler(this.parts);
  }

  /** The agent calls a person. */
  async call(person: Person, { options = {}, parts = {} }: Offered = {}): Promise<CarriedCall> {
    const number = `+1555${String(2_000_000 + this.numbers++)}`;
    this.standIn.expect(number, person);
    const call = await this.offer({ ...options, start: { to_number: number, ...options.start } }, parts);
    return { ...call, phone: this.standIn.calls.find(({ to }) => to === number) };
  }

  /** A person calls the agent. */
  async ring(person: Person, { options = {}, parts = {} }: Offered = {}): Promise<CarriedCall> {
    let offered: Promise<CarriedCall> | undefined;
    this.carrier.takeCalls((call) => {
      const start = { ...options.start, ...call, direction: 'inbound' as const };
      return (offered = this.offer({ ...options, start, incoming: call }, parts));
    });
    const phone = await this.standIn.ringIn({ to: '+15550100000', from: '+15551112222', person });
    if (!offered) throw new Error('The runtime did not ask for the call');
    return { ...(await offered), phone };
  }

  /** A person calls, and the server refuses. */
  async ringRefused(reason: string): Promise<PhoneCallRecord> {
    this.carrier.takeCalls(() => Promise.reject(new IncomingRefused(reason)));
    return this.standIn.ringIn({ to: '+15550100000', from: '+15551112222' });
  }

  async close(): Promise<void> {
    await this.end();
    await this.standIn.close();
    this.server.closeAllConnections();
    this.server.close();
  }

  private async offer(options: OfferOptions, parts: Partial<VoiceRuntimeParts>): Promise<CarriedCall> {
    const warnings: CarriedCall['warnings'] = [];
    const handler = voiceHandler({ ...this.parts, ...parts });
    const warn = (code: string, text: string) => Promise.resolve(void warnings.push({ code, text }));
    const offered = await fakeServer().offer((call: Call) => handler(withMembers(call, { warn })), {
      ...options,
      start: { call_type: 'phonecall', from_number: '', ...options.start },
    });
    const analyzed = offered.events.find(({ type }) => type === 'call.analyzed.v1')?.body ?? {};
    return { ...offered, warnings, analysis: (analyzed.fields ?? analyzed) as Record<string, unknown> };
  }
}

async function connect(name: CarrierName, publicUrl: string, logger: { warn: (sentence: string) => void }) {
  if (name === 'asterisk') {
    const standIn = await AsteriskStandIn.listen();
    const { apiUrl, username, password, app, number } = standIn;
    const dialplan = {
      endpoint: 'PJSIP/{number}@trunk',
      websocketClient: 'parley',
      transferContext: 'parley-transfer',
    };
    const carrier = new AsteriskDoor({ apiUrl, username, password, app, number, ...dialplan }, logger);
    await until(() => standIn.isConnected);
    return { standIn, carrier, path: '/voice/asterisk/media', close: () => carrier.close() };
  }
  if (name !== 'telnyx') {
    const standIn = await TwilioStandIn.listen();
    const { apiUrl, accountSid, authToken, number } = standIn;
    const carrier = new TwilioDoor(
      { apiUrl, accountSid, authToken, number, publicUrl, speaks: name !== 'twilio' },
      logger,
    );
    return { standIn, carrier, path: '/voice/twilio/incoming' };
  }
  const standIn = await TelnyxStandIn.listen();
  const { apiUrl, apiKey, connectionId, publicKey, number } = standIn;
  const carrier = new TelnyxDoor({ apiUrl, apiKey, connectionId, publicKey, number, publicUrl }, logger);
  return { standIn, carrier, path: '/voice/telnyx' };
}

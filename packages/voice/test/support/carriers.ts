import { IncomingRefused } from '@parley/worker';
import type { PhoneCallRecord, PhoneStandIn } from '../stand-ins/phone/phone-stand-in';
import { AsteriskStandIn } from '../stand-ins/asterisk/asterisk-stand-in';
import { TelnyxStandIn } from '../stand-ins/telnyx/telnyx-stand-in';
import { TwilioStandIn } from '../stand-ins/twilio/twilio-stand-in';
import { until } from '../../../../test/support/until';
import { openCarrier, PhoneTalk } from './phone-talk';

export type { CarriedCall } from './phone-talk';
export type CarrierName = 'twilio' | 'telnyx' | 'asterisk' | 'twilio that speaks';

const CALLER = { to: '+15550100000', from: '+15551112222' };
type StandIn = TwilioStandIn | TelnyxStandIn | AsteriskStandIn;

/** The voice runtime with the stand-in of a carrier. */
export class CarrierTalk extends PhoneTalk {
  private constructor(
    opened: ConstructorParameters<typeof PhoneTalk>[0],
    readonly standIn: PhoneStandIn & { maxCalls: number; isCutOff: boolean; requests: readonly string[] },
    readonly problems: string[],
  ) {
    let numbers = 0;
    super(opened, {
      meet: (person) => {
        const number = `+1555${String(2_000_000 + numbers++)}`;
        // A stand-in takes the sentences out of it.
        standIn.expect(number, structuredClone(person));
        return number;
      },
      ring: (person) => standIn.ringIn({ ...CALLER, person: structuredClone(person) }),
      find: (number) => standIn.calls.findLast(({ to }) => to === number),
    });
  }

  static async start(name: CarrierName): Promise<CarrierTalk> {
    const problems: string[] = [];
    const note = (sentence: string) => void problems.push(sentence);
    const standIn = await listenAs(name);
    const account = describeAccount(standIn, name === 'twilio that speaks');
    const opened = await openCarrier(account, { warn: note, error: note });
    standIn.webhookUrl = findWebhook(standIn, opened.publicUrl);
    if (standIn instanceof AsteriskStandIn) await until(() => standIn.isConnected);
    return new CarrierTalk(opened, standIn, problems);
  }

  /** A person calls, and the server refuses. */
  async ringRefused(reason: string): Promise<PhoneCallRecord> {
    this.carrier.takeCalls(() => Promise.reject(new IncomingRefused(reason)));
    return this.standIn.ringIn(CALLER);
  }

  override async close(): Promise<void> {
    await this.opened.end();
    await this.standIn.close();
    this.opened.leave();
  }
}

/** The stand-in of a carrier. */
export function listenAs(name: CarrierName): Promise<StandIn> {
  if (name === 'asterisk') return AsteriskStandIn.listen();
  return name === 'telnyx' ? TelnyxStandIn.listen() : TwilioStandIn.listen();
}

/** The settings with which the runtime uses a stand-in, as an operator would write them. */
export function describeAccount(standIn: StandIn, speaks = false): Record<string, string> {
  if (standIn instanceof AsteriskStandIn)
    return {
      ...{ VOICE_CARRIER: 'asterisk', ASTERISK_URL: standIn.apiUrl, ASTERISK_APP: standIn.app },
      ...{ ASTERISK_USERNAME: standIn.username, ASTERISK_PASSWORD: standIn.password },
      ...{ ASTERISK_ENDPOINT: 'PJSIP/{number}@trunk', ASTERISK_NUMBER: standIn.number },
    };
  if (standIn instanceof TelnyxStandIn)
    return {
      ...{ VOICE_CARRIER: 'telnyx', TELNYX_API_URL: standIn.apiUrl, TELNYX_API_KEY: standIn.apiKey },
      ...{ TELNYX_CONNECTION_ID: standIn.connectionId, TELNYX_PUBLIC_KEY: standIn.publicKey },
      TELNYX_NUMBER: standIn.number,
    };
  return {
    ...{ VOICE_CARRIER: 'twilio', VOICE_SPEECH: speaks ? 'carrier' : '', TWILIO_API_URL: standIn.apiUrl },
    ...{ TWILIO_ACCOUNT_SID: standIn.accountSid, TWILIO_AUTH_TOKEN: standIn.authToken },
    TWILIO_NUMBER: standIn.number,
  };
}

/** The address to which the account's calls and webhooks go, as its owner sets it. */
export function findWebhook(standIn: StandIn, publicUrl: string): string {
  if (standIn instanceof AsteriskStandIn) return `${publicUrl}/voice/asterisk/media`;
  const path = standIn instanceof TelnyxStandIn ? '/voice/telnyx' : '/voice/twilio/incoming';
  return `${publicUrl.replace(/^ws/, 'http')}${path}`;
}

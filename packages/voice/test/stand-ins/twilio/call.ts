import { createHmac, randomBytes } from 'node:crypto';
import { Handset, type Person } from '../phone/handset';
import type { PhoneCallRecord } from '../phone/phone-stand-in';
import type { Ticks } from '../phone/ticks';
import { TwilioRelay } from './relay';
import { type StreamOptions, TwilioStream } from './stream';
import { readTwiml, type Verb } from './twiml';

export interface Account {
  accountSid: string;
  authToken: string;
}

type Status =
  'queued' | 'ringing' | 'in-progress' | 'completed' | 'busy' | 'no-answer' | 'failed' | 'canceled';

/** Signs as the documents of Twilio say: the address, then the fields of the form in the order of their names. */
export function sign(authToken: string, url: string, form = new URLSearchParams()): string {
  const names = [...form.keys()].sort();
  const text = names.reduce((all, name) => `${all}${name}${form.get(name)}`, url);
  return createHmac('sha1', authToken).update(text, 'utf8').digest('base64');
}

/** One call at Twilio. */
export class TwilioCall implements PhoneCallRecord {
  readonly id = `CA${randomBytes(16).toString('hex')}`;
  readonly complaints: string[] = [];
  status: Status = 'queued';
  endedBy?: 'person' | 'runtime' | 'carrier';
  handset?: Handset;
  digits = '';
  transferredTo?: string;
  streams = 0;
  refusedAs?: string;
  private verbs: Verb[] = [];
  private stream?: TwilioStream | TwilioRelay;
  /** The words that Twilio spoke, and how it was told to. */
  spoken: string[] = [];
  relay: Record<string, string> = {};
  private stopTicks: () => void = () => undefined;
  private answeredAt = 0;
  private sequence = 0;
  private callbacks: Promise<void> = Promise.resolve();
  private readonly timers: NodeJS.Timeout[] = [];

  constructor(
    readonly to: string,
    readonly from: string,
    private readonly person: Person,
    private readonly account: Account,
    private readonly ticks: Ticks,
    /** The fields of the request that created it; empty for an incoming call. */
    private readonly form: URLSearchParams,
  ) {}

  get callbackUrl(): string {
    return this.form.get('StatusCallback') ?? '';
  }

  get isOver(): boolean {
    return ['completed', 'busy', 'no-answer', 'failed', 'canceled'].includes(this.status);
  }

  /** An outgoing call. */
  dial(): void {
    this.report('initiated');
    this.status = 'ringing';
    this.report('ringing');
    const { phone = 'answers', ringMs = 20 } = this.person;
    this.after(ringMs, () => {
      if (phone === 'busy') this.end('busy', 'carrier', '486');
      else if (phone === 'declines') this.end('busy', 'carrier', '603');
      else if (phone === 'no-answer') this.end('no-answer', 'carrier');
      else if (phone === 'does-not-exist') this.end('failed', 'carrier', '404');
      else if (phone === 'network-fails') this.end('failed', 'carrier', '503');
      else this.answer(this.form.get('Twiml') ?? '');
    });
    const limit = Number(this.form.get('TimeLimit') ?? '14400');
    this.after(limit * 1_000, () => this.end('completed', 'carrier'));
  }

  answer(document: string): void {
    this.status = 'in-progress';
    this.answeredAt = Date.now();
    this.report('answered');
    if (this.form.get('MachineDetection')) this.detectMachine();
    this.handset = new Handset(this.person, {
      press: (digit) => this.stream?.press(digit),
      hangUp: () => this.end('completed', 'person'),
      loseStream: () => this.stream?.lose(),
    });
    this.stopTicks = this.ticks.add(() => this.stream?.tick());
    this.run(document);
  }

  /** A document replaces the present one. */
  run(document: string): void {
    this.stream?.stop();
    this.stream = undefined;
    try {
      this.verbs = readTwiml(document);
    } catch (error) {
      this.complaints.push((error as Error).message);
      return this.end('failed', 'carrier');
    }
    this.next();
  }

  end(status: Status, by: 'person' | 'runtime' | 'carrier', sipCode = ''): void {
    if (this.isOver) return;
    this.status = status;
    this.endedBy = by;
    this.timers.forEach(clearTimeout);
    this.stopTicks();
    this.stream?.stop();
    this.report('completed', sipCode);
  }

  get reported(): Promise<void> {
    return this.callbacks;
  }

  private next(): void {
    const verb = this.verbs.shift();
    if (!verb || verb.verb === 'Hangup') return this.end('completed', 'carrier');
    if (verb.verb === 'Reject') return this.end('busy', 'carrier');
    if (verb.verb === 'Dial') {
      this.transferredTo = verb.number;
      return this.after(50, () => this.end('completed', 'person'));
    }
    const { handset } = this;
    if (!handset) throw new Error('Nobody has answered');
    const { accountSid, authToken } = this.account;
    const options: StreamOptions = {
      url: verb.url,
      headers: { 'x-twilio-signature': sign(authToken, verb.url) },
      ...{ accountSid, callSid: this.id, streamSid: `MZ${randomBytes(16).toString('hex')}` },
      parameters: verb.parameters,
      handset,
      complain: (sentence) => this.complaints.push(sentence),
      opened: () => this.streams++,
      closed: () => {
        if (stream === this.stream && !this.isOver) this.next();
      },
    };
    const stream = verb.verb === 'Relay' ? this.speak(options, verb.attributes) : new TwilioStream(options);
    this.stream = stream;
  }

  private speak(options: StreamOptions, attributes: Record<string, string>): TwilioRelay {
    const { says = [], interruptsAfterWords } = this.person;
    this.relay = attributes;
    const relay = new TwilioRelay(
      options,
      { says, interruptsAfterWords },
      (digits) => (this.digits += digits),
    );
    this.spoken = relay.spoken;
    return relay;
  }

  private detectMachine(): void {
    const isMachine = this.person.phone === 'voicemail';
    this.after(isMachine ? 400 : 200, () => {
      const url = this.form.get('AsyncAmdStatusCallback');
      const AnsweredBy = isMachine ? 'machine_end_beep' : 'human';
      if (url) this.callBack(url, { AnsweredBy, MachineDetectionDuration: '400' });
    });
  }

  private report(event: string, sipCode = ''): void {
    const url = this.form.get('StatusCallback');
    const wanted = this.form.getAll('StatusCallbackEvent');
    if (!url || !(wanted.length > 0 ? wanted : ['completed']).includes(event)) return;
    const duration = Math.round((Date.now() - this.answeredAt) / 1_000);
    this.callBack(url, {
      CallStatus: event === 'initiated' ? 'initiated' : this.status,
      ...{ Timestamp: new Date().toUTCString(), CallbackSource: 'call-progress-events' },
      SequenceNumber: String(this.sequence++),
      ...(event === 'completed' && this.answeredAt > 0 ? { CallDuration: String(duration) } : {}),
      ...(sipCode ? { SipResponseCode: sipCode } : {}),
    });
  }

  private callBack(url: string, fields: Record<string, string>): void {
    const body = new URLSearchParams({
      ...{ AccountSid: this.account.accountSid, ApiVersion: '2010-04-01', CallSid: this.id },
      ...{ Direction: 'outbound-api', To: this.to, Called: this.to, From: this.from, Caller: this.from },
      ...fields,
    });
    const headers = { 'x-twilio-signature': sign(this.account.authToken, url, body) };
    this.callbacks = this.callbacks.then(async () => {
      try {
        const response = await fetch(url, {
          method: 'POST',
          headers,
          body,
          signal: AbortSignal.timeout(5_000),
        });
        await response.arrayBuffer();
        if (!response.ok) this.complaints.push(`11200 a callback was answered with ${response.status}`);
      } catch {
        this.complaints.push('11205 a callback was not answered');
      }
    });
  }

  private after(ms: number, run: () => void): void {
    this.timers.push(setTimeout(() => !this.isOver && run(), Math.min(ms, 2_000_000_000)));
  }
}

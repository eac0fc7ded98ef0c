import { createHmac, randomBytes } from 'node:crypto';
import { hasLanguage } from '../deepgram/languages';
import { Handset, type Person, SILENCE } from '../phone/handset';
import type { PhoneCallRecord } from '../phone/phone-stand-in';
import { post } from '../phone/post';
import type { Ticks } from '../phone/ticks';
import { type SpeechFault, TwilioRelay } from './relay';
import { type StreamOptions, TwilioStream } from './stream';
import { readTwiml, type Verb } from './twiml';

export interface Account {
  accountSid: string;
  authToken: string;
  /** Sends each callback twice, at the same time. The real one may do so. */
  repeatsCallbacks: boolean;
  readonly speechFaults: SpeechFault[];
}

/** DetectMessageEnd takes such a silence for the end of a greeting. */
const SPEECH_END_MS = 1_200;

/** Twilio waits this long for the answer to a callback. */
const CALLBACK_MS = 15_000;

type Status =
  'queued' | 'ringing' | 'in-progress' | 'completed' | 'busy' | 'no-answer' | 'failed' | 'canceled';

const createSid = () => `CA${randomBytes(16).toString('hex')}`;

/** Signs as the documents of Twilio say: the address, then the fields of the form in the order of their names. */
export function sign(authToken: string, url: string, form = new URLSearchParams()): string {
  const names = [...form.keys()].sort();
  const text = names.reduce((all, name) => `${all}${name}${form.get(name)}`, url);
  return createHmac('sha1', authToken).update(text, 'utf8').digest('base64');
}

/** A language has its region. It is recognised by Deepgram if no other provider is named. */
const isLanguage = (tag: string) =>
  /^[a-z]{2,3}-([A-Z]{2}|419)$/.test(tag) && hasLanguage('nova-2', tag.replace(/-.*/, ''));

/** Deepgram finds the language that is spoken, with a model that hears several, and ElevenLabs that of a text. */
function findWrongLanguage({ attributes, languages }: Extract<Verb, { verb: 'Relay' }>): string | undefined {
  const { language = 'en-US', ttsLanguage = language, transcriptionLanguage = language } = attributes;
  const multi = { ...attributes, ...languages.find(({ code }) => code === 'multi') };
  if (transcriptionLanguage === 'multi') {
    const { transcriptionProvider = 'Deepgram', speechModel = 'nova-3-general' } = multi;
    if (transcriptionProvider !== 'Deepgram' || !/^(nova-[23]|flux)/.test(speechModel)) return 'multi';
  }
  if (ttsLanguage === 'multi' && (multi.ttsProvider ?? 'ElevenLabs') !== 'ElevenLabs') return 'multi';
  const named = [language, ttsLanguage, transcriptionLanguage, ...languages.map(({ code }) => code)];
  return named.find((tag) => tag !== undefined && tag !== 'multi' && !isLanguage(tag));
}

/** One call at Twilio. */
export class TwilioCall implements PhoneCallRecord {
  readonly id = createSid();
  readonly complaints: string[] = [];
  status: Status = 'queued';
  endedBy?: 'person' | 'runtime' | 'carrier';
  answeredAt?: number;
  transferredAt?: number;
  endedAt?: number;
  endedByLimit?: number;
  handset?: Handset;
  digits = '';
  transferredTo?: string;
  transferLimit?: number;
  /** The calls that `<Dial>` has placed, which have this one as their parent. */
  readonly children: { sid: string; to: string; status: Status }[] = [];
  streams = 0;
  refusedAs?: string;
  private document = '';
  private verbs: Verb[] = [];
  private stream?: TwilioStream | TwilioRelay;
  /** The words that Twilio spoke, and how it was told to. */
  spoken: string[] = [];
  relay: Record<string, string> = {};
  relayLanguages: Record<string, string>[] = [];
  /** The words that Twilio had spoken when the machine began to record. */
  private spokenBefore = 0;
  private isDetected = false;
  private stopTicks: () => void = () => undefined;
  /** In whole seconds, after the end of a call that was answered. */
  duration?: number;
  private sequence = 0;
  /** In seconds. */
  timeLimit = 0;
  private limitTimer?: NodeJS.Timeout;
  private callbacks: Promise<void> = Promise.resolve();
  /** The callbacks that were sent, with their signatures. */
  readonly sent: { url: string; body: string; headers: Record<string, string> }[] = [];
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

  /** An incoming call has no request that created it. */
  get direction(): 'inbound' | 'outbound-api' {
    return this.form.size === 0 ? 'inbound' : 'outbound-api';
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
    // Twilio adds up to five seconds.
    const timeout = Number(this.form.get('Timeout') ?? '60') + 5;
    this.after(timeout * 1_000, () => this.status === 'ringing' && this.expire(timeout, 'no-answer'));
    this.limit(Number(this.form.get('TimeLimit') ?? '14400'));
  }

  /** Each time limit replaces the one before. */
  limit(seconds: number): void {
    this.timeLimit = seconds;
    clearTimeout(this.limitTimer);
    this.limitTimer = setTimeout(() => this.expire(seconds, 'completed'), seconds * 1_000);
  }

  answer(document: string): void {
    if (this.person.givesUp) return this.end('canceled', 'person');
    this.status = 'in-progress';
    this.answeredAt = performance.now();
    this.report('answered');
    if (this.person.hangsUpAtOnce) return this.end('completed', 'person');
    this.handset = new Handset(this.person, {
      press: (digit) => this.stream?.press(digit),
      hangUp: () => this.end('completed', 'person'),
      // Twilio has no word for it.
      fail: () => this.end('completed', 'carrier'),
      loseStream: () => this.stream?.lose(),
      greets: () => this.relayed?.noticeSpeech(),
      greeted: (part, isLast) => {
        const { greets = 'You have reached Ada. Please leave a message after the tone.' } = this.person;
        const sentences = greets.split(/(?<=[.?!]) /);
        this.relayed?.prompt((isLast ? sentences.slice(part) : sentences.slice(part, part + 1)).join(' '));
        if (isLast && this.person.detectedAs === 'machine_end_other') this.foundEnd('machine_end_other');
      },
      beeped: () => this.foundEnd('machine_end_beep'),
      quiet: (ms) => ms === SPEECH_END_MS && this.foundEnd('machine_end_silence'),
      records: () => (this.spokenBefore = this.spoken.length),
    });
    this.document = document;
    this.stopTicks = this.ticks.add(() => {
      if (this.stream) this.stream.tick();
      else if (this.isDetectedFirst) this.handset?.tick(SILENCE);
    });
    // A person, and the beginning of a greeting, are known in a moment. `DetectMessageEnd` waits for its end.
    const { phone, detectedAs } = this.person;
    const begins = this.detection === 'Enable' ? 'machine_start' : undefined;
    const found = detectedAs?.startsWith('machine_end') ? undefined : detectedAs;
    const answerer = found ?? (phone === 'voicemail' ? begins : 'human');
    if (this.detection !== null && answerer !== undefined)
      this.after(200, () => this.foundAnswerer(answerer));
    if (!this.isDetectedFirst) this.run(document);
  }

  /** The words that a machine has recorded, of a carrier that speaks. */
  get recordedWords(): string[] {
    return this.spoken.slice(this.spokenBefore);
  }

  private get relayed(): TwilioRelay | undefined {
    return this.stream instanceof TwilioRelay ? this.stream : undefined;
  }

  private get detection(): string | null {
    return this.form.get('MachineDetection');
  }

  /** Without AsyncAmd, a document begins when it is known who has answered. */
  private get isDetectedFirst(): boolean {
    return this.detection !== null && this.form.get('AsyncAmd') !== 'true';
  }

  hangUpAtTransfer(): void {
    if (this.person.hangsUpAtTransfer) this.end('completed', 'person');
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
    this.endedAt = performance.now();
    const { answeredAt, endedAt } = this;
    if (answeredAt !== undefined) this.duration = Math.round((endedAt - answeredAt) / 1_000);
    this.timers.forEach(clearTimeout);
    clearTimeout(this.limitTimer);
    for (const child of this.children) if (child.status === 'in-progress') child.status = 'completed';
    this.stopTicks();
    this.stream?.stop();
    this.report('completed', sipCode);
  }

  get reported(): Promise<void> {
    return this.callbacks;
  }

  private expire(seconds: number, status: Status): void {
    if (this.isOver) return;
    this.endedByLimit = seconds;
    this.end(status, 'carrier');
  }

  private next(): void {
    const verb = this.verbs.shift();
    if (!verb || verb.verb === 'Hangup') return this.end('completed', 'carrier');
    if (verb.verb === 'Reject') return this.end('busy', 'carrier');
    if (verb.verb === 'Dial') return this.connect(verb);
    if (verb.verb === 'Redirect') return void this.redirect(verb.url);
    const { handset } = this;
    if (!handset) throw new Error('Nobody has answered');
    const wrong = verb.verb === 'Relay' ? findWrongLanguage(verb) : undefined;
    if (wrong !== undefined) {
      this.complaints.push(`64101 ConversationRelay: no language ${wrong}`);
      return this.next();
    }
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
    const stream = verb.verb === 'Relay' ? this.speak(options, verb) : new TwilioStream(options);
    this.stream = stream;
  }

  /** Asks for the next document. Without one, the call ends. */
  private async redirect(url: string): Promise<void> {
    const document = await this.post(url, { CallStatus: this.status });
    if (this.isOver) return;
    if (document === undefined) this.end('completed', 'carrier');
    else this.run(document);
  }

  /** A second call. If it is not answered, the document continues. */
  private connect({ number, timeLimit, statusCallback: url, events }: Extract<Verb, { verb: 'Dial' }>): void {
    const { transfer: phone = 'answers', connectedMs = 50, overtakesAnswer = false } = this.person;
    const child: TwilioCall['children'][number] = { sid: createSid(), to: number, status: 'ringing' };
    this.children.push(child);
    const tell = (event: string, CallStatus: Status, more: Record<string, string> = {}) => {
      const about = { CallSid: child.sid, ParentCallSid: this.id, Direction: 'outbound-dial', To: number };
      const fields = { ...about, CallStatus, ...more };
      if (url !== undefined && events.includes(event)) this.callBack(url, fields);
    };
    this.after(20, () => {
      if (phone !== 'answers') {
        child.status = phone;
        tell('completed', phone);
        return this.next();
      }
      [this.transferredTo, this.transferredAt] = [number, performance.now()];
      this.transferLimit = timeLimit;
      child.status = 'in-progress';
      if (!overtakesAnswer) tell('answered', 'in-progress');
      const isTooLong = connectedMs > timeLimit * 1_000;
      this.after(isTooLong ? timeLimit * 1_000 : connectedMs, () => {
        child.status = 'completed';
        tell('completed', 'completed', { CallDuration: `${Math.ceil(connectedMs / 1_000)}` });
        if (overtakesAnswer) tell('answered', 'in-progress');
        this.end('completed', isTooLong ? 'carrier' : 'person');
      });
    });
  }

  private speak(
    options: StreamOptions,
    { attributes, languages }: Extract<Verb, { verb: 'Relay' }>,
  ): TwilioRelay {
    const { says = [], interruptsAfterWords, speaks = 'en' } = this.person;
    [this.relay, this.relayLanguages] = [attributes, languages];
    const heard = attributes.transcriptionLanguage ?? attributes.language ?? 'en-US';
    const isHeard = heard === 'multi' || heard.split('-')[0] === speaks;
    const relay = new TwilioRelay(
      options,
      { from: this.from, to: this.to, direction: this.direction },
      attributes,
      // Words of another language are not understood. The region is not found, only the language.
      {
        ...{ says: isHeard ? says : [], lang: heard === 'multi' ? speaks : heard, interruptsAfterWords },
        fault: this.account.speechFaults.shift(),
      },
      (digits) => (this.digits += digits),
    );
    this.spoken = relay.spoken;
    return relay;
  }

  private foundEnd(answeredBy: string): void {
    if (this.detection === 'DetectMessageEnd') this.foundAnswerer(answeredBy);
  }

  /** The detection ends with its first result. The callback is only for one beside the document. */
  private foundAnswerer(AnsweredBy: string): void {
    if (this.isDetected) return;
    this.isDetected = true;
    if (this.isDetectedFirst) return this.run(this.document);
    const url = this.form.get('AsyncAmdStatusCallback');
    if (url) this.callBack(url, { AnsweredBy, MachineDetectionDuration: '400' });
    else this.complaints.push('21262 AsyncAmdStatusCallback is missing');
  }

  private report(event: string, sipCode = ''): void {
    const url = this.form.get('StatusCallback');
    const wanted = this.form.getAll('StatusCallbackEvent');
    if (!url || !(wanted.length > 0 ? wanted : ['completed']).includes(event)) return;
    this.callBack(url, {
      CallStatus: event === 'initiated' ? 'initiated' : this.status,
      ...{ Timestamp: new Date().toUTCString(), CallbackSource: 'call-progress-events' },
      SequenceNumber: String(this.sequence++),
      ...(event === 'completed' && this.duration !== undefined ? { CallDuration: `${this.duration}` } : {}),
      ...(sipCode ? { SipResponseCode: sipCode } : {}),
    });
  }

  private callBack(url: string, fields: Record<string, string>): void {
    const times = this.account.repeatsCallbacks ? 2 : 1;
    const send = async () =>
      void (await Promise.all(Array.from({ length: times }, () => this.post(url, fields))));
    this.callbacks = this.callbacks.then(send);
  }

  /** @returns the body of the answer; undefined: there is none, or it is a refusal */
  private async post(url: string, fields: Record<string, string>): Promise<string | undefined> {
    const body = new URLSearchParams({
      ...{ AccountSid: this.account.accountSid, ApiVersion: '2010-04-01', CallSid: this.id },
      ...{ Direction: this.direction, To: this.to, Called: this.to, From: this.from, Caller: this.from },
      ...fields,
    });
    const headers = { 'x-twilio-signature': sign(this.account.authToken, url, body) };
    this.sent.push({ url, body: body.toString(), headers });
    try {
      const response = await post(url, headers, body, CALLBACK_MS);
      const text = await response.text();
      if (response.ok) return text;
      this.complaints.push(`11200 a callback was answered with ${response.status}`);
    } catch {
      this.complaints.push('11205 a callback was not answered');
    }
    return undefined;
  }

  private after(ms: number, run: () => void): void {
    this.timers.push(setTimeout(() => !this.isOver && run(), Math.min(ms, 2_000_000_000)));
  }
}

import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { CarrierServer } from '../phone/carrier-server';
import type { IncomingCall, PhoneStandIn } from '../phone/phone-stand-in';
import { post } from '../phone/post';
import { sign, TwilioCall } from './call';
import type { SpeechFault } from './relay';

const E164 = /^\+[1-9]\d{6,14}$/;
/** The documented fields of a request that places or changes a call, as far as a runtime may need them. */
const CREATE = [
  ...['To', 'From', 'Url', 'Twiml', 'Method', 'FallbackUrl', 'FallbackMethod', 'Timeout', 'TimeLimit'],
  ...['StatusCallback', 'StatusCallbackEvent', 'StatusCallbackMethod', 'SendDigits', 'Record'],
  ...['MachineDetection', 'MachineDetectionTimeout', 'AsyncAmd', 'AsyncAmdStatusCallback', 'CallerId'],
];
const UPDATE = [
  ...['Url', 'Twiml', 'Method', 'Status', 'FallbackUrl', 'FallbackMethod', 'TimeLimit'],
  ...['StatusCallback', 'StatusCallbackMethod'],
];
const isLimit = (value: string | null, min: number, max: number) =>
  value === null || (/^\d+$/.test(value) && Number(value) >= min && Number(value) <= max);
const EVENTS = ['initiated', 'ringing', 'answered', 'completed'];
const WEBHOOK_MS = 15_000;
const NUMBER_SID = 'PN00000000000000000000000000000001';

/** Twilio's Programmable Voice, as its documents say. */
export class TwilioStandIn extends CarrierServer implements PhoneStandIn {
  readonly accountSid = `AC${randomBytes(16).toString('hex')}`;
  readonly authToken = randomBytes(16).toString('hex');
  readonly number = '+15550100000';
  readonly calls: TwilioCall[] = [];
  webhookUrl = '';
  /** The answers to the webhooks of incoming calls. */
  readonly documents: (string | number)[] = [];
  repeatsCallbacks = false;
  /** The faults of connections of ConversationRelay. Each is used once. */
  readonly speechFaults: SpeechFault[] = [];
  /** Calls at once. */
  maxCalls = Infinity;

  private constructor() {
    super();
    this.serve((request) => this.answer(request));
  }

  static listen(): Promise<TwilioStandIn> {
    return new TwilioStandIn().begin();
  }

  async ringIn({ to, from, person = {} }: IncomingCall): Promise<TwilioCall> {
    const call = new TwilioCall(to, from, person, this, this.ticks, new URLSearchParams());
    this.calls.push(call);
    call.status = 'ringing';
    const body = this.describeIncoming(call);
    const delivered = this.deliver(body, sign(this.authToken, this.webhookUrl, body));
    const document = await delivered.catch(() => undefined);
    if (typeof document !== 'string') {
      const answered = `11200 the webhook was answered with ${document}`;
      call.complaints.push(document === undefined ? '11205 the webhook was not answered' : answered);
      call.end('failed', 'carrier');
      return call;
    }
    if (call.isOver) return call;
    const [, reason] = /<Reject reason="(\w+)"/.exec(document) ?? [];
    if (reason === undefined) call.answer(document);
    else {
      call.refusedAs = reason;
      call.end('busy', 'runtime');
    }
    return call;
  }

  /** The fields of the webhook of an incoming call. */
  describeIncoming({ id, to, from, direction }: TwilioCall): URLSearchParams {
    return new URLSearchParams({
      ...{ AccountSid: this.accountSid, ApiVersion: '2010-04-01', CallSid: id, CallStatus: 'ringing' },
      ...{ Called: to, Caller: from, Direction: direction, From: from, To: to, FromCountry: 'US' },
    });
  }

  /** @returns the document, or the status of an answer without one */
  async requestDocument(
    body: URLSearchParams,
    signature: string,
    url = this.webhookUrl,
  ): Promise<string | number> {
    const response = await post(url, { 'x-twilio-signature': signature }, body, WEBHOOK_MS);
    const text = await response.text();
    const isXml = /^(text|application)\/xml/.test(response.headers.get('content-type') ?? '');
    return response.ok && isXml ? text : response.status;
  }

  /** Sends a webhook again whose answer did not come. @returns the last answer */
  private async deliver(body: URLSearchParams, signature: string): Promise<string | number> {
    const ask = (url?: string) => this.requestDocument(body, signature, url);
    const [first, ...others] = this.deliversTo;
    if (this.deliversAtOnce) {
      const answers = await Promise.all(this.deliversTo.map(ask));
      this.documents.push(...answers);
      return answers.at(-1) ?? 0;
    }
    let answer = ask(first);
    for (const url of others)
      answer = answer.then(
        (document) => {
          this.documents.push(document);
          return ask(url);
        },
        () => ask(url),
      );
    this.documents.push(await answer);
    return answer;
  }

  async close(): Promise<void> {
    for (const call of this.calls) call.end('canceled', 'carrier');
    await Promise.all(this.calls.map(({ reported }) => reported));
    this.end();
  }

  private async answer(request: IncomingMessage): Promise<[number, object]> {
    const refuse = (status: number, code: number, message: string): [number, object] => [
      status,
      { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status },
    ];
    const body = Buffer.concat((await request.toArray()) as Buffer[]).toString();
    const credentials = Buffer.from(`${this.accountSid}:${this.authToken}`).toString('base64');
    if (request.headers.authorization !== `Basic ${credentials}`) return refuse(401, 20003, 'Authenticate');
    const { pathname: path, searchParams } = new URL(request.url ?? '', this.apiUrl);
    if (path.includes('/IncomingPhoneNumbers'))
      return this.configureNumber(request, new URLSearchParams(body));
    const [, sid] = new RegExp(`^/2010-04-01/Accounts/${this.accountSid}/Calls(?:/(CA\\w+))?\\.json$`).exec(
      path,
    ) ?? [undefined, 'none'];
    const isForm = /^application\/x-www-form-urlencoded/.test(request.headers['content-type'] ?? '');
    if (request.method === 'POST' && !isForm) return refuse(415, 20001, 'A form is expected');
    const form = new URLSearchParams(body);
    if (sid === undefined && request.method === 'GET') return this.list(searchParams);
    if (sid === undefined) return this.create(form, refuse);
    const call = this.calls.find(({ id }) => id === sid);
    if (!call) return refuse(404, 20404, `The requested resource ${request.url} was not found`);
    if (request.method === 'POST') {
      const [status, document] = [form.get('Status'), form.get('Twiml')];
      const unknown = [...form.keys()].find((name) => !UPDATE.includes(name));
      if (unknown !== undefined) return refuse(400, 20001, `Unknown parameter ${unknown}`);
      if (document !== null) call.hangUpAtTransfer();
      if (call.isOver) return refuse(400, 21220, 'Invalid call state');
      if (status !== null && !['canceled', 'completed'].includes(status))
        return refuse(400, 21218, 'Invalid status');
      const limit = form.get('TimeLimit');
      if (!isLimit(limit, 1, 86_400)) return refuse(400, 21212, 'Invalid TimeLimit');
      if (limit !== null) call.limit(Number(limit));
      if (status === 'completed' || status === 'canceled')
        call.end(call.status === 'in-progress' ? 'completed' : 'canceled', 'runtime');
      else if (document !== null && call.status !== 'in-progress')
        return refuse(400, 21220, 'Invalid call state');
      else if (document !== null) call.run(document);
      else return refuse(400, 21218, 'Nothing to change');
    }
    return [200, describe(call)];
  }

  /** The calls that a call has placed, which are the only ones that a runtime lists. */
  private list(query: URLSearchParams): [number, object] {
    const parent = this.calls.find(({ id }) => id === query.get('ParentCallSid'));
    const calls = parent?.children.map((child) => ({ ...child, parent_call_sid: parent.id })) ?? [];
    return [200, { calls, page: 0, page_size: 50, next_page_uri: null }];
  }

  /** The number of the account: finds it, and sets where its calls go. */
  private configureNumber({ method, url = '' }: IncomingMessage, form: URLSearchParams): [number, object] {
    const { pathname, searchParams } = new URL(url, this.apiUrl);
    const base = `/2010-04-01/Accounts/${this.accountSid}/IncomingPhoneNumbers`;
    const described = { sid: NUMBER_SID, phone_number: this.number, voice_url: this.webhookUrl };
    if (method === 'GET' && pathname === `${base}.json`) {
      const isAsked = searchParams.get('PhoneNumber') === this.number;
      return [200, { incoming_phone_numbers: isAsked ? [described] : [] }];
    }
    const voiceUrl = form.get('VoiceUrl') ?? '';
    if (method !== 'POST' || pathname !== `${base}/${NUMBER_SID}.json` || !URL.canParse(voiceUrl))
      return [400, { code: 21502, message: 'Voice URL is not valid', status: 400 }];
    this.webhookUrl = voiceUrl;
    return [200, { ...described, voice_url: voiceUrl }];
  }

  private create(
    form: URLSearchParams,
    refuse: (status: number, code: number, message: string) => [number, object],
  ): [number, object] {
    const [to, from] = [form.get('To'), form.get('From')];
    const unknown = [...form.keys()].find((name) => !CREATE.includes(name));
    if (unknown !== undefined) return refuse(400, 20001, `Unknown parameter ${unknown}`);
    for (const name of ['StatusCallback', 'AsyncAmdStatusCallback'])
      if (!/^https?:\/\/[^_/]+\//.test(form.get(name) ?? 'http://none/'))
        return refuse(400, 21609, `Invalid ${name}`);
    if (!to) return refuse(400, 21201, "No 'To' number is specified");
    if (!E164.test(to)) return refuse(400, 21211, `The 'To' number ${to} is not a valid phone number.`);
    if (!from) return refuse(400, 21213, "No 'From' number is specified");
    if (from !== this.number) return refuse(400, 21210, `The source phone number ${from} is not verified.`);
    const document = form.get('Twiml') ?? '';
    if (document === '' && !form.has('Url')) return refuse(400, 21205, 'Url parameter is required.');
    if (document.length > 4_000) return refuse(400, 21235, 'Twiml is longer than 4000 characters');
    if (form.getAll('StatusCallbackEvent').some((event) => !EVENTS.includes(event)))
      return refuse(400, 21626, 'Invalid StatusCallbackEvent');
    for (const [name, min, max] of [
      ['Timeout', 5, 600],
      ['TimeLimit', 1, 86_400],
    ] as const) {
      if (!isLimit(form.get(name), min, max)) return refuse(400, 21212, `Invalid ${name}`);
    }
    const detection = form.get('MachineDetection');
    if (detection !== null && !['Enable', 'DetectMessageEnd'].includes(detection))
      return refuse(400, 21214, 'Invalid MachineDetection');
    if (!['true', 'false'].includes(form.get('AsyncAmd') ?? 'false'))
      return refuse(400, 20001, 'Invalid AsyncAmd');
    if (this.calls.filter(({ isOver }) => !isOver).length >= this.maxCalls)
      return refuse(429, 20429, 'Too Many Requests');
    const call = new TwilioCall(to, from, this.people.get(to) ?? {}, this, this.ticks, form);
    this.calls.push(call);
    // The answer comes before the first callback.
    setImmediate(() => call.dial());
    return [201, describe(call)];
  }
}

const describe = ({ id, status, to, from, direction, duration }: TwilioCall) => ({
  ...{ sid: id, status, to, from, direction },
  duration: duration === undefined ? null : String(duration),
});

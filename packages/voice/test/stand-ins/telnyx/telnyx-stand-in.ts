import { EventEmitter, once } from 'node:events';
import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Person } from '../phone/handset';
import { CarrierServer } from '../phone/carrier-server';
import type { IncomingCall, PhoneStandIn } from '../phone/phone-stand-in';
import { post } from '../phone/post';
import { type CallFields, TelnyxCall } from './call';

const E164 = /^\+[1-9]\d{6,14}$/;
const ATTEMPTS = 3;
const RETRY_MS = 250;
const RATES = [8_000, 16_000, 22_050, 24_000, 48_000];
const STREAM = [
  ...['stream_url', 'stream_track', 'stream_codec', 'stream_auth_token', 'stream_bidirectional_mode'],
  ...['stream_bidirectional_codec', 'stream_bidirectional_sampling_rate', 'stream_bidirectional_target_legs'],
];
const LEG = ['client_state', 'command_id', 'webhook_url', 'webhook_url_method'];
/** The documented fields of requests, as far as a runtime may need them. `answer` has no time limit. */
const FIELDS: Record<string, string[]> = {
  dial: [
    ...['connection_id', 'to', 'from', 'from_display_name', 'timeout_secs', 'time_limit_secs'],
    ...['answering_machine_detection', 'answering_machine_detection_config', 'send_silence_when_idle'],
    ...[...STREAM, ...LEG],
  ],
  answer: ['send_silence_when_idle', ...STREAM, ...LEG],
  reject: ['cause', 'client_state', 'command_id'],
  hangup: ['client_state', 'command_id'],
  transfer: [
    ...['to', 'from', 'from_display_name', 'timeout_secs', 'time_limit_secs', 'target_leg_client_state'],
    ...['early_media', 'park_after_unbridge', 'answering_machine_detection', ...LEG],
  ],
  send_dtmf: ['digits', 'duration_millis', 'client_state', 'command_id'],
  streaming_start: ['client_state', 'command_id', 'custom_parameters', ...STREAM],
  streaming_stop: ['stream_id', 'client_state', 'command_id'],
};

type Answer = [status: number, body: object];
const refuse = (status: number, code: string, title: string): Answer => [
  status,
  { errors: [{ code, title, detail: title }] },
];

/** The Call Control of Telnyx, as its documents say. */
export class TelnyxStandIn extends CarrierServer implements PhoneStandIn {
  readonly apiKey = `KEY${randomBytes(16).toString('hex')}`;
  readonly connectionId = String(1e17 + Math.floor(Math.random() * 1e15));
  readonly number = '+15550100000';
  readonly publicKey: string;
  readonly calls: TelnyxCall[] = [];
  webhookUrl = '';
  maxCalls = Infinity;
  /** The application hangs up an incoming call that gets no command within this time. */
  firstCommandSeconds?: number;
  /** Loses the answers to this many requests that create a call. */
  losesAnswers = 0;
  /** Sends each webhook twice, at the same time. The real one may do so. */
  repeatsWebhooks = false;
  /** The types of webhooks that come only after the call's hang-up. The real one promises no order. */
  lateWebhooks: string[] = [];
  /** The types of webhooks that never come. */
  lostWebhooks: string[] = [];
  /** Requests for the state of a call. */
  asked = 0;
  /** The answer to them instead of the state: a refusal, or none at all. */
  stateFault?: 'fails' | 'stalls';
  /** Whether a call waits until somebody is expected at its number. Each one who is expected takes one call then. */
  waitsForPeople = false;
  private readonly arrivals = new EventEmitter();
  private readonly privateKey: KeyObject;
  private readonly created = new Map<string, TelnyxCall>();

  private constructor() {
    super();
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    this.privateKey = privateKey;
    this.publicKey = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64');
    this.serve((request) => this.answer(request));
  }

  static listen(): Promise<TelnyxStandIn> {
    return new TelnyxStandIn().begin();
  }

  override expect(number: string, person: Person): void {
    super.expect(number, person);
    this.arrivals.emit(number);
  }

  async ringIn({ to, from, person = {} }: IncomingCall): Promise<TelnyxCall> {
    const call = this.createCall(to, from, 'incoming', person, {});
    call.ring();
    await call.settled;
    return call;
  }

  /** The headers of a webhook. */
  signed(body: string, timestamp = String(Math.floor(Date.now() / 1_000))): Record<string, string> {
    const signature = sign(null, Buffer.from(`${timestamp}|${body}`), this.privateKey).toString('base64');
    return {
      'content-type': 'application/json',
      'telnyx-timestamp': timestamp,
      'telnyx-signature-ed25519': signature,
    };
  }

  async close(): Promise<void> {
    for (const call of this.calls) call.end('originator_cancel', 'carrier');
    await Promise.all(this.calls.map(({ reported }) => reported));
    this.end();
  }

  /** Tries again, as the real one does, with the same event. */
  private async deliver(call: () => TelnyxCall, url: string, event: object): Promise<void> {
    const body = JSON.stringify(event);
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      try {
        const headers = this.signed(body);
        call().sent.push({ url, body, headers });
        const response = await post(url, headers, body, 5_000);
        if (response.status === 200) return;
        call().complaints.push(`a webhook was answered with ${response.status}`);
      } catch {
        call().complaints.push('a webhook was not answered');
      }
      if (attempt < ATTEMPTS) await pause(attempt * RETRY_MS);
    }
  }

  private createCall(
    to: string,
    from: string,
    direction: 'incoming' | 'outgoing',
    person: Person,
    fields: CallFields,
  ): TelnyxCall {
    const { ticks, connectionId, webhookUrl, firstCommandSeconds } = this;
    const call: TelnyxCall = new TelnyxCall(to, from, direction, person, fields, {
      ...{ ticks, connectionId, webhookUrl, firstCommandSeconds },
      isLate: (type) => this.lateWebhooks.includes(type),
      isCutOff: () => this.isCutOff,
      deliver: async (url, event) => {
        if (this.lostWebhooks.includes(readType(event))) return;
        const isInitial = direction === 'incoming' && !call.isAnswered && this.deliversTo.length > 0;
        const urls = isInitial ? this.deliversTo : this.repeatsWebhooks ? [url, url] : [url];
        const deliver = (to: string) => this.deliver(() => call, to, event);
        if (isInitial && !this.deliversAtOnce) for (const to of urls) await deliver(to);
        else await Promise.all(urls.map(deliver));
      },
    });
    this.calls.push(call);
    return call;
  }

  private async answer(request: IncomingMessage): Promise<Answer | undefined> {
    const text = Buffer.concat((await request.toArray()) as Buffer[]).toString();
    if (request.headers.authorization !== `Bearer ${this.apiKey}`)
      return refuse(401, '10009', 'Authentication failed');
    let body: Record<string, unknown> = {};
    try {
      if (request.method !== 'GET') body = JSON.parse(text) as typeof body;
    } catch {
      return refuse(400, '10015', 'Bad Request');
    }
    if (request.method === 'POST' && request.url === '/v2/calls') {
      const answer = await this.create(body);
      return this.losesAnswers-- > 0 ? undefined : answer;
    }
    if (request.method === 'GET' && request.url?.startsWith('/v2/connections/'))
      return this.list(request.url);
    if (request.method === 'PATCH') return this.configure(request.url ?? '', body);
    const [, id = '', action] = /^\/v2\/calls\/([^/]+)(?:\/actions\/(\w+))?$/.exec(request.url ?? '') ?? [];
    const call = this.calls.find((each) => each.id === decodeURIComponent(id));
    if (!call) return refuse(404, '10005', 'Resource not found');
    if (request.method === 'GET') {
      this.asked++;
      if (this.stateFault === 'fails') return refuse(503, '', 'Service unavailable');
      if (this.stateFault === 'stalls') await once(request.socket, 'close');
      return [200, { data: { ...describe(call), ...call.describeState() } }];
    }
    return this.command(call, action ?? '', body);
  }

  /** The calls of the application that are not over, two a page. */
  private list(path: string): Answer {
    const { pathname, searchParams } = new URL(path, this.apiUrl);
    if (pathname !== `/v2/connections/${this.connectionId}/active_calls`)
      return refuse(404, '10005', 'Resource not found');
    const from = Number(searchParams.get('page[after]')?.replace('v1:', '') ?? 0);
    const calls = this.calls.filter(({ isOver }) => !isOver);
    const active = calls.flatMap((call) => [call, ...(call.otherLeg ? [call.otherLeg] : [])]);
    const data = active.slice(from, from + 2).map(({ id, fields }) => ({
      ...{ call_control_id: id, call_leg_id: id, call_session_id: id, record_type: 'call' },
      ...{ client_state: fields.client_state ?? null, call_duration: 1 },
    }));
    const after = from + 2 < active.length ? `v1:${from + 2}` : null;
    return [200, { data, meta: { total_items: active.length, cursors: { after, before: null } } }];
  }

  /** The application, and the number of the account. */
  private configure(path: string, body: Record<string, unknown>): Answer {
    const { webhook_event_url: url, application_name: application, connection_id: connection } = body;
    const { first_command_timeout: hangsUp, first_command_timeout_secs: seconds = 30 } = body;
    if (path === `/v2/call_control_applications/${this.connectionId}`) {
      if (typeof application !== 'string' || !URL.canParse(String(url)))
        return refuse(422, '10015', 'application_name and webhook_event_url are required');
      this.webhookUrl = String(url);
      this.firstCommandSeconds = hangsUp === true ? Number(seconds) : undefined;
      return [200, { data: { id: this.connectionId, webhook_event_url: url } }];
    }
    if (path !== `/v2/phone_numbers/${this.number}`) return refuse(404, '10005', 'Resource not found');
    if (connection !== this.connectionId) return refuse(422, '10015', 'Invalid connection_id');
    return [200, { data: { phone_number: this.number, connection_id: connection } }];
  }

  private async create(body: Record<string, unknown>): Promise<Answer> {
    const { to, from, connection_id: connection, command_id: command } = body as Record<string, string>;
    const twin = this.created.get(command ?? '');
    if (twin) return [200, { data: describe(twin) }];
    if (connection !== this.connectionId) return refuse(422, '10015', 'Invalid value for connection_id');
    if (!to || !E164.test(to)) return refuse(422, '10016', 'Phone number must be in +E164 format');
    if (from !== this.number) return refuse(403, '10010', 'The source number is not yours');
    const wrong = findWrong('dial', body);
    if (wrong) return refuse(422, '10015', wrong);
    if (this.calls.filter(({ isOver }) => !isOver).length >= this.maxCalls)
      return refuse(403, '90043', 'The limit of channels is exceeded');
    const call = this.createCall(to, from, 'outgoing', await this.meet(to), body);
    if (command) this.created.set(command, call);
    setImmediate(() => call.dial());
    return [200, { data: describe(call) }];
  }

  /** The person who takes a call. */
  private async meet(number: string): Promise<Person> {
    if (this.waitsForPeople && !this.people.has(number)) await once(this.arrivals, number);
    const person = this.people.get(number) ?? {};
    if (this.waitsForPeople) this.people.delete(number);
    return person;
  }

  private command(call: TelnyxCall, action: string, body: Record<string, unknown>): Answer {
    if (!FIELDS[action]) return refuse(404, '10005', 'Resource not found');
    const { command_id: id, client_state } = body as Record<string, string>;
    if (id && call.commands.has(id)) return [200, { data: { result: 'ok' } }];
    if (action === 'transfer') call.hangUpAtTransfer();
    if (call.isOver || (action === 'answer' && call.giveUp()))
      return refuse(422, '90018', 'Call has already ended');
    // The documents do not say its code.
    if (call.isAnswered && action === 'answer') return refuse(422, '10015', 'Call has already been answered');
    if (!call.isAnswered && !['answer', 'reject', 'hangup'].includes(action))
      return refuse(422, '90034', 'Call has not been answered yet');
    const wrong = findWrong(action, body);
    if (wrong) return refuse(422, '10015', wrong);
    if (id) call.commands.add(id);
    if (client_state !== undefined) call.fields.client_state = client_state;
    if (action === 'answer') {
      Object.assign(call.fields, body);
      call.answer();
    }
    if (action === 'reject') {
      if (!['CALL_REJECTED', 'USER_BUSY'].includes(String(body.cause)))
        return refuse(422, '10015', 'Invalid cause');
      call.reject(String(body.cause));
    }
    if (action === 'hangup') call.end('normal_clearing', 'runtime');
    if (action === 'send_dtmf') {
      const duration = Number(body.duration_millis ?? 250);
      if (!/^[0-9A-DwW*#]+$/.test(String(body.digits))) return refuse(422, '10015', 'Invalid digits');
      if (!(duration >= 100 && duration <= 500)) return refuse(422, '10015', 'Invalid duration_millis');
      call.digits += String(body.digits);
    }
    if (action === 'transfer') {
      const { to = '', from = call.to } = body as Record<string, string>;
      if (!E164.test(to)) return refuse(422, '10016', 'Phone number must be in +E164 format');
      if (from !== this.number) return refuse(403, '10010', 'The source number is not yours');
      const { target_leg_client_state: state, webhook_url } = body as Record<string, string>;
      const limit = { time_limit_secs: body.time_limit_secs as number | undefined };
      call.transfer({ to, from, fields: { client_state: state, webhook_url, ...limit } });
    }
    if (action === 'streaming_start') {
      call.startStream(body);
    }
    return [200, { data: { result: 'ok' } }];
  }
}

const readType = (event: object) => (event as { data: { event_type: string } }).data.event_type;

/** @returns what the documents do not allow in a request */
function findWrong(request: string, body: Record<string, unknown>): string | undefined {
  const unknown = Object.keys(body).find((name) => !FIELDS[request]?.includes(name));
  if (unknown !== undefined) return `There is no parameter ${unknown}`;
  const field = (name: string) => {
    const value = body[name];
    return typeof value === 'string' || typeof value === 'number' ? `${value}` : undefined;
  };
  const isOdd = (name: string, isAllowed: (value: string) => boolean) => {
    const value = field(name);
    return value !== undefined && !isAllowed(value);
  };
  const within = (min: number, max: number) => (value: string) =>
    Number(value) >= min && Number(value) <= max;
  const codecs = ['PCMU', 'PCMA', 'G722', 'OPUS', 'AMR-WB', 'L16'];
  // Telnyx itself takes wss only.
  if (isOdd('stream_url', (url) => /^(wss:\/\/|ws:\/\/127\.0\.0\.1:)/.test(url)))
    return 'stream_url must begin with wss';
  if (isOdd('stream_codec', (codec) => [...codecs, 'default'].includes(codec))) return 'Invalid stream_codec';
  if (isOdd('stream_bidirectional_mode', (mode) => ['mp3', 'rtp'].includes(mode)))
    return 'Invalid stream_bidirectional_mode';
  if (isOdd('stream_bidirectional_codec', (codec) => codecs.includes(codec)))
    return 'Invalid stream_bidirectional_codec';
  if (isOdd('stream_bidirectional_sampling_rate', (rate) => RATES.includes(Number(rate))))
    return 'Invalid stream_bidirectional_sampling_rate';
  if (isOdd('stream_bidirectional_target_legs', (legs) => ['both', 'self', 'opposite'].includes(legs)))
    return 'Invalid stream_bidirectional_target_legs';
  if (isOdd('timeout_secs', within(5, 600))) return 'Invalid timeout_secs';
  // Four hours are the longest call.
  if (isOdd('time_limit_secs', within(30, 14_400))) return 'Invalid time_limit_secs';
  if (isOdd('stream_track', (track) => ['inbound_track', 'outbound_track', 'both_tracks'].includes(track)))
    return 'Invalid stream_track';
  if (isOdd('webhook_url', (url) => /^https?:\/\//.test(url))) return 'Invalid webhook_url';
  if (isOdd('target_leg_client_state', isBase64)) return 'target_leg_client_state must be Base64';
  if (isOdd('client_state', isBase64)) return 'client_state must be Base64';
  if (isOdd('command_id', ({ length }) => length <= 255)) return 'command_id is too long';
  return undefined;
}

const isBase64 = (text: string) => /^[A-Za-z0-9+/]+={0,2}$/.test(text);

const describe = ({ id }: TelnyxCall) => ({
  ...{ call_control_id: id, call_leg_id: id, call_session_id: id, is_alive: false, record_type: 'call' },
});

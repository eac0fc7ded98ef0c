import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Person } from '../phone/handset';
import { CarrierServer } from '../phone/carrier-server';
import type { IncomingCall, PhoneStandIn } from '../phone/phone-stand-in';
import { type CallFields, TelnyxCall } from './call';

const E164 = /^\+[1-9]\d{6,14}$/;
const ATTEMPTS = 2;
const COMMANDS = ['answer', 'reject', 'hangup', 'transfer', 'send_dtmf', 'streaming_start', 'streaming_stop'];

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
  /** Loses the answers to so many requests that create a call. */
  losesAnswers = 0;
  private readonly privateKey: KeyObject;
  private readonly created = new Map<string, TelnyxCall>();

  private constructor() {
    super();
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    this.privateKey = privateKey;
    this.publicKey = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64');
    this.server.on('request', (request, response) => {
      void this.answer(request).then((answer) => {
        if (!answer) return response.destroy();
        response.writeHead(answer[0], { 'content-type': 'application/json' }).end(JSON.stringify(answer[1]));
      });
    });
  }

  static listen(): Promise<TelnyxStandIn> {
    return new TelnyxStandIn().begin();
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
        const signal = AbortSignal.timeout(5_000);
        const response = await fetch(url, { method: 'POST', headers: this.signed(body), body, signal });
        if (response.status === 200) return;
        call().complaints.push(`a webhook was answered with ${response.status}`);
      } catch {
        call().complaints.push('a webhook was not answered');
      }
    }
  }

  private createCall(
    to: string,
    from: string,
    direction: 'incoming' | 'outgoing',
    person: Person,
    fields: CallFields,
  ): TelnyxCall {
    const { ticks, connectionId, webhookUrl } = this;
    const call: TelnyxCall = new TelnyxCall(to, from, direction, person, fields, {
      ...{ ticks, connectionId, webhookUrl },
      deliver: (url, event) => this.deliver(() => call, url, event),
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
      const answer = this.create(body);
      return this.losesAnswers-- > 0 ? undefined : answer;
    }
    if (request.method === 'PATCH') return this.configure(request.url ?? '', body);
    const [, id = '', action] = /^\/v2\/calls\/([^/]+)(?:\/actions\/(\w+))?$/.exec(request.url ?? '') ?? [];
    const call = this.calls.find((each) => each.id === decodeURIComponent(id));
    if (!call) return refuse(404, '10005', 'Resource not found');
    if (request.method === 'GET')
      return [200, { data: { call_control_id: call.id, is_alive: !call.isOver, record_type: 'call' } }];
    return this.command(call, action ?? '', body);
  }

  /** The application, and the number of the account. */
  private configure(path: string, body: Record<string, unknown>): Answer {
    const { webhook_event_url: url, application_name: application, connection_id: connection } = body;
    if (path === `/v2/call_control_applications/${this.connectionId}`) {
      if (typeof application !== 'string' || !URL.canParse(String(url)))
        return refuse(422, '10015', 'application_name and webhook_event_url are required');
      this.webhookUrl = String(url);
      return [200, { data: { id: this.connectionId, webhook_event_url: url } }];
    }
    if (path !== `/v2/phone_numbers/${this.number}`) return refuse(404, '10005', 'Resource not found');
    if (connection !== this.connectionId) return refuse(422, '10015', 'Invalid connection_id');
    return [200, { data: { phone_number: this.number, connection_id: connection } }];
  }

  private create(body: Record<string, unknown>): Answer {
    const { to, from, connection_id: connection, command_id: command } = body as Record<string, string>;
    const twin = this.created.get(command ?? '');
    if (twin) return [200, { data: describe(twin) }];
    if (connection !== this.connectionId) return refuse(422, '10015', 'Invalid value for connection_id');
    if (!to || !E164.test(to)) return refuse(422, '10016', 'Phone number must be in +E164 format');
    if (from !== this.number) return refuse(403, '10010', 'The source number is not yours');
    const wrong = findWrong(body);
    if (wrong) return refuse(422, '10015', wrong);
    if (this.calls.filter(({ isOver }) => !isOver).length >= this.maxCalls)
      return refuse(403, '90043', 'The limit of channels is exceeded');
    const call = this.createCall(to, from, 'outgoing', this.people.get(to) ?? {}, body);
    if (command) this.created.set(command, call);
    setImmediate(() => call.dial());
    return [200, { data: describe(call) }];
  }

  private command(call: TelnyxCall, action: string, body: Record<string, unknown>): Answer {
    if (!COMMANDS.includes(action)) return refuse(404, '10005', 'Resource not found');
    const { command_id: id, client_state } = body as Record<string, string>;
    if (id && call.commands.has(id)) return [200, { data: { result: 'ok' } }];
    if (call.isOver) return refuse(422, '90018', 'Call has already ended');
    if (!call.isAnswered && !['answer', 'reject', 'hangup'].includes(action))
      return refuse(422, '90034', 'Call has not been answered yet');
    const wrong = findWrong(body);
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
      if (!/^[0-9A-DwW*#]+$/.test(String(body.digits))) return refuse(422, '10015', 'Invalid digits');
      call.digits += String(body.digits);
    }
    if (action === 'transfer') {
      if (!E164.test(String(body.to))) return refuse(422, '10016', 'Phone number must be in +E164 format');
      call.transfer(String(body.to));
    }
    if (action === 'streaming_start') {
      Object.assign(call.fields, body);
      call.startStream();
    }
    return [200, { data: { result: 'ok' } }];
  }
}

/** @returns what the documents do not allow in a request */
function findWrong(body: Record<string, unknown>): string | undefined {
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
  if (isOdd('stream_url', (url) => /^wss?:\/\//.test(url))) return 'stream_url must begin with wss';
  if (isOdd('stream_bidirectional_mode', (mode) => ['mp3', 'rtp'].includes(mode)))
    return 'Invalid stream_bidirectional_mode';
  if (isOdd('stream_bidirectional_codec', (codec) => codecs.includes(codec)))
    return 'Invalid stream_bidirectional_codec';
  if (isOdd('timeout_secs', within(5, 600))) return 'Invalid timeout_secs';
  if (isOdd('time_limit_secs', within(30, 86_400))) return 'Invalid time_limit_secs';
  if (isOdd('client_state', (state) => /^[A-Za-z0-9+/]+={0,2}$/.test(state)))
    return 'client_state must be Base64';
  if (isOdd('command_id', ({ length }) => length <= 255)) return 'command_id is too long';
  return undefined;
}

const describe = ({ id }: TelnyxCall) => ({
  ...{ call_control_id: id, call_leg_id: id, call_session_id: id, is_alive: false, record_type: 'call' },
});

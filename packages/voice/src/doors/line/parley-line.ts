import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isSameSecret } from '../../same-secret';
import type { Recognizer, Synthesizer } from '../../speech/speech';
import type { CalleeEvent } from './callee';
import { type Answer, LineCall, type Status } from './line-call';
import { findScript } from './scripts';

export interface ParleyLineOptions {
  /** The speech services of the simulated persons. */
  speech: { recognizer: Recognizer; synthesizer: Synthesizer };
  /** The script of a number; default: by its last two digits, as the README says. */
  script?: (number: string) => Answer;
  /** Is called with each thing that a person does or hears. */
  event?: (number: string, event: CalleeEvent) => void;
  problem?: (sentence: string) => void;
}

const MAX_BODY_BYTES = 64 * 1024;
const MAX_CALLS = 1_000;
/** A call that is over can be asked for this long. */
const KEPT_MS = 60_000;

/** A telephone carrier on this machine, with the parts of Twilio's REST interface that calls need. */
export class ParleyLine {
  readonly accountSid = `AC${randomBytes(16).toString('hex')}`;
  readonly authToken = randomBytes(16).toString('hex');
  readonly number = '+15550100000';
  private readonly calls = new Map<string, LineCall>();
  private readonly forgetting = new Set<NodeJS.Timeout>();
  private readonly server: Server;

  private constructor(private readonly options: ParleyLineOptions) {
    this.server = createServer((request, response) => {
      this.answer(request, response).catch(() => response.destroy());
    });
  }

  static async listen(options: ParleyLineOptions): Promise<ParleyLine> {
    const line = new ParleyLine(options);
    await new Promise<void>((resolve, reject) => {
      line.server.once('error', reject).listen(0, '127.0.0.1', resolve);
    });
    return line;
  }

  get apiUrl(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    for (const timer of this.forgetting) clearTimeout(timer);
    for (const call of this.calls.values()) call.end('completed');
    this.server.closeAllConnections();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const send = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    const refuse = (status: number, code: number, message: string) => send(status, { status, code, message });
    if (!this.isAuthorized(request.headers.authorization)) return void refuse(401, 20003, 'Authenticate');
    const base = `/2010-04-01/Accounts/${this.accountSid}/Calls`;
    const path = (request.url ?? '').split('?')[0] ?? '';
    const form = new URLSearchParams(await readBody(request));
    if (request.method === 'POST' && path === `${base}.json`) {
      const [status, body] = this.place(form);
      return void send(status, body);
    }
    // A number that is dialled by a document is no call of its own here.
    if (request.method === 'GET' && path === `${base}.json`) return void send(200, { calls: [] });
    const call = path.startsWith(`${base}/`) ? this.calls.get(path.slice(base.length + 1, -5)) : undefined;
    if (!call) return void refuse(404, 20404, `The requested resource ${path} was not found`);
    const wanted = form.get('Status');
    if (request.method === 'POST' && wanted !== null) {
      if (wanted !== 'completed' && wanted !== 'canceled') return void refuse(400, 20001, 'Invalid status');
      if (call.isOver) return void refuse(400, 21220, 'Call is not in-progress');
      call.end(call.status === 'in-progress' ? 'completed' : 'canceled');
    }
    const document = form.get('Twiml');
    if (request.method === 'POST' && document !== null) {
      if (call.status !== 'in-progress') return void refuse(400, 21220, 'Call is not in-progress');
      call.instruct(document);
    }
    send(200, described(call.sid, call.status));
  }

  private place(form: URLSearchParams): [status: number, body: object] {
    const to = form.get('To') ?? '';
    if (!/^\+[1-9]\d{6,14}$/.test(to)) {
      return [
        400,
        { status: 400, code: 21211, message: `The 'To' number ${to} is not a valid phone number` },
      ];
    }
    if ([...this.calls.values()].filter(({ isOver }) => !isOver).length >= MAX_CALLS) {
      return [429, { status: 429, code: 20429, message: 'Too many calls' }];
    }
    const { accountSid, authToken, options } = this;
    const { speech, script = findScript, event, problem = () => undefined } = options;
    const call: LineCall = new LineCall({
      ...{ accountSid, authToken, form, speech, problem },
      script: script(to),
      event: (what) => event?.(to, what),
      ended: () => this.forgetLater(call.sid),
    });
    this.calls.set(call.sid, call);
    return [201, described(call.sid, call.status)];
  }

  private forgetLater(sid: string): void {
    const timer = setTimeout(() => {
      this.calls.delete(sid);
      this.forgetting.delete(timer);
    }, KEPT_MS);
    timer.unref();
    this.forgetting.add(timer);
  }

  private isAuthorized(header = ''): boolean {
    const own = `Basic ${Buffer.from(`${this.accountSid}:${this.authToken}`).toString('base64')}`;
    return isSameSecret(header, own);
  }
}

const described = (sid: string, status: Status) => ({ sid, status });

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > MAX_BODY_BYTES) throw new Error('The body is too large');
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { CallFailed, type DisconnectReason, type Logger } from '@parley/worker';
import { type WebSocket, WebSocketServer } from 'ws';
import { type Clock, systemClock } from '../../clock';
import { describeError } from '../../errors';
import type { Carrier, OutgoingCall } from '../carrier';
import { readStreamFrame } from './media-frames';
import { refusedReason, unansweredReason } from './outcomes';
import { PhoneSession } from './phone-session';
import { isSigned } from './signature';
import { type TwilioAccount, TwilioClient } from './twilio-client';

export interface TwilioSettings extends TwilioAccount {
  /** The caller's number for agents that have none. */
  number: string;
  /** The address at which the carrier reaches this door, such as `wss://voice.example.com`. */
  publicUrl: string;
}

const PATH = '/voice/twilio';
/** The time for which it rings. */
const RING_SECONDS = 40;
/** The time that a call may take beyond that, before the runtime requests its state from the carrier. */
const GRACE_MS = 15_000;
const MAX_FRAME_BYTES = 64 * 1024;
const MAX_FORM_BYTES = 64 * 1024;
/** The time within which a stream must name its call. */
const START_MS = 10_000;

/** Places phone calls with Twilio, or with a carrier that speaks its REST interface and media streams. */
export class TwilioDoor implements Carrier {
  private readonly sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_FRAME_BYTES,
    perMessageDeflate: false,
  });
  private readonly sessions = new Map<string, PhoneSession>();
  private readonly client: TwilioClient;

  constructor(
    private readonly settings: TwilioSettings,
    private readonly logger: Pick<Logger, 'warn'>,
    private readonly clock: Clock = systemClock,
  ) {
    this.client = new TwilioClient(settings);
  }

  async dial(call: OutgoingCall, signal: AbortSignal): Promise<PhoneSession> {
    signal.throwIfAborted();
    let sid: string | undefined;
    const session = new PhoneSession(this.clock, (isOver) => {
      this.sessions.delete(call.id);
      if (sid !== undefined && !isOver) this.hangUp(call.id, sid);
    });
    this.sessions.set(call.id, session);
    try {
      sid = await this.place(call, session);
      // A signal that fired during the request fires no listener that is added now.
      signal.throwIfAborted();
      const reason = await this.answer(session, sid, signal);
      if (reason) throw new CallFailed(reason);
      return session;
    } catch (error) {
      session.end();
      throw error;
    }
  }

  /** For the requests of an HTTP server. @returns whether the path is one of this door */
  handle(request: IncomingMessage, response: ServerResponse): boolean {
    const [, callId, kind] = /^\/voice\/twilio\/([\w-]{1,100})\/(status|amd)$/.exec(request.url ?? '') ?? [];
    if (callId === undefined || request.method !== 'POST') return false;
    this.callback(callId, kind === 'amd', request).then(
      (status) => response.writeHead(status).end(),
      () => response.destroy(),
    );
    return true;
  }

  /** For the `upgrade` event of an HTTP server. @returns whether the path is one of this door */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean {
    if (request.url !== `${PATH}/media`) return false;
    this.sockets.handleUpgrade(request, socket, head, (client) => this.streamOpened(client));
    return true;
  }

  private async place(call: OutgoingCall, { key }: PhoneSession): Promise<string> {
    const { number, publicUrl } = this.settings;
    const stream =
      `<Connect><Stream url="${escaped(`${publicUrl}${PATH}/media`)}">` +
      `<Parameter name="call" value="${call.id}"/><Parameter name="key" value="${key}"/></Stream></Connect>`;
    const form = new URLSearchParams({
      To: call.to,
      From: call.from || number,
      // The second one is reached if the connection of the first one is cut.
      Twiml: `<Response>${stream}${stream}</Response>`,
      Timeout: String(RING_SECONDS),
      StatusCallback: this.callbackUrl(call.id, 'status'),
    });
    for (const event of ['initiated', 'ringing', 'answered', 'completed'])
      form.append('StatusCallbackEvent', event);
    if (call.detectsMachine) {
      form.set('MachineDetection', 'DetectMessageEnd');
      form.set('AsyncAmd', 'true');
      form.set('AsyncAmdStatusCallback', this.callbackUrl(call.id, 'amd'));
    }
    try {
      return await this.client.createCall(form);
    } catch (error) {
      throw new CallFailed(refusedReason(error), describeError(error));
    }
  }

  /** @returns why nobody answered; undefined: somebody did */
  private async answer(
    session: PhoneSession,
    sid: string,
    signal: AbortSignal,
  ): Promise<DisconnectReason | undefined> {
    let late = () => undefined as void;
    const expired = new Promise<'late'>((resolve) => {
      late = this.clock.after(RING_SECONDS * 1_000 + GRACE_MS, () => resolve('late'));
    });
    let aborted = () => undefined as void;
    const interrupted = new Promise<never>((_, reject) => {
      aborted = () => reject(signal.reason as Error);
      signal.addEventListener('abort', aborted, { once: true });
    });
    try {
      const reason = await Promise.race([session.answered, expired, interrupted]);
      if (reason !== 'late') return reason;
      // No callback came here, so the carrier may not reach this address.
      return unansweredReason(await this.client.readStatus(sid)) ?? 'error';
    } finally {
      late();
      signal.removeEventListener('abort', aborted);
    }
  }

  private async callback(callId: string, isAmd: boolean, request: IncomingMessage): Promise<number> {
    const body = await readBody(request);
    if (body === undefined) return 413;
    const form = new URLSearchParams(body);
    const url = this.callbackUrl(callId, isAmd ? 'amd' : 'status');
    if (!isSigned(this.settings.authToken, url, form, request.headers['x-twilio-signature'])) return 403;
    const session = this.sessions.get(callId);
    if (isAmd) session?.answeredBy(form.get('AnsweredBy') ?? '');
    else session?.statusChanged(form.get('CallStatus') ?? '', form.get('SipResponseCode') ?? '');
    return 204;
  }

  /** Until its first frames say which call it is, a stream is nobody's. */
  private streamOpened(socket: WebSocket): void {
    const cancel = this.clock.after(START_MS, () => socket.close(1008));
    // A frame that is too large closes the connection, after an error.
    socket.on('error', () => undefined);
    socket.on('close', cancel);
    const first = (data: Buffer, isBinary: boolean) => {
      const frame = isBinary ? undefined : readStreamFrame(data.toString());
      if (frame?.event === 'connected') return;
      cancel();
      socket.off('message', first);
      const { call, key } = frame?.event === 'start' ? frame.parameters : {};
      const session = typeof call === 'string' ? this.sessions.get(call) : undefined;
      if (frame?.event === 'start' && session?.accepts(key)) session.connect(socket, frame.streamSid);
      else socket.close(1008);
    };
    socket.on('message', first);
  }

  private hangUp(callId: string, sid: string): void {
    this.client
      .hangUp(sid)
      .catch((error: unknown) => this.logger.warn(`Call ${callId} was not hung up: ${describeError(error)}`));
  }

  private callbackUrl(callId: string, kind: 'status' | 'amd'): string {
    return `${this.settings.publicUrl.replace(/^ws/, 'http')}${PATH}/${callId}/${kind}`;
  }
}

async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > MAX_FORM_BYTES) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

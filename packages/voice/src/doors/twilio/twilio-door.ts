import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { CallFailed, type Logger } from '@parley/worker';
import { type Clock, systemClock } from '../../clock';
import { describeError } from '../../errors';
import type { AcceptedCall, CallSpeech, Carrier, OutgoingCall } from '../carrier';
import { awaitAnswer } from '../phone/await-answer';
import { AudioSession } from '../phone/audio-session';
import type { PhoneControls, PhoneSession } from '../phone/phone-session';
import { readBody } from '../phone/read-body';
import { refuse, StreamSockets } from '../phone/stream-sockets';
import { type TakeIncoming, WaitingCalls } from '../phone/waiting-calls';
import { twilioStream } from './media-frames';
import { readEnd, readMachine, readRefusal } from './outcomes';
import { isSigned } from './signature';
import { relayProtocol } from './relay-frames';
import { RelaySession } from './relay-session';
import { connectRelay, connectStream, dial, reject } from './twiml';
import { ANSWER_MS, toTimeLimitSeconds, PICK_UP_MS, RING_SECONDS } from '../phone/time-limits';
import { type TwilioAccount, TwilioClient } from './twilio-client';

export interface TwilioSettings extends TwilioAccount {
  /** The caller's number for agents that have none. */
  number: string;
  /** The address at which the carrier reaches this door, such as `wss://voice.example.com`. */
  publicUrl: string;
  /** The part of the path that names this process, where several have one address. */
  processPath?: string;
  /** Whether Twilio hears and speaks (ConversationRelay), instead of sending audio (Media Streams). */
  speaks?: boolean;
}

const PATH = '/voice/twilio';

/** Places and takes phone calls with Twilio, or with a carrier that speaks its REST interface and media streams. */
export class TwilioDoor implements Carrier {
  readonly name = 'Twilio';
  readonly speaks: boolean;
  private readonly sessions = new Map<string, PhoneSession>();
  private readonly client: TwilioClient;
  private readonly streams: StreamSockets;
  private readonly waiting: WaitingCalls;
  private readonly pickedUp = new Map<string, { session: PhoneSession; document: string }>();
  private take?: TakeIncoming;

  constructor(
    private readonly settings: TwilioSettings,
    private readonly logger: Pick<Logger, 'warn'>,
    private readonly clock: Clock = systemClock,
  ) {
    this.speaks = settings.speaks ?? false;
    this.client = new TwilioClient(settings);
    this.waiting = new WaitingCalls(clock, (sentence) => logger.warn(sentence));
    this.streams = new StreamSockets({
      clock,
      protocol: this.speaks ? relayProtocol : twilioStream,
      find: ({ parameters: { call, key } }) => {
        const session = typeof call === 'string' ? this.sessions.get(call) : undefined;
        return session?.accepts(key) ? session : undefined;
      },
    });
  }

  takeCalls(take: TakeIncoming): void {
    this.take = take;
  }

  async dial(call: OutgoingCall, signal: AbortSignal): Promise<PhoneSession> {
    signal.throwIfAborted();
    let sid: string | undefined;
    const session = this.open(call.id, () => sid);
    try {
      sid = await this.place(call, session);
      const end = await this.untilAnswered(session, sid, ANSWER_MS, signal);
      if (end) throw new CallFailed(end.reason, end.detail);
      return session;
    } catch (error) {
      session.end();
      throw error;
    }
  }

  async pickUp({ id, carrierId, speech }: AcceptedCall, signal: AbortSignal): Promise<PhoneSession> {
    const session = this.open(id, () => carrierId);
    try {
      this.pickedUp.set(carrierId, { session, document: this.createDocument(id, session, speech) });
      if (!this.waiting.accept(carrierId, id)) throw new CallFailed('user_hangup', 'The caller has gone');
      const end = await this.untilAnswered(session, carrierId, PICK_UP_MS, signal);
      if (end) throw new CallFailed('user_hangup', end.detail);
      return session;
    } catch (error) {
      session.end();
      throw error;
    } finally {
      this.pickedUp.delete(carrierId);
    }
  }

  handle(request: IncomingMessage, response: ServerResponse): boolean {
    const path = request.url ?? '';
    if (request.method !== 'POST' || !path.startsWith(`${PATH}/`)) return false;
    const [, callId, kind] = /^\/voice\/twilio\/([\w-]{1,100})\/(status|amd)$/.exec(path) ?? [];
    const answer = (status: number, document?: string) =>
      response.writeHead(status, document === undefined ? {} : { 'content-type': 'text/xml' }).end(document);
    if (callId !== undefined)
      this.callback(callId, kind === 'amd', request).then(answer, () => response.destroy());
    else if (path === `${PATH}/incoming`)
      this.incoming(request).then(
        (result) => (typeof result === 'number' ? answer(result) : answer(200, result)),
        (error: unknown) => {
          this.logger.warn(`An incoming call was not taken: ${describeError(error)}`);
          answer(500);
        },
      );
    else answer(404);
    return true;
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean {
    if (request.url !== `${PATH}/media`) return false;
    const signature = request.headers['x-twilio-signature'];
    const urls = [this.streamUrl, this.streamUrl.replace(/^ws/, 'http')];
    if (urls.some((url) => isSigned(this.settings.authToken, url, undefined, signature)))
      this.streams.upgrade(request, socket, head);
    else refuse(socket, '403 Forbidden');
    return true;
  }

  /** @param sid the call at the carrier, once it is known */
  private open(callId: string, sid: () => string | undefined): PhoneSession {
    const controls: PhoneControls = {
      ended: (isOver) => {
        this.sessions.delete(callId);
        const known = sid();
        if (known !== undefined && !isOver) this.hangUp(callId, known);
      },
      transfer: (to) => this.client.instruct(sid() ?? '', dial(to)),
    };
    const session = this.speaks
      ? new RelaySession(this.clock, controls, (sentence) => this.logger.warn(`Call ${callId}: ${sentence}`))
      : new AudioSession(twilioStream, this.clock, controls);
    this.sessions.set(callId, session);
    return session;
  }

  private async place(call: OutgoingCall, session: PhoneSession): Promise<string> {
    const form = new URLSearchParams({
      To: call.to,
      From: call.from || this.settings.number,
      Twiml: this.createDocument(call.id, session, call.speech),
      Timeout: String(RING_SECONDS),
      TimeLimit: String(toTimeLimitSeconds(call.maximumMs)),
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
      const { reason, detail } = readRefusal(error);
      throw new CallFailed(reason, detail);
    }
  }

  /** @returns why nobody answered; undefined: somebody did */
  private untilAnswered({ answered }: PhoneSession, sid: string, ms: number, signal: AbortSignal) {
    const ask = async () => readEnd(await this.client.readStatus(sid));
    return awaitAnswer(answered, { clock: this.clock, signal, ms, ask });
  }

  private async callback(callId: string, isAmd: boolean, request: IncomingMessage): Promise<number> {
    const form = await this.readForm(request, this.callbackUrl(callId, isAmd ? 'amd' : 'status'));
    if (typeof form === 'number') return form;
    const session = this.sessions.get(callId);
    const machine = isAmd ? readMachine(form.get('AnsweredBy') ?? '') : undefined;
    if (machine) session?.machineAnswered(machine);
    const end = isAmd ? undefined : readEnd(form.get('CallStatus') ?? '', form.get('SipResponseCode') ?? '');
    if (end) session?.carrierEnded(end);
    return 204;
  }

  /** @returns a status, or the document that answers the call or refuses it */
  private async incoming(request: IncomingMessage): Promise<number | string> {
    const form = await this.readForm(request, `${this.httpUrl}${PATH}/incoming`);
    if (typeof form === 'number') return form;
    const [sid, to, from] = ['CallSid', 'To', 'From'].map((name) => form.get(name) ?? '');
    if (!/^CA[\w-]{1,100}$/.test(sid ?? '')) return 400;
    // The signature has no time in it: a request that is sent again is known by a call that rings no more.
    const isWaiting = ['queued', 'ringing'].includes(await this.client.readStatus(sid ?? ''));
    if (!isWaiting) return 409;
    const answer = await this.waiting.ask(sid ?? '', { to: to ?? '', from: from ?? '' }, this.take);
    if (!answer) return 409;
    if ('refusal' in answer) return reject(answer.refusal);
    return this.pickedUp.get(sid ?? '')?.document ?? reject('no_answer');
  }

  private async readForm(request: IncomingMessage, url: string): Promise<URLSearchParams | number> {
    const body = await readBody(request);
    if (body === undefined) return 413;
    const form = new URLSearchParams(body);
    const signature = request.headers['x-twilio-signature'];
    return isSigned(this.settings.authToken, url, form, signature) ? form : 403;
  }

  private hangUp(callId: string, sid: string): void {
    this.client
      .hangUp(sid)
      .catch((error: unknown) => this.logger.warn(`Call ${callId} was not hung up: ${describeError(error)}`));
  }

  private createDocument(callId: string, { key }: PhoneSession, speech: CallSpeech): string {
    const parameters = { call: callId, key };
    return this.speaks
      ? connectRelay(this.streamUrl, parameters, speech)
      : connectStream(this.streamUrl, parameters);
  }

  private get streamUrl(): string {
    const { publicUrl, processPath = '' } = this.settings;
    return `${publicUrl}${processPath}${PATH}/media`;
  }

  private get httpUrl(): string {
    return this.settings.publicUrl.replace(/^ws/, 'http');
  }

  private callbackUrl(callId: string, kind: 'status' | 'amd'): string {
    return `${this.httpUrl}${this.settings.processPath ?? ''}${PATH}/${callId}/${kind}`;
  }
}

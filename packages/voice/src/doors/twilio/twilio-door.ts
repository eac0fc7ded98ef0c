import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { type Logger, shorten } from '@parley/worker';
import { type Clock, systemClock } from '../../clock';
import { describeError } from '../../errors';
import { getProcessPath } from '../../net/peers';
import type { CallSpeech, CarrierSpeech } from '../../speech/carrier-speech';
import type { AcceptedCall, Carrier, OutgoingCall, SignatureListener } from '../carrier';
import { awaitAnswer } from '../phone/await-answer';
import { type CarrierEnd, toUnanswered } from '../phone/carrier-end';
import { AudioSession } from '../phone/audio-session';
import { HandedOver } from '../phone/handed-over';
import { HangUps } from '../phone/hang-ups';
import { type PhoneControls, type PhoneSession, REPORT_MS } from '../phone/phone-session';
import { readBody } from '../../net/read-body';
import { RecentIds } from '../phone/recent-ids';
import { refuse, StreamSockets } from '../phone/stream-sockets';
import type { Offer, OfferAnswer } from '../../net/offers';
import {
  type IncomingAnswer,
  type OtherRuntimes,
  type TakeIncoming,
  toOfferAnswer,
  WaitingCalls,
} from '../phone/waiting-calls';
import { twilioStream } from './media-frames';
import {
  isAnswered,
  readAnswerer,
  readEnd,
  readTransfer,
  toRefusal,
  toWithoutRelay,
  UNREPORTED,
  WITHOUT_STREAM,
} from './outcomes';
import { isSigned } from './signature';
import { relayProtocol } from './relay-frames';
import { RelaySession } from './relay-session';
import { connectRelay, connectStream, cutHints, dial, HANG_UP, reject } from './twiml';
import {
  MAX_CALL_SECONDS,
  PICK_UP_MS,
  toAnswerMs,
  toRingSeconds,
  toTimeLimitSeconds,
} from '../phone/time-limits';
import { CALL_SID, type TwilioAccount, TwilioClient, TwilioError } from './twilio-client';

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
/** The time that Twilio may add to the timeout of a ringing phone. */
const MORE_RINGING_SECONDS = 5;
type CallbackKind = 'status' | 'amd' | 'transfer' | 'lost';

type Leased = Pick<OutgoingCall, 'id' | 'answered' | 'leaseSeconds' | 'speech'>;

interface HeldCall {
  session: PhoneSession;
  speech: CallSpeech;
  /** The call at Twilio, once it is known. */
  sid?: string;
  /** Whether this process has placed the call, or has its stream. Another one may have answered it. */
  isOwn: boolean;
  /** The results of the machine detection so far. Each counts once. */
  readonly answeredBy: Set<string>;
}

/** Places and takes phone calls with Twilio, or with a carrier that speaks its REST interface and media streams. */
export class TwilioDoor implements Carrier {
  readonly name = 'Twilio';
  readonly speech?: CarrierSpeech;
  /** By the id of the call here. */
  private readonly sessions = new Map<string, HeldCall>();
  private readonly handedOver: HandedOver;
  private readonly hangUps: HangUps;
  /** The calls that are over at Twilio. Their callbacks may come late, or again. */
  private readonly ended = new RecentIds(MAX_CALL_SECONDS * 1_000);
  private readonly client: TwilioClient;
  private readonly streams: StreamSockets;
  private readonly waiting: WaitingCalls;
  private readonly pickedUp = new Map<string, { session: PhoneSession; document: string }>();
  /** The answers that incoming calls wait for, by the carrier's id. */
  private readonly answering = new Map<string, Promise<number | string>>();

  constructor(
    private readonly settings: TwilioSettings,
    private readonly logger: Pick<Logger, 'warn'>,
    private readonly clock: Clock = systemClock,
  ) {
    this.speech = settings.speaks ? { cutTerms: cutHints } : undefined;
    this.client = new TwilioClient(settings);
    this.hangUps = new HangUps(clock, logger);
    this.handedOver = new HandedOver(clock, {
      isOver: async (sid) => (await this.askEnd(sid)) !== undefined,
      hangUp: (callId, sid) => this.hangUp(callId, sid),
    });
    this.waiting = new WaitingCalls(CALL_SID, clock, (sentence) => logger.warn(sentence));
    this.streams = new StreamSockets({
      clock,
      protocol: this.speech ? relayProtocol : twilioStream,
      find: ({ parameters: { call, key } }) => {
        const session = typeof call === 'string' ? this.sessions.get(call)?.session : undefined;
        return session?.admit(key) ? session : undefined;
      },
    });
  }

  close(): Promise<void> {
    this.handedOver.close();
    return this.hangUps.close();
  }

  takeCalls(take: TakeIncoming, others?: OtherRuntimes): void {
    this.waiting.takeCalls(take, others);
  }

  async offered(offer: Offer, withdrawn: AbortSignal): Promise<OfferAnswer | undefined> {
    return this.toDocument(offer.id, await this.waiting.ask(offer, withdrawn));
  }

  async repeated(id: string): Promise<OfferAnswer | undefined> {
    return this.toDocument(id, await this.waiting.repeat(id));
  }

  async dial(call: OutgoingCall, signal: AbortSignal): Promise<PhoneSession> {
    signal.throwIfAborted();
    const held = this.open(call);
    const { session } = held;
    try {
      const placed = this.place(call, session).then(
        (sid) => this.placed(call.id, held, sid),
        (error: unknown) => {
          // A callback about the call says that it was placed.
          if (held.sid === undefined) throw error;
        },
      );
      const ask = () => this.askEnd(held.sid ?? '');
      const end = await this.untilAnswered(session, toAnswerMs(toTimeout(call)), signal, ask, placed);
      if (end) throw session.toFailure(end);
      return session;
    } catch (error) {
      session.end();
      throw error;
    }
  }

  async pickUp(call: AcceptedCall, signal: AbortSignal): Promise<PhoneSession> {
    const { id, speech } = call;
    const carrierId = this.waiting.accept(id);
    // Twilio reports the end of an incoming call only where its number has an address for that.
    const held = this.open(call, carrierId, () => this.askEnd(carrierId));
    const { session } = held;
    try {
      // The document that is sent now answers the call, unless the caller has hung up before it arrives.
      this.pickedUp.set(carrierId, { session, document: this.createDocument(id, session, speech) });
      const sentAt = Date.now();
      const ask = async () => {
        const status = await this.client.readStatus(carrierId);
        if (isAnswered(status)) session.noteAnswer(sentAt);
        return readEnd(status);
      };
      const end = await this.untilAnswered(session, PICK_UP_MS, signal, ask);
      if (end) throw toUnanswered(end);
      held.isOwn = true;
      return session;
    } catch (error) {
      this.waiting.forget(carrierId);
      session.end();
      throw error;
    } finally {
      this.pickedUp.delete(carrierId);
    }
  }

  handle(request: IncomingMessage, response: ServerResponse, signature?: SignatureListener): boolean {
    const path = request.url ?? '';
    if (request.method !== 'POST' || !path.startsWith(`${PATH}/`)) return false;
    const [, callId, kind] = /^\/voice\/twilio\/([\w-]{1,100})\/(status|amd|transfer|lost)$/.exec(path) ?? [];
    const answer = (result: number | string) =>
      typeof result === 'number'
        ? response.writeHead(result).end()
        : response.writeHead(200, { 'content-type': 'text/xml' }).end(result);
    if (callId !== undefined)
      this.callback(callId, kind as CallbackKind, request, signature).then(answer, () => response.destroy());
    else if (path === `${PATH}/incoming`)
      this.incoming(request, signature).then(answer, (error: unknown) => {
        this.logger.warn(`An incoming call was not taken: ${describeError(error)}`);
        answer(500);
      });
    else answer(404);
    return true;
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean {
    if (request.url !== `${PATH}/media`) return false;
    if (this.isSignedStream(request)) this.streams.upgrade(request, socket, head);
    else refuse(socket, '403 Forbidden');
    return true;
  }

  expects(request: IncomingMessage): boolean {
    if (request.url !== `${PATH}/media` || !this.isSignedStream(request)) return false;
    // The address of all streams is the same, so its signature alone could be sent again.
    return [...this.sessions.values()].some(({ session }) => session.awaitsStream);
  }

  private isSignedStream({ headers }: IncomingMessage): boolean {
    const urls = [this.streamUrl, this.streamUrl.replace(/^ws/, 'http')];
    const signature = headers['x-twilio-signature'];
    return urls.some((url) => isSigned(this.settings.authToken, url, undefined, signature));
  }

  /** @param sid the call at the carrier, if it is known */
  private open(call: Leased, sid?: string, askEnd?: PhoneControls['askEnd']): HeldCall {
    const callId = call.id;
    const controls: PhoneControls = {
      answered: call.answered,
      ended: (isOver) => {
        this.sessions.delete(callId);
        if (held.sid !== undefined && isOver) this.ended.add(held.sid);
        if (held.sid !== undefined && held.isOwn && !isOver) this.hangUp(callId, held.sid);
      },
      follow: (maximumSeconds) => this.handedOver.follow(callId, held.sid ?? '', maximumSeconds),
      transfer: async (to, timeLimit) => {
        const document = dial(to, this.callbackUrl(callId, 'transfer'), {
          timeout: toTimeout(call),
          timeLimit,
        });
        try {
          await this.client.instruct(held.sid ?? '', document, MAX_CALL_SECONDS);
        } catch (error) {
          if (!(error instanceof TwilioError && error.isGone)) throw error;
          session.carrierEnded(UNREPORTED);
        }
      },
      reportsTransfer: true,
      askEnd,
    };
    const session: PhoneSession = this.speech
      ? new RelaySession(this.clock, controls, (sentence) => this.logger.warn(`Call ${callId}: ${sentence}`))
      : new AudioSession(twilioStream, this.clock, controls);
    const held: HeldCall = {
      ...{ session, speech: call.speech, sid, isOwn: sid === undefined, answeredBy: new Set() },
    };
    this.sessions.set(callId, held);
    return held;
  }

  private async place(call: OutgoingCall, session: PhoneSession): Promise<string> {
    const form = new URLSearchParams({
      To: call.to,
      From: call.from || this.settings.number,
      Twiml: this.createDocument(call.id, session, call.speech),
      Timeout: String(toTimeout(call)),
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
      throw toRefusal(error);
    }
  }

  /** The answer to the request that placed the call. A callback, the stream or the end of the call may come first. */
  private placed(callId: string, held: HeldCall, sid: string): void {
    if (held.sid !== undefined) return;
    held.sid = sid;
    if (!this.sessions.has(callId)) this.hangUp(callId, sid);
  }

  /** @returns why nobody answered; undefined: somebody did */
  private untilAnswered(
    { answered, pickedUp }: PhoneSession,
    ms: number,
    signal: AbortSignal,
    ask: () => Promise<CarrierEnd | undefined>,
    placed?: Promise<void>,
  ) {
    return awaitAnswer(answered, { clock: this.clock, signal, pickedUp, placed, ms, ask });
  }

  private async askEnd(sid: string): Promise<CarrierEnd | undefined> {
    return readEnd(await this.client.readStatus(sid));
  }

  /** @returns a status, or the document with which the call goes on */
  private async callback(
    callId: string,
    kind: CallbackKind,
    request: IncomingMessage,
    signature?: SignatureListener,
  ): Promise<number | string> {
    // Twilio signs the address that it was given, which may name a process that is gone.
    const processPath = getProcessPath(request);
    const form = await this.readForm(request, this.callbackUrl(callId, kind, processPath), signature);
    if (typeof form === 'number') return form;
    const held = this.sessions.get(callId);
    const about = form.get(kind === 'transfer' ? 'ParentCallSid' : 'CallSid') ?? '';
    if (!CALL_SID.test(about)) return 400;
    if (held?.sid !== undefined && about !== held.sid) {
      this.logger.warn(`Call ${callId}: a callback of Twilio about another call was refused`);
      return 403;
    }
    const session = held?.session;
    if (kind === 'lost') {
      // Twilio reads the document of a call that was answered.
      session?.noteAnswer();
      if (held) held.session.carrierEnded(this.speech ? toWithoutRelay(held.speech) : WITHOUT_STREAM);
      return HANG_UP;
    }
    const [status, sipCode] = [form.get('CallStatus') ?? '', form.get('SipResponseCode') ?? ''];
    if (kind === 'amd') {
      const answeredBy = form.get('AnsweredBy') ?? '';
      const answerer = readAnswerer(answeredBy);
      const isNew = !held?.answeredBy.has(answeredBy);
      held?.answeredBy.add(answeredBy);
      if (answerer && isNew) session?.answeredBy(answerer, `Twilio: answered by ${shorten(answeredBy, 40)}`);
    } else if (kind === 'transfer') {
      const result = readTransfer(status, sipCode);
      if (status === 'completed') this.handedOver.ended(about, readSeconds(form.get('CallDuration')));
      if (result?.hasHungUp) session?.carrierEnded(UNREPORTED);
      else if (result) session?.transferEnded(result.failure);
    } else {
      const end = readEnd(status, sipCode);
      if (end) this.ended.add(about);
      // The answer to the request that placed the call may come later, or never.
      if (held) held.sid ??= about;
      else if (!end && processPath === this.processPath && !this.isKnown(about)) this.endLost(callId, about);
      // Twilio promises no order: the end of a call that was answered may come before the answer.
      if (isAnswered(status)) session?.noteAnswer();
      // The callback about the other number of a transfer has the reason, and may come after this one.
      if (end && session?.isTransferred) this.clock.after(REPORT_MS, () => session.carrierEnded(end));
      else if (end) session?.carrierEnded(end);
    }
    return 204;
  }

  /** Whether a call is over, or Twilio conducts it. */
  private isKnown(sid: string): boolean {
    return this.ended.has(sid) || this.handedOver.has(sid);
  }

  /** @returns a status, or the document that answers the call or refuses it */
  private async incoming(request: IncomingMessage, signature?: SignatureListener): Promise<number | string> {
    const form = await this.readForm(request, `${this.httpUrl}${PATH}/incoming`, signature);
    if (typeof form === 'number') return form;
    const [sid, to, from] = ['CallSid', 'To', 'From'].map((name) => form.get(name) ?? '');
    if (!CALL_SID.test(sid ?? '')) return 400;
    // The signature has no time in it: a request that is sent again is known by a call that rings no more.
    const isWaiting = ['queued', 'ringing'].includes(await this.client.readStatus(sid ?? ''));
    if (!isWaiting) return 409;
    // Twilio sends a request again whose answer is late or lost: it gets the same answer.
    const known = this.pickedUp.get(sid ?? '');
    if (known) return known.document;
    const offer = { id: sid ?? '', to: to ?? '', from: from ?? '' };
    const answering = this.answering.get(offer.id) ?? this.answer(offer);
    this.answering.set(offer.id, answering);
    return answering.finally(() => this.answering.delete(offer.id));
  }

  private async answer(offer: Offer): Promise<number | string> {
    const answer = await this.waiting.ask(offer);
    if (!answer) return 409;
    if ('refusal' in answer) return reject(answer.refusal);
    if ('callId' in answer) return this.pickedUp.get(offer.id)?.document ?? reject('no_answer');
    // Without a document, another runtime has the call, and it waits no more.
    return answer.document ?? 409;
  }

  private toDocument(id: string, answer: IncomingAnswer | undefined): OfferAnswer | undefined {
    return answer && { document: this.pickedUp.get(id)?.document, ...toOfferAnswer(answer) };
  }

  /** @returns the status of a refusal if it is not signed, or too large */
  private async readForm(
    request: IncomingMessage,
    url: string,
    signature?: SignatureListener,
  ): Promise<URLSearchParams | number> {
    const body = await readBody(request);
    if (body === undefined) return 413;
    const form = new URLSearchParams(body);
    if (!isSigned(this.settings.authToken, url, form, request.headers['x-twilio-signature']))
      return signature?.forged() ?? 403;
    signature?.signed();
    return form;
  }

  private hangUp(callId: string, sid: string): void {
    this.hangUps.end(callId, sid, () => this.client.hangUp(sid));
  }

  /** Ends a call that no process holds. A person whom a former process has connected with a number needs none. */
  private endLost(callId: string, sid: string): void {
    this.hangUps.end(callId, sid, async () => {
      const others = await this.client.listChildStatuses(sid);
      if (others.every((status) => readEnd(status))) await this.client.hangUp(sid);
    });
  }

  private createDocument(callId: string, session: PhoneSession, speech: CallSpeech): string {
    const parameters = () => ({ call: callId, key: session.createStreamKey() });
    const addresses = { stream: this.streamUrl, lost: this.callbackUrl(callId, 'lost') };
    return this.speech ? connectRelay(addresses, parameters, speech) : connectStream(addresses, parameters);
  }

  private get streamUrl(): string {
    return `${this.settings.publicUrl}${this.processPath}${PATH}/media`;
  }

  private get processPath(): string {
    return this.settings.processPath ?? '';
  }

  private get httpUrl(): string {
    return this.settings.publicUrl.replace(/^ws/, 'http');
  }

  private callbackUrl(callId: string, kind: CallbackKind, processPath = this.processPath): string {
    return `${this.httpUrl}${processPath}${PATH}/${callId}/${kind}`;
  }
}

const toTimeout = ({ leaseSeconds }: Leased) => toRingSeconds(leaseSeconds - MORE_RINGING_SECONDS);
const readSeconds = (text: string | null) => (/^\d{1,6}$/.test(text ?? '') ? Number(text) : undefined);

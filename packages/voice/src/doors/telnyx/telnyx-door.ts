import { randomUUID, type KeyObject } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { CallFailed, type Logger } from '@parley/worker';
import { type Clock, systemClock } from '../../clock';
import { describeError } from '../../errors';
import { isSameSecret } from '../../same-secret';
import type { AcceptedCall, Carrier, OutgoingCall, SignatureListener } from '../carrier';
import { parseFrame, toMembers } from '../../json-frames';
import { awaitAnswer } from '../phone/await-answer';
import { type CarrierEnd, toUnanswered } from '../phone/carrier-end';
import { AudioSession } from '../phone/audio-session';
import { HandedOver } from '../phone/handed-over';
import { HangUps } from '../phone/hang-ups';
import { isPeerGone } from '../phone/is-peer-gone';
import { type PhoneSession, REPORT_MS } from '../phone/phone-session';
import { readBody } from '../../net/read-body';
import { RecentIds } from '../phone/recent-ids';
import { refuse, StreamSockets } from '../phone/stream-sockets';
import type { Offer, OfferAnswer } from '../../net/offers';
import {
  isBusy,
  type OtherRuntimes,
  type TakeIncoming,
  toOfferAnswer,
  WaitingCalls,
} from '../phone/waiting-calls';
import { type CallState, readState, writeState } from './client-state';
import { telnyxStream } from './media-frames';
import { readAnswerer, readEnd, readStreamFailure, toRefusal, toUnansweredRefusal } from './outcomes';
import {
  CALL_CONTROL_ID,
  isCallControlId,
  type TelnyxAccount,
  TelnyxClient,
  TelnyxError,
} from './telnyx-client';
import {
  MAX_CALL_SECONDS,
  PICK_UP_MS,
  toAnswerMs,
  toRingSeconds,
  toTimeLimitSeconds,
} from '../phone/time-limits';
import type { Peers } from '../../net/peers';
import { isSigned, readPublicKey, SEEN_MS } from './webhook-signature';

export interface TelnyxSettings extends TelnyxAccount {
  /** The id of the Call Control application. */
  connectionId: string;
  /** The key by which webhooks are signed, in Base64. */
  publicKey: string;
  /** The caller's number for agents that have none. */
  number: string;
  /** The address at which the carrier reaches this door, such as `wss://voice.example.com`. */
  publicUrl: string;
  /** The part of the path that names this process, where several have one address. */
  processPath?: string;
  /** Names the place of this process, which one process at a time has. The calls of a former one are ended at the start. */
  holder?: string;
  /** The other processes at the same address. The calls of those that are gone are ended at the start. */
  peers?: Pick<Peers, 'url' | 'isGone' | 'pass'>;
}

const PATH = '/voice/telnyx';
const STREAM = /^\/voice\/telnyx\/media(?:\/([\w-]{1,100}))?(?:\/([\w-]{1,100}))?$/;
const KEY_MS = 250;
/** After an outage, the network may return later than this process. */
const ORPHAN_PAUSES_MS = [0, 1_000, 5_000, 15_000];

type Leased = Pick<OutgoingCall, 'id' | 'answered' | 'leaseSeconds'>;

/** Sends a webhook on to another process. */
type PassOn = (peer: string) => Promise<void>;

interface HeldCall {
  session: PhoneSession;
  /** The call at Telnyx, once it is known. */
  id?: string;
  /** Whether this process has placed or answered the call. Another one may have answered it. */
  isOwn: boolean;
}

/** Places and takes phone calls with the Call Control of Telnyx and its media streams. */
export class TelnyxDoor implements Carrier {
  readonly name = 'Telnyx';
  /** By the id of the call here. */
  private readonly sessions = new Map<string, HeldCall>();
  private readonly client: TelnyxClient;
  private readonly streams: StreamSockets;
  private readonly waiting: WaitingCalls;
  private readonly seen = new RecentIds(SEEN_MS);
  private readonly handedOver: HandedOver;
  private readonly hangUps: HangUps;
  private readonly key: KeyObject;

  /** @throws Error if the public key is none */
  constructor(
    private readonly settings: TelnyxSettings,
    private readonly logger: Pick<Logger, 'warn'>,
    private readonly clock: Clock = systemClock,
  ) {
    const key = readPublicKey(settings.publicKey);
    if (!key) throw new Error('The public key of Telnyx must be 32 bytes in Base64.');
    this.key = key;
    this.client = new TelnyxClient(settings);
    this.hangUps = new HangUps(clock, logger);
    this.handedOver = new HandedOver(clock, {
      isOver: async (id) => (await this.askEnd(id)) !== undefined,
      hangUp: (callId, id) => this.hangUp(callId, id),
    });
    this.waiting = new WaitingCalls(CALL_CONTROL_ID, clock, (sentence) => logger.warn(sentence));
    this.streams = new StreamSockets({
      clock,
      protocol: telnyxStream,
      find: ({ parameters: { key } }, request) => {
        const { session, streamKey } = this.findStream(request);
        return session && isSameSecret(key, session.key) && session.admit(streamKey) ? session : undefined;
      },
    });
    if (settings.holder !== undefined) void this.endOrphans();
  }

  close(): Promise<void> {
    this.handedOver.close();
    return this.hangUps.close();
  }

  takeCalls(take: TakeIncoming, others?: OtherRuntimes): void {
    this.waiting.takeCalls(take, others);
  }

  async offered(offer: Offer, withdrawn: AbortSignal): Promise<OfferAnswer | undefined> {
    return toOfferAnswer(await this.waiting.ask(offer, withdrawn));
  }

  async repeated(id: string): Promise<OfferAnswer | undefined> {
    return toOfferAnswer(await this.waiting.repeat(id));
  }

  async dial(call: OutgoingCall, signal: AbortSignal): Promise<PhoneSession> {
    signal.throwIfAborted();
    const held = this.open(call, call.from || this.settings.number);
    const { session } = held;
    try {
      const placed = this.place(call, session).then(
        (id) => this.placed(call.id, held, id),
        (error: unknown) => {
          // A webhook about the call says that it was placed.
          if (held.id === undefined) throw error;
        },
      );
      const ms = toAnswerMs(toRingSeconds(call.leaseSeconds));
      const end = await this.untilAnswered(held, ms, signal, placed);
      if (end) throw session.toFailure(end);
      return session;
    } catch (error) {
      session.end();
      throw error;
    }
  }

  async pickUp(call: AcceptedCall, signal: AbortSignal): Promise<PhoneSession> {
    const { id: callId, number } = call;
    const carrierId = this.waiting.accept(callId);
    const held = this.open(call, number, carrierId);
    const { session } = held;
    try {
      await this.client.command(carrierId, 'answer', {
        ...this.stream(callId, session),
        webhook_url: this.webhookUrl(callId),
        command_id: `answer-${callId}`,
      });
      held.isOwn = true;
      session.noteAnswer();
      const end = await this.untilAnswered(held, PICK_UP_MS, signal);
      if (end) throw toUnanswered(end);
      return session;
    } catch (error) {
      this.waiting.forget(carrierId);
      session.end();
      if (error instanceof CallFailed || signal.aborted) throw error;
      throw toUnansweredRefusal(error);
    }
  }

  handle(request: IncomingMessage, response: ServerResponse, signature?: SignatureListener): boolean {
    const path = /^\/voice\/telnyx(?:\/([\w-]{1,100}))?$/.exec(request.url ?? '');
    if (request.method !== 'POST' || !path) return false;
    const [, callId] = path;
    this.webhook(callId, request, signature).then(
      (status) => response.writeHead(status).end(),
      () => response.destroy(),
    );
    return true;
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean {
    if (!STREAM.test(request.url ?? '')) return false;
    if (this.expects(request)) this.streams.upgrade(request, socket, head);
    else refuse(socket, '403 Forbidden');
    return true;
  }

  /** Telnyx does not sign the request. The first frame must have the key of the call. */
  expects(request: IncomingMessage): boolean {
    const { session, streamKey } = this.findStream(request);
    return session?.expects(streamKey) ?? false;
  }

  private findStream({ url = '' }: IncomingMessage) {
    const [, callId = '', streamKey] = STREAM.exec(url) ?? [];
    return { session: this.sessions.get(callId)?.session, streamKey };
  }

  /** @param number of the account, in this call */
  private open({ id: callId, answered, leaseSeconds }: Leased, number: string, id?: string): HeldCall {
    const session: PhoneSession = new AudioSession(telnyxStream, this.clock, {
      answered,
      ended: (isOver) => {
        this.sessions.delete(callId);
        if (held.id !== undefined && held.isOwn && !isOver) this.hangUp(callId, held.id);
      },
      follow: (maximumSeconds) => this.handedOver.follow(callId, held.id ?? '', maximumSeconds),
      lost: () => this.streamAgain(callId, session, held.id ?? ''),
      askStopped: () => this.askEnd(held.id),
      press: (digits) =>
        this.client.command(held.id ?? '', 'send_dtmf', {
          ...{ digits, duration_millis: KEY_MS, command_id: randomUUID() },
        }),
      transfer: async (to, maximumSeconds) => {
        try {
          await this.client.command(held.id ?? '', 'transfer', {
            ...{ to, from: number, timeout_secs: toRingSeconds(leaseSeconds) },
            time_limit_secs: maximumSeconds,
            client_state: this.writeState(callId, session, { isTransferred: true }),
            webhook_url: this.webhookUrl(callId),
            target_leg_client_state: this.writeState(callId, session, { person: held.id }),
            command_id: `transfer-${callId}`,
          });
        } catch (error) {
          if (!(error instanceof TelnyxError && error.isGone)) throw error;
          session.carrierEnded(UNREPORTED);
        }
      },
      reportsTransfer: true,
    });
    const held: HeldCall = { session, id, isOwn: id === undefined };
    this.sessions.set(callId, held);
    return held;
  }

  private async place(call: OutgoingCall, session: PhoneSession): Promise<string> {
    try {
      return await this.client.createCall({
        connection_id: this.settings.connectionId,
        to: call.to,
        from: call.from || this.settings.number,
        ...this.stream(call.id, session),
        webhook_url: this.webhookUrl(call.id),
        timeout_secs: toRingSeconds(call.leaseSeconds),
        // The limit of a call cannot be changed later, so it must leave time for the other number.
        time_limit_secs: call.mayTransfer
          ? MAX_CALL_SECONDS
          : Math.min(MAX_CALL_SECONDS, toTimeLimitSeconds(call.maximumMs)),
        ...(call.detectsMachine ? { answering_machine_detection: 'premium' } : {}),
        command_id: `dial-${call.id}`,
      });
    } catch (error) {
      throw toRefusal(error);
    }
  }

  /** The answer to the request that placed the call. A webhook, the stream or the end of the call may come first. */
  private placed(callId: string, held: HeldCall, id: string): void {
    if (held.id !== undefined) return;
    held.id = id;
    if (!this.sessions.has(callId)) this.hangUp(callId, id);
  }

  /** @returns why nobody answered; undefined: somebody did */
  private untilAnswered(held: HeldCall, ms: number, signal: AbortSignal, placed?: Promise<void>) {
    const { answered, pickedUp } = held.session;
    const ask = () => this.askEnd(held.id);
    return awaitAnswer(answered, { clock: this.clock, signal, pickedUp, placed, ms, ask });
  }

  private async askEnd(id: string | undefined): Promise<CarrierEnd | undefined> {
    if (id === undefined) throw new Error('Telnyx has not said which call it is');
    return (await this.client.isAlive(id)) ? undefined : UNREPORTED;
  }

  private async webhook(
    callId: string | undefined,
    request: IncomingMessage,
    signature?: SignatureListener,
  ): Promise<number> {
    const body = await readBody(request);
    if (body === undefined) return 413;
    const { 'telnyx-timestamp': timestamp, 'telnyx-signature-ed25519': given } = request.headers;
    if (!isSigned(this.key, { timestamp, signature: given }, body)) return signature?.forged() ?? 403;
    const passOn: PassOn = async (peer) => {
      const headers = { 'telnyx-timestamp': String(timestamp), 'telnyx-signature-ed25519': String(given) };
      await this.settings.peers?.pass(peer, request.url ?? '', headers, body);
    };
    signature?.signed();
    const { id, event_type: type, payload } = toMembers(parseFrame(body)?.data);
    const fields = toMembers(payload);
    const { call_control_id: about, direction } = fields;
    if (typeof id !== 'string' || typeof type !== 'string' || !isCallControlId(about)) return 400;
    const state = readState(fields.client_state);
    const named = callId ?? state?.call ?? this.findCall(about);
    const held = named === undefined ? undefined : this.sessions.get(named);
    if (named !== undefined && !isAbout({ call: named, held }, about, state)) {
      this.logger.warn(`Call ${named}: an event of Telnyx about another call was refused: ${type}`);
      return 403;
    }
    if (!this.seen.add(id)) return 200;
    if (type === 'call.hangup') this.handedOver.ended(about);
    if (type === 'call.initiated' && direction === 'incoming') {
      if (named === undefined) this.incoming(about, fields);
    } else if (state?.person !== undefined) this.otherLeg(type, state.person, state, fields, passOn);
    else if (held) {
      // The answer to the request that placed the call may come later, or never.
      held.id ??= about;
      this.happened(held.session, type, fields);
    } else this.foundNobody(type, about, state, passOn);
    return 200;
  }

  private happened(session: PhoneSession, type: string, fields: Record<string, unknown>): void {
    const answerer = readAnswerer(type, fields.result);
    if (answerer) session.answeredBy(answerer, `Telnyx: ${type}, ${String(fields.result)}`);
    if (type === 'call.answered') session.noteAnswer();
    if (type === 'call.bridged') session.transferEnded();
    // The loss of a stream that was connected is noticed here, and it may come back.
    if (type === 'streaming.failed' && !session.hadStream(fields.stream_id))
      session.streamFailed(readStreamFailure(fields));
    if (type !== 'call.hangup') return;
    const end = readEnd(fields);
    const isKnown = session.hasAnswered && !session.isTransferred;
    this.afterAnswer(isKnown || end.isUnanswered, () => session.carrierEnded(end));
  }

  /** Telnyx promises no order of its webhooks: the one about an answer may come after the one about the end. */
  private afterAnswer(isKnown: boolean, end: () => void): void {
    if (isKnown) end();
    else this.clock.after(REPORT_MS, end);
  }

  /** Events of an incoming call have no state before the answer. */
  private findCall(about: string): string | undefined {
    return [...this.sessions].find(([, { id }]) => id === about)?.[0];
  }

  /** The leg to another number. If it ends, the person would wait in silence. */
  private otherLeg(
    type: string,
    person: string,
    state: CallState,
    fields: Record<string, unknown>,
    passOn: PassOn,
  ): void {
    const session = this.sessions.get(state.call)?.session;
    if (type === 'call.answered' || type === 'call.bridged') session?.transferEnded();
    if (type !== 'call.hangup') return;
    if (!session) return this.seekHolder(person, state, passOn, fields.call_control_id);
    const { isUnanswered, detail } = readEnd(fields);
    this.afterAnswer(isUnanswered, () => session.transferEnded(detail));
  }

  /** Telnyx does not end a call whose stream has stopped, so the calls of a process that was killed are ended here. */
  private async endOrphans(): Promise<void> {
    let failure: unknown;
    for (const pause of ORPHAN_PAUSES_MS) {
      await new Promise<void>((resolve) => void this.clock.after(pause, resolve));
      try {
        return await this.endOrphansOf(await this.listStates());
      } catch (error) {
        failure = error;
      }
    }
    this.logger.warn(`Calls of a former process may go on at the carrier: ${describeError(failure)}`);
  }

  /** The calls of this runtime, by their ids. */
  private async listStates(): Promise<Map<string, CallState>> {
    const states = new Map<string, CallState>();
    for await (const { id, state: text } of this.client.listCalls(this.settings.connectionId)) {
      const state = readState(text);
      if (state && isCallControlId(id)) states.set(id, state);
    }
    return states;
  }

  /** Ends those that no process holds. A person who is connected with another number needs none. */
  private async endOrphansOf(states: Map<string, CallState>): Promise<void> {
    const isLeft = (id: string, { call, person }: CallState) =>
      person === undefined && !isConnected(id, states) && !this.sessions.has(call);
    const left = [...states].filter(([id, state]) => isLeft(id, state));
    const peers = new Map<string, Promise<boolean>>();
    const isGone = ({ holder, peer }: CallState) => {
      if (holder === this.settings.holder) return true;
      if (peer === undefined) return false;
      const known = peers.get(peer) ?? this.isGone(peer);
      peers.set(peer, known);
      return known;
    };
    await Promise.all(
      left.map(async ([id, state]) => {
        if ((await isGone(state)) && !this.sessions.has(state.call)) this.hangUp(state.call, id);
      }),
    );
  }

  private async isGone(peer: string): Promise<boolean> {
    const { peers } = this.settings;
    return peers !== undefined && isPeerGone(peer, peers, this.clock);
  }

  /** Without a process that holds the call, Telnyx would let the person wait in silence. */
  private foundNobody(type: string, id: string, state: CallState | undefined, passOn: PassOn): void {
    if (type === 'call.hangup') return this.waiting.leave(id);
    if (!state || state.isTransferred || this.handedOver.has(id)) return;
    this.seekHolder(id, state, passOn);
  }

  /**
   * Hangs up if no process holds the call. One connection that is refused ends no call that goes on there.
   * @param ended the leg to another number that is over
   */
  private seekHolder(id: string, { call, peer }: CallState, passOn: PassOn, ended?: unknown): void {
    if (peer === undefined || !this.settings.peers) return this.endLost(call, id, ended);
    this.isGone(peer)
      .then((isGone) => {
        if (!isGone) return passOn(peer);
        if (!this.sessions.has(call)) this.endLost(call, id, ended);
      })
      .catch((error: unknown) =>
        this.logger.warn(
          `Call ${call}: its runtime did not get a webhook of Telnyx: ${describeError(error)}`,
        ),
      );
  }

  private incoming(id: string, { to, from }: Record<string, unknown>): void {
    if (typeof to !== 'string' || typeof from !== 'string') return;
    this.askServer({ id, to, from }).catch((error: unknown) =>
      this.logger.warn(`An incoming call was not refused: ${describeError(error)}`),
    );
  }

  private async askServer(offer: Offer): Promise<void> {
    const { id } = offer;
    // A webhook that is sent again after a restart has a good signature for five minutes.
    if (!(await this.mayWait(id))) return;
    const answer = await this.waiting.ask(offer);
    if (!answer || !('refusal' in answer)) return;
    const cause = isBusy(answer.refusal) ? 'USER_BUSY' : 'CALL_REJECTED';
    this.hangUps.end('', id, () => this.reject(id, cause));
  }

  /** Whether an incoming call goes on at Telnyx. A caller is not lost because Telnyx does not answer this. */
  private async mayWait(id: string): Promise<boolean> {
    try {
      return await this.client.isAlive(id);
    } catch (error) {
      this.logger.warn(`Telnyx did not say whether an incoming call goes on: ${describeError(error)}`);
      return true;
    }
  }

  private async reject(id: string, cause: string): Promise<void> {
    try {
      await this.client.command(id, 'reject', { cause, command_id: randomUUID() });
    } catch (error) {
      if (!(error instanceof TelnyxError) || error.isTemporary) throw error;
      // Another process may have answered it, so the request is not repeated.
      if (!error.isGone) this.logger.warn(`An incoming call was not refused: ${describeError(error)}`);
    }
  }

  /** Telnyx does not connect a stream again that was cut. */
  private streamAgain(callId: string, session: PhoneSession, id: string): void {
    this.client
      .command(id, 'streaming_start', { ...this.stream(callId, session), command_id: randomUUID() })
      .catch((error: unknown) => {
        // The event about the end of the call says more.
        if (error instanceof TelnyxError && error.isGone) return;
        session.streamFailed(toRefusal(error).message);
      });
  }

  private hangUp(callId: string, id: string): void {
    this.hangUps.end(callId, id, () => this.client.hangUp(id));
  }

  /** Ends a call that no process holds. A webhook that is sent again may be older than the connection with a number. */
  private endLost(callId: string, id: string, ended: unknown): void {
    this.hangUps.end(callId, id, async () => {
      if (!isConnected(id, await this.listStates(), ended)) await this.client.hangUp(id);
    });
  }

  private writeState(callId: string, { key }: PhoneSession, more: Partial<CallState> = {}): string {
    const { holder, peers } = this.settings;
    return writeState({ call: callId, key, holder, peer: peers?.url, ...more });
  }

  private stream(callId: string, session: PhoneSession): object {
    const { publicUrl, processPath = '' } = this.settings;
    return {
      stream_url: `${publicUrl}${processPath}${PATH}/media/${callId}/${session.createStreamKey()}`,
      stream_track: 'inbound_track',
      stream_codec: 'PCMU',
      stream_bidirectional_mode: 'rtp',
      stream_bidirectional_codec: 'PCMU',
      client_state: this.writeState(callId, session),
    };
  }

  private webhookUrl(callId: string): string {
    const { publicUrl, processPath = '' } = this.settings;
    return `${publicUrl.replace(/^ws/, 'http')}${processPath}${PATH}/${callId}`;
  }
}

/** The end of a call whose event did not come. */
const UNREPORTED: CarrierEnd = {
  ...{ reason: 'dial_no_answer', answeredReason: 'user_hangup' },
  detail: 'Telnyx: the call is over, and no webhook came',
};

/** Whether a person is connected with another number. @param ended the leg that is not asked for */
const isConnected = (id: string, states: Map<string, CallState>, ended?: unknown) =>
  [...states].some(([leg, { person }]) => person === id && leg !== ended);

/** Whether an event is about a call that its address or its state names. */
function isAbout(
  { call, held }: { call: string; held: HeldCall | undefined },
  about: string,
  state: CallState | undefined,
): boolean {
  if (state && state.call !== call) return false;
  if (!held) return true;
  const known = held.id;
  const hasKey = state?.key === held.session.key;
  if (state?.person !== undefined) return hasKey && state.person === known;
  return known === undefined ? hasKey : about === known;
}

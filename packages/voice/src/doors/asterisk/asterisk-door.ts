import { randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { CallFailed, type Logger, shorten } from '@parley/worker';
import { type Clock, systemClock } from '../../clock';
import { describeError } from '../../errors';
import type { AcceptedCall, Carrier, OutgoingCall } from '../carrier';
import { toMembers } from '../../json-frames';
import { AudioSession } from '../phone/audio-session';
import { HandedOver } from '../phone/handed-over';
import { HangUps } from '../phone/hang-ups';
import { awaitAnswer } from '../phone/await-answer';
import {
  answeredReasonByQ850Cause,
  type CarrierEnd,
  reasonByQ850Cause,
  toUnanswered,
} from '../phone/carrier-end';
import type { PhoneSession } from '../phone/phone-session';
import { refuse, StreamSockets } from '../phone/stream-sockets';
import type { Offer, OfferAnswer } from '../../net/offers';
import {
  isBusy,
  type OtherRuntimes,
  type TakeIncoming,
  toOfferAnswer,
  WaitingCalls,
} from '../phone/waiting-calls';
import { type AriAccount, AriClient, AriError, CHANNEL_ID, isChannelId, isGone } from './ari-client';
import { AriEvents } from './ari-events';
import { PICK_UP_MS, toAnswerMs, toRingSeconds } from '../phone/time-limits';
import { asteriskStream } from './media-frames';

export interface AsteriskSettings extends AriAccount {
  /** The Stasis application of incoming calls. */
  app: string;
  /** The channel that calls a number, such as `PJSIP/{number}@trunk`. */
  endpoint: string;
  /** The name of the connection to this runtime in `websocket_client.conf`. */
  websocketClient: string;
  /** The context of the dialplan that connects a person with a number. */
  transferContext: string;
  /** The caller's number for agents that have none. */
  number: string;
  /** Names this process in the addresses of streams, where several have one address. */
  processName?: string;
}

const PATH = '/voice/asterisk/media';
const PREFIX = 'parley-';
const MEDIA = 'parley-media-';
/** The dialplan function for the time after which Asterisk ends a call. 0: never. */
const TIME_LIMIT = 'TIMEOUT(absolute)';
/** Asterisk ends a call this long after its runtime stopped renewing the limit, such as because it was killed. */
const HOLD_SECONDS = 15;
const RENEWALS = 3;
const CONNECT_MS = 10_000;
const PROLONG_ATTEMPTS = 4;
const PROLONG_PAUSE_MS = 1_000;
/** The states of a dialplan's Dial() that did not reach the other number (`DIALSTATUS`). */
const FAILED_DIALS = ['BUSY', 'CHANUNAVAIL', 'CONGESTION', 'NOANSWER'];
/** Bridges without channels are looked for this often. */
const SWEEP_MS = 30_000;
/** The causes that a caller who is refused gets: busy, and rejected. */
const BUSY_CAUSE = '17';
const REJECTED_CAUSE = '21';

type Leased = Pick<OutgoingCall, 'id' | 'answered' | 'leaseSeconds'>;

interface PhoneChannel {
  id: string;
  callId: string;
  session: PhoneSession;
  leaseSeconds: number;
  /** The present channel of its audio; each stream has another one. */
  media?: string;
  isUp: boolean;
  /** Whether Asterisk has the channel. */
  isPlaced: boolean;
  /** The request that made its bridge. */
  bridge?: Promise<unknown>;
  stopHolding: () => void;
  /** The last renewal of its time limit. */
  renewed?: Promise<void>;
  /** The state of the other number, once the dialplan calls it. */
  dialStatus?: string;
}

/** Places and takes phone calls with an Asterisk of one's own, over its REST interface and its WebSocket channel. */
export class AsteriskDoor implements Carrier {
  readonly name = 'Asterisk';
  /** By the id of the channel. */
  private readonly channels = new Map<string, PhoneChannel>();
  private readonly client: AriClient;
  private readonly events: AriEvents;
  private readonly streams: StreamSockets;
  private readonly waiting: WaitingCalls;
  /** The application of the calls of this process. Another process with the same settings has another one. */
  private readonly ownApp: string;
  private readonly handedOver: HandedOver;
  private readonly hangUps: HangUps;
  private emptyBridges = new Set<string>();
  private stopSweeping: () => void = () => undefined;

  constructor(
    private readonly settings: AsteriskSettings,
    private readonly logger: Pick<Logger, 'warn'>,
    private readonly clock: Clock = systemClock,
  ) {
    const warn = (sentence: string) => logger.warn(sentence);
    this.client = new AriClient(settings);
    this.hangUps = new HangUps(clock, logger);
    this.handedOver = new HandedOver(clock, {
      isOver: async (id) => (await this.askEnd(id)) !== undefined,
      hangUp: (callId, id) => this.hangUp(callId, id),
    });
    this.ownApp = `${settings.app}-${randomBytes(6).toString('hex')}`;
    this.waiting = new WaitingCalls(CHANNEL_ID, clock, warn);
    this.streams = new StreamSockets({
      clock,
      protocol: asteriskStream,
      find: (_, request) => {
        const { session, key } = this.findStream(request);
        return session?.admit(key) ? session : undefined;
      },
    });
    this.events = new AriEvents({
      ...{ account: settings, apps: [settings.app, this.ownApp], warn },
      authorization: this.client.authorization,
      event: (event) => this.happened(event),
      opened: () => this.attempt('', this.reconcile()),
      replaced: (app) =>
        warn(
          `Another program takes the calls of the application ${app} of Asterisk. Calls that are here go on. ` +
            (settings.processName === undefined ? 'Give each runtime its own ASTERISK_APP.' : ''),
        ),
    });
    this.sweepBridges();
  }

  async close(): Promise<void> {
    this.stopSweeping();
    this.handedOver.close();
    await this.hangUps.close();
    this.events.close();
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
    const channel = this.open(call, `${PREFIX}${call.id}`);
    try {
      await this.untilConnected(signal);
      const placed = this.place(call, channel).then(
        () => this.placed(channel),
        (error: unknown) => {
          // An event about the channel says that it was placed.
          if (!channel.isPlaced) throw error;
        },
      );
      const ms = toAnswerMs(toRingSeconds(call.leaseSeconds));
      const end = await this.untilAnswered(channel, ms, signal, placed);
      if (end) throw channel.session.toFailure(end);
      return channel.session;
    } catch (error) {
      channel.session.end();
      throw error;
    }
  }

  async pickUp(call: AcceptedCall, signal: AbortSignal): Promise<PhoneSession> {
    const channel = this.open(call, this.waiting.accept(call.id));
    [channel.isUp, channel.isPlaced] = [true, true];
    try {
      await this.answer(channel);
      await this.connectMedia(channel);
      const end = await this.untilAnswered(channel, PICK_UP_MS, signal);
      if (end) throw toUnanswered(end);
      return channel.session;
    } catch (error) {
      channel.session.end();
      throw error;
    }
  }

  /** @throws CallFailed if the caller has gone */
  private async answer(channel: PhoneChannel): Promise<void> {
    try {
      await this.subscribe(channel);
      this.hold(channel);
      await this.client.request('POST', `channels/${encodeURIComponent(channel.id)}/answer`);
    } catch (error) {
      // 422: there is no such channel to subscribe to. 409 and 412: it has left the application, or cannot be answered.
      const isOver = error instanceof AriError && [404, 409, 412, 422].includes(error.status);
      throw new CallFailed(isOver ? 'user_hangup' : 'error', `Asterisk: ${describeError(error)}`);
    }
  }

  /** The events of the channel come to this process, also after another one has taken the application. */
  private async subscribe({ id }: PhoneChannel): Promise<void> {
    await this.client.request('POST', `applications/${encodeURIComponent(this.ownApp)}/subscription`, {
      eventSource: `channel:${id}`,
    });
  }

  /** Without events, the answer of the person would not be noticed. */
  private async untilConnected(signal: AbortSignal): Promise<void> {
    const detail = 'No events come from Asterisk, so the call was not placed';
    const end = await awaitAnswer(
      this.events.connected.then(() => undefined),
      {
        ...{ clock: this.clock, signal, ms: CONNECT_MS },
        ask: () => Promise.resolve({ reason: 'dial_failed', answeredReason: 'error', detail }),
      },
    );
    if (end) throw new CallFailed(end.reason, end.detail);
  }

  /** Asterisk sends no webhooks. */
  handle(): boolean {
    return false;
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean {
    if (!isStream(request)) return false;
    if (this.expects(request)) this.streams.upgrade(request, socket, head);
    else refuse(socket, '403 Forbidden');
    return true;
  }

  expects(request: IncomingMessage): boolean {
    if (!isStream(request)) return false;
    const { session, key } = this.findStream(request);
    return session?.expects(key) ?? false;
  }

  private open({ id: callId, answered, leaseSeconds }: Leased, id: string): PhoneChannel {
    const session = new AudioSession(asteriskStream, this.clock, {
      answered,
      ended: (isOver) => {
        channel.stopHolding();
        this.channels.delete(id);
        const { media } = channel;
        if (media !== undefined)
          this.attempt(callId, this.client.remove(`channels/${encodeURIComponent(media)}`));
        if (!isOver) this.hangUp(callId, id);
        if (channel.bridge) this.attempt(callId, this.removeBridge(channel));
      },
      lost: () => void this.connectMedia(channel),
      press: async (dtmf) => {
        await this.client.request('POST', `channels/${encodeURIComponent(id)}/dtmf`, { dtmf });
      },
      transfer: (extension, maximumSeconds) => this.transfer(channel, extension, maximumSeconds),
      reportsTransfer: true,
      follow: (maximumSeconds) => this.handedOver.follow(callId, id, maximumSeconds),
    });
    const channel: PhoneChannel = {
      ...{ id, callId, session, leaseSeconds, isUp: false, isPlaced: false },
      stopHolding: () => undefined,
    };
    this.channels.set(id, channel);
    return channel;
  }

  private async place(call: OutgoingCall, { id }: PhoneChannel): Promise<void> {
    const { endpoint, number } = this.settings;
    const ringSeconds = toRingSeconds(call.leaseSeconds);
    try {
      await this.client.request(
        'POST',
        'channels',
        {
          ...{ endpoint: endpoint.replace('{number}', call.to), app: this.ownApp, channelId: id },
          ...{ callerId: call.from || number, timeout: String(ringSeconds) },
        },
        { variables: { [TIME_LIMIT]: String(ringSeconds + toHoldSeconds(call)) } },
      );
    } catch (error) {
      throw new CallFailed('dial_failed', `Asterisk: ${describeError(error)}`);
    }
  }

  /** The answer to the request that placed the call. An event, or the end of the call, may come first. */
  private placed(channel: PhoneChannel): void {
    if (channel.isPlaced) return;
    channel.isPlaced = true;
    if (!this.channels.has(channel.id)) this.hangUp(channel.callId, channel.id);
  }

  private untilAnswered(
    { id, session }: PhoneChannel,
    ms: number,
    signal: AbortSignal,
    placed?: Promise<void>,
  ) {
    const { answered, pickedUp } = session;
    const ask = () => this.askEnd(id);
    return awaitAnswer(answered, { clock: this.clock, signal, pickedUp, placed, ms, ask });
  }

  private async askEnd(id: string): Promise<CarrierEnd | undefined> {
    return (await this.client.get(`channels/${encodeURIComponent(id)}`)) === undefined
      ? UNREPORTED
      : undefined;
  }

  private happened(event: Record<string, unknown>): void {
    if (event.type === 'Dial') return this.dialled(toMembers(event.caller).id, event.dialstatus);
    const { id, state, dialplan, caller } = toMembers(event.channel);
    if (!isChannelId(id)) return;
    // Each application that has subscribed to a channel gets its events.
    if (event.application !== this.ownApp) {
      if (event.type === 'StasisStart' && !id.startsWith(PREFIX) && !this.channels.has(id))
        this.incoming(id, toMembers(dialplan).exten, toMembers(caller).number);
      if (event.type === 'ChannelDestroyed') this.waiting.leave(id);
      return;
    }
    const channel = this.channels.get(id);
    if (channel) channel.isPlaced = true;
    switch (event.type) {
      case 'StasisStart':
        if (id.startsWith(MEDIA)) return this.attempt('', this.connectBridge(id));
        if (channel) this.hold(channel);
        // Before the answer, only the ringing is heard.
        return channel && state === 'Up' ? this.answered(channel) : undefined;
      case 'ChannelStateChange':
        return channel && state === 'Up' ? this.answered(channel) : undefined;
      case 'ChannelDtmfReceived':
        if (typeof event.digit === 'string' && /^[0-9*#A-D]$/.test(event.digit))
          channel?.session.dtmf(event.digit);
        return;
      case 'ChannelDestroyed':
        this.handedOver.ended(id);
        this.findByMedia(id)?.session.streamFailed(`Asterisk: no media, ${describeCause(event)}`);
        // The dialplan ends the call if it cannot connect it.
        if (channel?.dialStatus && FAILED_DIALS.includes(channel.dialStatus))
          channel.session.transferEnded(`Asterisk: dial status ${channel.dialStatus}`);
        return channel?.session.carrierEnded(readEnd(event));
    }
  }

  /** Several numbers may ring at once: only an answer, or the end of the call, says how it went. */
  private dialled(id: unknown, status: unknown): void {
    const channel = typeof id === 'string' ? this.channels.get(id) : undefined;
    if (!channel?.session.isTransferred || typeof status !== 'string') return;
    channel.dialStatus = status;
    if (status === 'ANSWER') channel.session.transferEnded();
  }

  private answered(channel: PhoneChannel): void {
    if (channel.isUp) return;
    channel.isUp = true;
    channel.session.noteAnswer();
    void this.connectMedia(channel);
  }

  /** Asterisk keeps a call whose runtime is gone, so its time limit is renewed while there is one. */
  private hold(channel: PhoneChannel): void {
    channel.stopHolding();
    if (!this.channels.has(channel.id)) return;
    const seconds = toHoldSeconds(channel);
    channel.stopHolding = this.clock.after((seconds * 1_000) / RENEWALS, () => this.hold(channel));
    const renewed = this.limit(channel.id, seconds);
    channel.renewed = renewed.catch((error: unknown) => {
      if (!isGone(error)) throw error;
      // Its event did not come here.
      channel.session.carrierEnded(UNREPORTED);
    });
    this.attempt(channel.callId, channel.renewed);
  }

  /** @param seconds from now on */
  private async limit(id: string, seconds: number, more: Record<string, string> = {}): Promise<void> {
    const query = { variable: TIME_LIMIT, value: String(seconds), ...more };
    await this.client.request('POST', `channels/${encodeURIComponent(id)}/variable`, query);
  }

  /**
   * From then on the call is the dialplan's. It keeps its short time limit until then: if this process is killed meanwhile,
   * the person is not left alone.
   */
  private async transfer(channel: PhoneChannel, extension: string, maximumSeconds: number): Promise<void> {
    const { transferContext: context } = this.settings;
    const path = `channels/${encodeURIComponent(channel.id)}/continue`;
    channel.stopHolding();
    try {
      // A renewal that is under way would set the limit again.
      await channel.renewed?.catch(() => undefined);
      await this.limit(channel.id, toHoldSeconds(channel));
      // A channel that has left the application has no events here, unless they are asked for.
      await this.subscribe(channel);
      await this.client.request('POST', path, { context, extension, priority: '1' });
    } catch (error) {
      // 422: there is no such channel to subscribe to.
      if (isGone(error) || (error instanceof AriError && error.status === 422))
        return channel.session.carrierEnded(UNREPORTED);
      this.hold(channel);
      throw error;
    }
    this.attempt(channel.callId, this.prolong(channel.id, maximumSeconds));
  }

  /** The channel is in the dialplan. A request that fails is sent again, since the persons would be cut off. */
  private async prolong(id: string, seconds: number): Promise<void> {
    for (let left = PROLONG_ATTEMPTS; ; left--) {
      try {
        return await this.limit(id, seconds, { bypassStasis: 'true' });
      } catch (error) {
        if (isGone(error)) return;
        if (left <= 1) throw error;
        await new Promise<void>((resolve) => void this.clock.after(PROLONG_PAUSE_MS, resolve));
      }
    }
  }

  /** Asterisk connects to this process, by the connection that it knows by name. */
  private async connectMedia(channel: PhoneChannel): Promise<void> {
    const { websocketClient, processName } = this.settings;
    const at = processName === undefined ? '' : `,at=${processName}`;
    channel.media = `${MEDIA}${randomUUID()}`;
    try {
      await this.client.request('POST', 'channels/externalMedia', {
        ...{ app: this.ownApp, channelId: channel.media, external_host: websocketClient, format: 'ulaw' },
        ...{ transport: 'websocket', encapsulation: 'none', connection_type: 'client', direction: 'both' },
        transport_data: `v(call=${channel.callId},key=${channel.session.createStreamKey()}${at})`,
      });
    } catch (error) {
      channel.session.streamFailed(`Asterisk: no media, ${describeError(error)}`);
    }
  }

  private async connectBridge(media: string): Promise<void> {
    const channel = this.findByMedia(media);
    if (!channel) return this.client.remove(`channels/${encodeURIComponent(media)}`);
    const bridgeId = toBridgeId(channel);
    channel.bridge ??= this.client.request('POST', 'bridges', {
      ...{ type: 'mixing', bridgeId, name: this.settings.app },
    });
    try {
      await channel.bridge.catch((error: unknown) => {
        channel.bridge = undefined;
        throw error;
      });
      await this.client.request('POST', `bridges/${encodeURIComponent(bridgeId)}/addChannel`, {
        channel: `${channel.id},${media}`,
      });
    } catch (error) {
      // The call may have ended meanwhile.
      if (this.channels.has(channel.id)) throw error;
    }
  }

  private findByMedia(id: string): PhoneChannel | undefined {
    return [...this.channels.values()].find(({ media }) => media === id);
  }

  private async removeBridge(channel: PhoneChannel): Promise<void> {
    await channel.bridge?.catch(() => undefined);
    await this.client.remove(`bridges/${encodeURIComponent(toBridgeId(channel))}`);
  }

  /** The bridges of processes that are gone. One that is made just now has no channels either, but not twice. */
  private sweepBridges(): void {
    this.stopSweeping = this.clock.after(SWEEP_MS, () => {
      if (this.events.isConnected) this.attempt('', this.removeEmptyBridges());
      this.sweepBridges();
    });
  }

  private async removeEmptyBridges(): Promise<void> {
    const listed = await this.client.request('GET', 'bridges');
    const empty = (Array.isArray(listed) ? listed.map(toMembers) : [])
      .filter(({ name, channels }) => name === this.settings.app && isEmpty(channels))
      .map(({ id }) => String(id));
    const before = this.emptyBridges;
    this.emptyBridges = new Set(empty);
    for (const id of empty) if (before.has(id)) await this.client.remove(`bridges/${encodeURIComponent(id)}`);
  }

  private findStream(request: IncomingMessage): { session?: PhoneSession; key: string | null } {
    const query = new URL(request.url ?? '', 'ws://localhost').searchParams;
    const channel = [...this.channels.values()].find(({ callId }) => callId === query.get('call'));
    return { session: channel?.session, key: query.get('key') };
  }

  private incoming(id: string, exten: unknown, from: unknown): void {
    const number = (value: unknown) =>
      typeof value === 'string' ? value.replace(/^(?=[1-9]\d{6})/, '+') : '';
    this.attempt(
      '',
      this.limit(id, HOLD_SECONDS).catch((error: unknown) => {
        if (isGone(error)) this.waiting.leave(id);
        else throw error;
      }),
    );
    // Two servers of Asterisk may use the same id.
    const asked = this.waiting.ask({ id, to: number(exten), from: number(from), nonce: randomUUID() });
    this.attempt(
      '',
      asked.then((answer) => {
        if (!answer || !('refusal' in answer)) return;
        this.hangUp('', id, { reason_code: isBusy(answer.refusal) ? BUSY_CAUSE : REJECTED_CAUSE });
      }),
    );
  }

  /** Events may have been lost before the connection was there. */
  private async reconcile(): Promise<void> {
    const placed = [...this.channels.values()].filter(({ isPlaced }) => isPlaced);
    await Promise.all(placed.map((channel) => this.check(channel)));
    await this.limitStrays();
  }

  private async check(channel: PhoneChannel): Promise<void> {
    const found = await this.client.get(`channels/${encodeURIComponent(channel.id)}`);
    if (!this.channels.has(channel.id)) return;
    if (found === undefined) return channel.session.carrierEnded(UNREPORTED);
    await this.subscribe(channel);
    if (toMembers(found).state !== 'Up' || channel.isUp) return;
    this.hold(channel);
    this.answered(channel);
  }

  /**
   * Incoming channels that a killed process left before it gave them a time limit. Calls of another process that still
   * runs stay: it renews their limits.
   */
  private async limitStrays(): Promise<void> {
    const listed = await this.client.request('GET', 'channels');
    for (const { id, dialplan } of Array.isArray(listed) ? listed.map(toMembers) : []) {
      const { app_name: application, app_data: data } = toMembers(dialplan);
      const isIncoming = application === 'Stasis' && String(data).split(',')[0] === this.settings.app;
      if (!isIncoming || !isChannelId(id) || this.channels.has(id)) continue;
      await this.limit(id, HOLD_SECONDS).catch((error: unknown) => {
        const hasLeft = error instanceof AriError && [404, 409].includes(error.status);
        if (!hasLeft) throw error;
      });
    }
  }

  private hangUp(callId: string, id: string, query: Record<string, string> = {}): void {
    this.hangUps.end(callId, id, () => this.client.remove(`channels/${encodeURIComponent(id)}`, query));
  }

  private attempt(callId: string, work: Promise<unknown>): void {
    work.catch((error: unknown) => {
      const about = callId === '' ? '' : `Call ${callId}: `;
      this.logger.warn(`${about}Asterisk did not do what was asked: ${describeError(error)}`);
    });
  }
}

function readEnd(event: Record<string, unknown>): CarrierEnd {
  return {
    reason: reasonByQ850Cause(event.cause),
    answeredReason: answeredReasonByQ850Cause(event.cause),
    detail: `Asterisk: ${describeCause(event)}`,
  };
}

const describeCause = ({ cause, cause_txt: text }: Record<string, unknown>) =>
  `cause ${Number(cause)}${typeof text === 'string' ? ` ${shorten(text, 60)}` : ''}`;

/** The end of a call whose event did not come. */
const UNREPORTED: CarrierEnd = {
  ...{ reason: 'dial_no_answer', answeredReason: 'user_hangup' },
  detail: 'Asterisk: the call is over, and no event came',
};

const toHoldSeconds = ({ leaseSeconds }: Pick<Leased, 'leaseSeconds'>) =>
  Math.min(HOLD_SECONDS, leaseSeconds);
const isStream = ({ url = '' }: IncomingMessage) => url.split('?')[0] === PATH;
const toBridgeId = ({ callId }: PhoneChannel) => `${PREFIX}${callId}`;
const isEmpty = (channels: unknown) => Array.isArray(channels) && channels.length === 0;

import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { CallFailed, type Logger } from '@parley/worker';
import { type Clock, systemClock } from '../../clock';
import { describeError } from '../../errors';
import type { AcceptedCall, Carrier, OutgoingCall } from '../carrier';
import { toMembers } from '../json-frames';
import { AudioSession } from '../phone/audio-session';
import { awaitAnswer } from '../phone/await-answer';
import { type CarrierEnd, reasonByQ850Cause } from '../phone/carrier-end';
import type { PhoneSession } from '../phone/phone-session';
import { StreamSockets } from '../phone/stream-sockets';
import { type TakeIncoming, WaitingCalls } from '../phone/waiting-calls';
import { type AriAccount, AriClient } from './ari-client';
import { AriEvents } from './ari-events';
import { ANSWER_MS, toTimeLimitSeconds, PICK_UP_MS, RING_SECONDS } from '../phone/time-limits';
import { asteriskStream } from './media-frames';

export interface AsteriskSettings extends AriAccount {
  /** The Stasis application of this runtime. */
  app: string;
  /** The channel that calls a number, such as `PJSIP/{number}@trunk`. */
  endpoint: string;
  /** The name of the connection to this runtime in `websocket_client.conf`. */
  websocketClient: string;
  /** The context of the dialplan that connects a person with a number. */
  transferContext: string;
  /** The caller's number for agents that have none. */
  number: string;
}

const PATH = '/voice/asterisk/media';
const PREFIX = 'parley-';
const MEDIA = 'parley-media-';
/** The causes that a caller who is refused gets: busy, and rejected. */
const BUSY_CAUSE = '17';
const REJECTED_CAUSE = '21';

interface PhoneChannel {
  id: string;
  callId: string;
  session: PhoneSession;
  /** The present channel of its audio; each stream has another one. */
  media?: string;
  isUp: boolean;
}

/** Places and takes phone calls with an Asterisk of one's own, over its REST interface and its WebSocket channel. */
export class AsteriskDoor implements Carrier {
  readonly name = 'Asterisk';
  readonly speaks = false;
  /** By the id of the channel. */
  private readonly channels = new Map<string, PhoneChannel>();
  private readonly client: AriClient;
  private readonly events: AriEvents;
  private readonly streams: StreamSockets;
  private readonly waiting: WaitingCalls;
  private take?: TakeIncoming;

  constructor(
    private readonly settings: AsteriskSettings,
    private readonly logger: Pick<Logger, 'warn'>,
    private readonly clock: Clock = systemClock,
  ) {
    const warn = (sentence: string) => logger.warn(sentence);
    this.client = new AriClient(settings);
    this.waiting = new WaitingCalls(clock, warn);
    this.streams = new StreamSockets({
      clock,
      protocol: asteriskStream,
      find: (_, request) => this.findStream(request),
    });
    this.events = new AriEvents({
      ...{ account: settings, app: settings.app, authorization: this.client.authorization, warn },
      event: (event) => this.happened(event),
      opened: () => this.attempt('', this.endOrphans()),
    });
  }

  close(): Promise<void> {
    this.events.close();
    return Promise.resolve();
  }

  takeCalls(take: TakeIncoming): void {
    this.take = take;
  }

  async dial(call: OutgoingCall, signal: AbortSignal): Promise<PhoneSession> {
    signal.throwIfAborted();
    const channel = this.open(call.id, `${PREFIX}${call.id}`);
    try {
      await this.place(call, channel);
      const end = await this.untilAnswered(channel, ANSWER_MS, signal);
      if (end) throw new CallFailed(end.reason, end.detail);
      return channel.session;
    } catch (error) {
      channel.session.end();
      throw error;
    }
  }

  async pickUp({ id, carrierId }: AcceptedCall, signal: AbortSignal): Promise<PhoneSession> {
    const channel = this.open(id, carrierId);
    try {
      if (!this.waiting.accept(carrierId, id)) throw new CallFailed('user_hangup', 'The caller has gone');
      await this.client.request('POST', `channels/${encodeURIComponent(carrierId)}/answer`);
      channel.isUp = true;
      await this.connectMedia(channel);
      const end = await this.untilAnswered(channel, PICK_UP_MS, signal);
      if (end) throw new CallFailed('user_hangup', end.detail);
      return channel.session;
    } catch (error) {
      channel.session.end();
      throw error;
    }
  }

  /** Asterisk sends no webhooks. */
  handle(): boolean {
    return false;
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean {
    if ((request.url ?? '').split('?')[0] !== PATH) return false;
    this.streams.upgrade(request, socket, head);
    return true;
  }

  private open(callId: string, id: string): PhoneChannel {
    const session = new AudioSession(asteriskStream, this.clock, {
      ended: (isOver) => {
        this.channels.delete(id);
        const { media } = channel;
        if (media !== undefined) this.attempt(callId, this.client.request('DELETE', `channels/${media}`));
        if (!isOver) this.attempt(callId, this.hangUp(id));
      },
      lost: () => this.attempt(callId, this.connectMedia(channel)),
      press: async (dtmf) => {
        await this.client.request('POST', `channels/${encodeURIComponent(id)}/dtmf`, { dtmf });
      },
      transfer: async (extension) => {
        const { transferContext: context } = this.settings;
        const query = { context, extension, priority: '1' };
        const answer = await this.client.request(
          'POST',
          `channels/${encodeURIComponent(id)}/continue`,
          query,
        );
        if (answer === undefined) throw new Error('The call is over');
      },
    });
    const channel: PhoneChannel = { id, callId, session, isUp: false };
    this.channels.set(id, channel);
    return channel;
  }

  private async place(call: OutgoingCall, { id }: PhoneChannel): Promise<void> {
    const { endpoint, app, number } = this.settings;
    const seconds = toTimeLimitSeconds(call.maximumMs);
    try {
      await this.client.request(
        'POST',
        'channels',
        {
          ...{ endpoint: endpoint.replace('{number}', call.to), app, channelId: id },
          ...{ callerId: call.from || number, timeout: String(RING_SECONDS) },
        },
        { variables: { 'TIMEOUT(absolute)': String(seconds) } },
      );
    } catch (error) {
      throw new CallFailed('dial_failed', `Asterisk: ${describeError(error)}`);
    }
  }

  private untilAnswered({ id, session }: PhoneChannel, ms: number, signal: AbortSignal) {
    const ask = async (): Promise<CarrierEnd | undefined> =>
      (await this.client.request('GET', `channels/${encodeURIComponent(id)}`)) === undefined
        ? { reason: 'dial_no_answer', detail: 'Asterisk: the call is over, and no event came' }
        : undefined;
    return awaitAnswer(session.answered, { clock: this.clock, signal, ms, ask });
  }

  private happened(event: Record<string, unknown>): void {
    const { id, state, dialplan, caller } = toMembers(event.channel);
    if (typeof id !== 'string') return;
    const channel = this.channels.get(id);
    switch (event.type) {
      case 'StasisStart':
        if (id.startsWith(MEDIA)) return this.attempt('', this.bridge(id));
        if (!channel && !id.startsWith(PREFIX))
          return this.incoming(id, toMembers(dialplan).exten, toMembers(caller).number);
        // Before the answer, only the ringing is heard.
        return channel && state === 'Up' ? this.answered(channel) : undefined;
      case 'ChannelStateChange':
        return channel && state === 'Up' ? this.answered(channel) : undefined;
      case 'ChannelDtmfReceived':
        if (typeof event.digit === 'string' && /^[0-9*#A-D]$/.test(event.digit))
          channel?.session.dtmf(event.digit);
        return;
      case 'ChannelDestroyed':
        return channel?.session.carrierEnded(readEnd(event));
    }
  }

  private answered(channel: PhoneChannel): void {
    if (channel.isUp) return;
    channel.isUp = true;
    this.attempt(channel.callId, this.connectMedia(channel));
  }

  /** Asterisk connects to this process, by the connection that it knows by name. */
  private async connectMedia(channel: PhoneChannel): Promise<void> {
    const { app, websocketClient } = this.settings;
    channel.media = `${MEDIA}${randomUUID()}`;
    await this.client.request('POST', 'channels/externalMedia', {
      ...{ app, channelId: channel.media, external_host: websocketClient, format: 'ulaw' },
      ...{ transport: 'websocket', encapsulation: 'none', connection_type: 'client', direction: 'both' },
      transport_data: `v(call=${channel.callId},key=${channel.session.key})`,
    });
  }

  private async bridge(media: string): Promise<void> {
    const channel = [...this.channels.values()].find((each) => each.media === media);
    if (!channel) return void (await this.client.request('DELETE', `channels/${media}`));
    const bridge = `${PREFIX}${channel.callId}`;
    await this.client.request('POST', 'bridges', { type: 'mixing', bridgeId: bridge });
    await this.client.request('POST', `bridges/${bridge}/addChannel`, { channel: `${channel.id},${media}` });
  }

  private findStream(request: IncomingMessage): PhoneSession | undefined {
    const query = new URL(request.url ?? '', 'ws://localhost').searchParams;
    const channel = [...this.channels.values()].find(({ callId }) => callId === query.get('call'));
    return channel?.session.accepts(query.get('key')) ? channel.session : undefined;
  }

  private incoming(id: string, exten: unknown, from: unknown): void {
    const number = (value: unknown) =>
      typeof value === 'string' ? value.replace(/^(?=[1-9]\d{6})/, '+') : '';
    const asked = this.waiting.ask(id, { to: number(exten), from: number(from) }, this.take);
    this.attempt(
      '',
      asked.then(async (answer) => {
        if (!answer || 'callId' in answer) return;
        const isBusy = ['too_many_calls', 'no_answer', 'stopping'].includes(answer.refusal);
        await this.hangUp(id, { reason_code: isBusy ? BUSY_CAUSE : REJECTED_CAUSE });
      }),
    );
  }

  /** The channels of a process that is gone: the application was its. */
  private async endOrphans(): Promise<void> {
    const listed = await this.client.request('GET', 'channels');
    for (const { id, dialplan } of Array.isArray(listed) ? listed.map(toMembers) : []) {
      const { app_name: application, app_data: data } = toMembers(dialplan);
      const isOwn = application === 'Stasis' && String(data).split(',')[0] === this.settings.app;
      const isHeld = typeof id !== 'string' || this.channels.has(id) || this.waiting.has(id);
      const isMedia = [...this.channels.values()].some(({ media }) => media === id);
      if (isOwn && !isHeld && !isMedia) await this.hangUp(id);
    }
  }

  private async hangUp(id: string, query: Record<string, string> = {}): Promise<void> {
    await this.client.request('DELETE', `channels/${encodeURIComponent(id)}`, query);
  }

  private attempt(callId: string, work: Promise<unknown>): void {
    work.catch((error: unknown) => {
      const about = callId === '' ? '' : `Call ${callId}: `;
      this.logger.warn(`${about}Asterisk did not do what was asked: ${describeError(error)}`);
    });
  }
}

function readEnd({ cause, cause_txt: text }: Record<string, unknown>): CarrierEnd {
  const said = typeof text === 'string' ? ` ${text.slice(0, 60)}` : '';
  return { reason: reasonByQ850Cause(cause), detail: `Asterisk: cause ${Number(cause)}${said}` };
}

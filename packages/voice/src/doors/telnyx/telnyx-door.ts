import { randomUUID, type KeyObject } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { CallFailed, type Logger } from '@parley/worker';
import { type Clock, systemClock } from '../../clock';
import { describeError } from '../../errors';
import type { AcceptedCall, Carrier, OutgoingCall } from '../carrier';
import { parseFrame, toMembers } from '../json-frames';
import { awaitAnswer } from '../phone/await-answer';
import type { CarrierEnd } from '../phone/carrier-end';
import { AudioSession } from '../phone/audio-session';
import type { PhoneSession } from '../phone/phone-session';
import { readBody } from '../phone/read-body';
import { StreamSockets } from '../phone/stream-sockets';
import { type TakeIncoming, WaitingCalls } from '../phone/waiting-calls';
import { readState, TRANSFERRED, writeState } from './client-state';
import { telnyxStream } from './media-frames';
import { readEnd, readMachine, readRefusal } from './outcomes';
import { type TelnyxAccount, TelnyxClient } from './telnyx-client';
import { ANSWER_MS, toTimeLimitSeconds, PICK_UP_MS, RING_SECONDS } from '../phone/time-limits';
import { isSigned, readPublicKey, SeenEvents } from './webhook-signature';

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
}

const PATH = '/voice/telnyx';
const KEY_MS = 250;

/** Places and takes phone calls with the Call Control of Telnyx and its media streams. */
export class TelnyxDoor implements Carrier {
  readonly name = 'Telnyx';
  readonly speaks = false;
  private readonly sessions = new Map<string, PhoneSession>();
  private readonly client: TelnyxClient;
  private readonly streams: StreamSockets;
  private readonly waiting: WaitingCalls;
  private readonly seen = new SeenEvents();
  private readonly key: KeyObject;
  private take?: TakeIncoming;

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
    this.waiting = new WaitingCalls(clock, (sentence) => logger.warn(sentence));
    this.streams = new StreamSockets({
      clock,
      protocol: telnyxStream,
      find: ({ parameters: { call, key: given } }) => {
        const session = typeof call === 'string' ? this.sessions.get(call) : undefined;
        return session?.accepts(given) ? session : undefined;
      },
    });
  }

  takeCalls(take: TakeIncoming): void {
    this.take = take;
  }

  async dial(call: OutgoingCall, signal: AbortSignal): Promise<PhoneSession> {
    signal.throwIfAborted();
    let id: string | undefined;
    const session = this.open(call.id, () => id);
    try {
      id = await this.place(call, session);
      const end = await this.untilAnswered(session, id, ANSWER_MS, signal);
      if (end) throw new CallFailed(end.reason, end.detail);
      return session;
    } catch (error) {
      session.end();
      throw error;
    }
  }

  async pickUp(
    { id: callId, carrierId, maximumMs }: AcceptedCall,
    signal: AbortSignal,
  ): Promise<PhoneSession> {
    const session = this.open(callId, () => carrierId);
    try {
      if (!this.waiting.accept(carrierId, callId)) throw new CallFailed('user_hangup', 'The caller has gone');
      await this.client.command(carrierId, 'answer', {
        ...this.stream(callId, session),
        webhook_url: this.webhookUrl(callId),
        time_limit_secs: toTimeLimitSeconds(maximumMs),
        command_id: `answer-${callId}`,
      });
      const end = await this.untilAnswered(session, carrierId, PICK_UP_MS, signal);
      if (end) throw new CallFailed('user_hangup', end.detail);
      return session;
    } catch (error) {
      session.end();
      if (error instanceof CallFailed || signal.aborted) throw error;
      throw new CallFailed('user_hangup', readRefusal(error).detail);
    }
  }

  handle(request: IncomingMessage, response: ServerResponse): boolean {
    const path = /^\/voice\/telnyx(?:\/([\w-]{1,100}))?$/.exec(request.url ?? '');
    if (request.method !== 'POST' || !path) return false;
    const [, callId] = path;
    this.webhook(callId, request).then(
      (status) => response.writeHead(status).end(),
      () => response.destroy(),
    );
    return true;
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean {
    if (request.url !== `${PATH}/media`) return false;
    this.streams.upgrade(request, socket, head);
    return true;
  }

  private open(callId: string, id: () => string | undefined): PhoneSession {
    const session: PhoneSession = new AudioSession(telnyxStream, this.clock, {
      ended: (isOver) => {
        this.sessions.delete(callId);
        const known = id();
        if (known !== undefined && !isOver) this.hangUp(callId, known);
      },
      lost: () => this.streamAgain(callId, session, id() ?? ''),
      press: (digits) =>
        this.client.command(id() ?? '', 'send_dtmf', {
          ...{ digits, duration_millis: KEY_MS, command_id: randomUUID() },
        }),
      transfer: (to) =>
        this.client.command(id() ?? '', 'transfer', {
          ...{ to, client_state: TRANSFERRED, command_id: `transfer-${callId}` },
        }),
    });
    this.sessions.set(callId, session);
    return session;
  }

  private async place(call: OutgoingCall, session: PhoneSession): Promise<string> {
    try {
      return await this.client.createCall({
        connection_id: this.settings.connectionId,
        to: call.to,
        from: call.from || this.settings.number,
        ...this.stream(call.id, session),
        webhook_url: this.webhookUrl(call.id),
        timeout_secs: RING_SECONDS,
        time_limit_secs: toTimeLimitSeconds(call.maximumMs),
        ...(call.detectsMachine ? { answering_machine_detection: 'premium' } : {}),
        command_id: `dial-${call.id}`,
      });
    } catch (error) {
      const { reason, detail } = readRefusal(error);
      throw new CallFailed(reason, detail);
    }
  }

  /** @returns why nobody answered; undefined: somebody did */
  private untilAnswered({ answered }: PhoneSession, id: string, ms: number, signal: AbortSignal) {
    const ask = async (): Promise<CarrierEnd | undefined> =>
      (await this.client.isAlive(id))
        ? undefined
        : { reason: 'dial_no_answer', detail: 'Telnyx: the call is over, and no webhook came' };
    return awaitAnswer(answered, { clock: this.clock, signal, ms, ask });
  }

  private async webhook(callId: string | undefined, request: IncomingMessage): Promise<number> {
    const body = await readBody(request);
    if (body === undefined) return 413;
    const { 'telnyx-timestamp': timestamp, 'telnyx-signature-ed25519': signature } = request.headers;
    if (!isSigned(this.key, { timestamp, signature }, body)) return 403;
    const { id, event_type: type, payload } = toMembers(parseFrame(body)?.data);
    if (typeof id !== 'string' || typeof type !== 'string') return 400;
    if (!this.seen.add(id)) return 200;
    const fields = toMembers(payload);
    if (type === 'call.initiated' && fields.direction === 'incoming') this.incoming(fields);
    else this.happened(callId, type, fields);
    return 200;
  }

  private happened(callId: string | undefined, type: string, fields: Record<string, unknown>): void {
    const session = callId === undefined ? undefined : this.sessions.get(callId);
    const machine = readMachine(type, fields.result);
    if (!session) return this.foundNobody(callId, type, fields);
    if (machine) session.machineAnswered(machine);
    if (type === 'call.hangup') session.carrierEnded(readEnd(fields));
  }

  /** The process that held the call is gone. Telnyx would let the person wait in silence. */
  private foundNobody(callId: string | undefined, type: string, fields: Record<string, unknown>): void {
    const { call_control_id: id, client_state: state } = fields;
    const isAlive = type !== 'call.hangup' && type !== 'call.initiated';
    if (!isAlive || typeof id !== 'string' || readState(state)?.call !== callId) return;
    this.hangUp(callId ?? '', id);
  }

  private incoming({ call_control_id: id, to, from }: Record<string, unknown>): void {
    if (typeof id !== 'string' || typeof to !== 'string' || typeof from !== 'string') return;
    this.waiting
      .ask(id, { to, from }, this.take)
      .then(async (answer) => {
        if (!answer || 'callId' in answer) return;
        const isBusy = ['too_many_calls', 'no_answer', 'stopping'].includes(answer.refusal);
        const cause = isBusy ? 'USER_BUSY' : 'CALL_REJECTED';
        await this.client.command(id, 'reject', { cause, command_id: `reject-${id}`.slice(0, 255) });
      })
      .catch((error: unknown) =>
        this.logger.warn(`An incoming call was not refused: ${describeError(error)}`),
      );
  }

  /** Telnyx does not connect a stream again that was cut. */
  private streamAgain(callId: string, session: PhoneSession, id: string): void {
    this.client
      .command(id, 'streaming_start', { ...this.stream(callId, session), command_id: randomUUID() })
      .catch((error: unknown) =>
        this.logger.warn(`The stream of call ${callId} does not come back: ${describeError(error)}`),
      );
  }

  private hangUp(callId: string, id: string): void {
    this.client
      .hangUp(id)
      .catch((error: unknown) => this.logger.warn(`Call ${callId} was not hung up: ${describeError(error)}`));
  }

  private stream(callId: string, { key }: PhoneSession): object {
    const { publicUrl, processPath = '' } = this.settings;
    return {
      stream_url: `${publicUrl}${processPath}${PATH}/media`,
      stream_track: 'inbound_track',
      stream_codec: 'PCMU',
      stream_bidirectional_mode: 'rtp',
      stream_bidirectional_codec: 'PCMU',
      client_state: writeState({ call: callId, key }),
    };
  }

  private webhookUrl(callId: string): string {
    const { publicUrl, processPath = '' } = this.settings;
    return `${publicUrl.replace(/^ws/, 'http')}${processPath}${PATH}/${callId}`;
  }
}

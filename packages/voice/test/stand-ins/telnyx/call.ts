import { randomBytes, randomUUID } from 'node:crypto';
import { WebSocket } from 'ws';
import { UNREACHABLE } from '../phone/carrier-server';
import { FRAME_BYTES, FRAME_MS, Handset, type Person } from '../phone/handset';
import type { PhoneCallRecord } from '../phone/phone-stand-in';
import { Playback } from '../phone/playback';
import type { Ticks } from '../phone/ticks';

/** Premium detection takes such a silence for the end of a greeting. */
const GREETING_END_MS = 1_500;

/** The fields of a request that opens a stream. */
export interface StreamFields {
  stream_url?: string;
  stream_track?: string;
  stream_bidirectional_mode?: string;
  stream_bidirectional_codec?: string;
  stream_bidirectional_sampling_rate?: number;
}

/** The fields of a request that stay with a call. */
export interface CallFields extends StreamFields {
  client_state?: string;
  webhook_url?: string;
  timeout_secs?: number;
  time_limit_secs?: number;
  command_id?: string;
  answering_machine_detection?: string;
}

/** This leg, or the one to another number. */
interface Leg {
  readonly id: string;
  readonly to: string;
  readonly from: string;
  readonly fields: CallFields;
}

export interface TelnyxCallParts {
  ticks: Ticks;
  connectionId: string;
  webhookUrl: string;
  firstCommandSeconds?: number;
  /** Whether webhooks of a type come only after the call's hang-up. */
  isLate: (type: string) => boolean;
  /** Whether no stream can be connected. */
  isCutOff: () => boolean;
  /** Sends a signed webhook; resolves when it is delivered or given up. */
  deliver: (url: string, event: object) => Promise<void>;
}

/** One leg at Telnyx. */
export class TelnyxCall implements PhoneCallRecord {
  readonly id = `v3:${randomBytes(20).toString('base64url')}`;
  readonly complaints: string[] = [];
  readonly commands = new Set<string>();
  /** The webhooks that were sent, with their signatures. */
  readonly sent: { url: string; body: string; headers: Record<string, string> }[] = [];
  isOver = false;
  isAnswered = false;
  endedBy?: 'person' | 'runtime' | 'carrier';
  answeredAt?: number;
  transferredAt?: number;
  endedAt?: number;
  endedByLimit?: number;
  handset?: Handset;
  digits = '';
  transferredTo?: string;
  transferLimit?: number;
  streams = 0;
  refusedAs?: string;
  /** The leg to another number, while it rings or talks. */
  otherLeg?: Leg;
  private readonly startedAt = Date.now();
  private socket?: WebSocket;
  private playback?: Playback;
  private streaming: StreamFields = {};
  private chunk = 0;
  private held?: string;
  private sequence = 1;
  /** The result of the machine detection, until the end of a greeting was reported. */
  private detected?: string;
  private stopTicks: () => void = () => undefined;
  private readonly timers: NodeJS.Timeout[] = [];
  private deliveries: Promise<void> = Promise.resolve();
  private readonly late: (() => Promise<void>)[] = [];
  private whenSettled: () => void = () => undefined;
  /** Resolves when an incoming call was answered or refused. */
  readonly settled = new Promise<void>((resolve) => (this.whenSettled = resolve));

  constructor(
    readonly to: string,
    readonly from: string,
    private readonly direction: 'incoming' | 'outgoing',
    private readonly person: Person,
    readonly fields: CallFields,
    private readonly parts: TelnyxCallParts,
  ) {}

  get callbackUrl(): string {
    return this.fields.webhook_url ?? this.parts.webhookUrl;
  }

  dial(): void {
    this.report('call.initiated', { state: 'bridging' });
    const { phone = 'answers', ringMs = 20 } = this.person;
    this.after(ringMs, () => {
      if (phone === 'busy') this.end('user_busy', 'carrier', '486');
      else if (phone === 'declines') this.end('call_rejected', 'carrier', '603');
      else if (phone === 'no-answer') this.end('timeout', 'carrier', '487');
      else if (phone === 'does-not-exist') this.end('not_found', 'carrier', '404');
      else if (phone === 'network-fails') this.end('unspecified', 'carrier', '503');
      else this.answer();
    });
    const { timeout_secs = 30 } = this.fields;
    this.after(timeout_secs * 1_000, () => !this.isAnswered && this.expire(timeout_secs, 'timeout', '487'));
  }

  ring(): void {
    this.report('call.initiated', { state: 'parked' });
    const { firstCommandSeconds: seconds } = this.parts;
    if (seconds === undefined) return;
    this.after(seconds * 1_000, () => !this.isAnswered && this.expire(seconds, 'timeout'));
  }

  /** The state as a request for it has it, also after the end. */
  describeState(): object {
    const { isOver, startedAt, answeredAt = Infinity, endedAt = performance.now() } = this;
    const end = Math.floor(performance.timeOrigin + endedAt);
    return {
      ...{ is_alive: !isOver, call_duration: Math.max(0, Math.round((endedAt - answeredAt) / 1_000)) },
      start_time: new Date(startedAt).toISOString(),
      ...(isOver && { end_time: new Date(end).toISOString() }),
    };
  }

  answer(): void {
    this.isAnswered = true;
    this.answeredAt = performance.now();
    this.whenSettled();
    this.handset = new Handset(this.person, {
      press: (digit) => this.send({ event: 'dtmf', dtmf: { digit } }),
      hangUp: () => this.end('normal_clearing', 'person'),
      fail: () => this.end('unspecified', 'carrier', '503'),
      loseStream: () => this.socket?.terminate(),
      beeped: () => this.reportGreetingEnd('beep_detected'),
      quiet: (ms) => ms === GREETING_END_MS && this.reportGreetingEnd('no_beep_detected'),
    });
    this.report('call.answered', { state: 'answered' });
    if (this.person.hangsUpAtOnce) return this.end('normal_clearing', 'person');
    this.stopTicks = this.parts.ticks.add(() => this.tick());
    if (this.fields.stream_url) this.startStream(this.fields);
    if (this.fields.answering_machine_detection === 'premium') this.detectMachine();
    this.after(this.timeLimit * 1_000, () => this.reachTimeLimit());
  }

  /** The time limit of the call has passed. */
  reachTimeLimit(): void {
    if (!this.isOver) this.expire(this.timeLimit, 'time_limit');
  }

  /** In seconds. */
  get timeLimit(): number {
    return this.fields.time_limit_secs ?? 14_400;
  }

  /** A field that this request lacks has its default, even if another request of the call had it. */
  startStream(streaming: StreamFields): void {
    const { stream_url: url = '' } = streaming;
    const { client_state } = this.fields;
    const streamId = randomUUID();
    const stream = { stream_id: streamId, stream_params: { stream_url: url } };
    let wasOpen = false;
    const socket = new WebSocket(this.parts.isCutOff() ? UNREACHABLE : url, { handshakeTimeout: 5_000 });
    const playback = new Playback((name) => this.echo(name));
    this.streaming = streaming;
    socket.on('open', () => {
      wasOpen = true;
      this.streams++;
      [this.socket, this.playback, this.chunk, this.held] = [socket, playback, 0, undefined];
      socket.send(JSON.stringify({ event: 'connected', version: '1.0.0' }));
      socket.send(
        JSON.stringify({
          event: 'start',
          sequence_number: '1',
          stream_id: streamId,
          start: {
            ...{ user_id: randomUUID(), call_control_id: this.id, call_session_id: randomUUID() },
            ...{ from: this.from, to: this.to, client_state, tags: [] },
            media_format: { encoding: 'PCMU', sample_rate: 8000, channels: 1 },
          },
        }),
      );
      this.report('streaming.started', stream);
    });
    socket.on('message', (data: Buffer, isBinary) => this.receive(data, isBinary, playback));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      if (this.isOver || (this.socket !== undefined && this.socket !== socket)) return;
      this.socket = undefined;
      if (wasOpen) this.report('streaming.stopped', stream);
      else this.report('streaming.failed', { ...stream, failure_reason: 'connection_failed' });
    });
  }

  /** The person who calls hangs up before an answer. @returns whether it does so */
  giveUp(): boolean {
    if (this.person.givesUp) this.end('originator_cancel', 'person');
    return this.isOver;
  }

  hangUpAtTransfer(): void {
    if (this.person.hangsUpAtTransfer) this.end('normal_clearing', 'person');
  }

  /** Another leg. If it does not answer, this one goes on, without a word. */
  transfer({ to, from, fields }: { to: string; from: string; fields: CallFields }): void {
    const { transfer: phone = 'answers' } = this.person;
    const leg = { id: `v3:${randomBytes(20).toString('base64url')}`, to, from, fields };
    this.otherLeg = leg;
    this.report('call.initiated', { state: 'bridging' }, leg);
    this.after(20, () => {
      if (phone !== 'answers') {
        this.otherLeg = undefined;
        const [cause, sip] = phone === 'busy' ? ['user_busy', '486'] : ['timeout', '487'];
        return this.report('call.hangup', { hangup_cause: cause, sip_hangup_cause: sip }, leg);
      }
      [this.transferredTo, this.transferredAt] = [to, performance.now()];
      this.transferLimit = fields.time_limit_secs ?? 14_400;
      this.report('call.answered', { state: 'answered' }, leg);
      this.report('call.bridged', { state: 'bridged' }, leg);
      this.stopStream();
      this.after(this.person.connectedMs ?? 50, () => {
        this.otherLeg = undefined;
        this.report('call.hangup', { hangup_cause: 'normal_clearing', hangup_source: 'callee' }, leg);
        this.end('normal_clearing', 'person');
      });
    });
  }

  reject(cause: string): void {
    this.refusedAs = cause;
    this.end('call_rejected', 'runtime');
  }

  end(cause: string, by: 'person' | 'runtime' | 'carrier', sipCode = ''): void {
    if (this.isOver) return;
    this.isOver = true;
    this.endedBy = by;
    this.endedAt = performance.now();
    this.whenSettled();
    this.timers.forEach(clearTimeout);
    this.stopTicks();
    this.stopStream();
    const source = by === 'person' ? 'callee' : by === 'runtime' ? 'caller' : 'unknown';
    this.report('call.hangup', {
      ...{ state: 'hangup', hangup_cause: cause, hangup_source: source },
      sip_hangup_cause: sipCode || 'unspecified',
    });
  }

  get reported(): Promise<void> {
    return this.deliveries;
  }

  private expire(seconds: number, cause: string, sipCode?: string): void {
    this.endedByLimit = seconds;
    this.end(cause, 'carrier', sipCode);
  }

  /** The stream stops, and the call may go on. */
  stopStream(): void {
    this.send({ event: 'stop', stop: { call_control_id: this.id } });
    const { socket } = this;
    this.socket = undefined;
    socket?.close(1000);
  }

  private tick(): void {
    const { socket, handset, playback } = this;
    if (!socket || !handset || !playback) return;
    const played = playback.next();
    const sound = handset.tick(played);
    this.chunk++;
    const { stream_track: track = 'inbound_track' } = this.streaming;
    if (track !== 'outbound_track') this.sendAudio(socket, 'inbound', sound);
    if (track !== 'inbound_track') this.sendAudio(socket, 'outbound', played);
  }

  private sendAudio(socket: WebSocket, track: 'inbound' | 'outbound', sound: Buffer): void {
    const frame = JSON.stringify({
      event: 'media',
      sequence_number: String(this.sequence++),
      media: {
        track,
        chunk: String(this.chunk),
        timestamp: String(this.chunk * FRAME_MS),
        payload: sound.toString('base64'),
      },
    });
    // The order is not promised: now and then two frames change their places.
    if (this.chunk % 25 === 0 && this.held === undefined) return void (this.held = frame);
    if (socket.readyState === WebSocket.OPEN) socket.send(frame);
    if (this.held !== undefined && socket.readyState === WebSocket.OPEN) socket.send(this.held);
    this.held = undefined;
  }

  private receive(data: Buffer, isBinary: boolean, playback: Playback): void {
    let frame: Record<string, unknown> = {};
    try {
      frame = JSON.parse(data.toString()) as typeof frame;
    } catch {
      isBinary = true;
    }
    const { payload } = (frame.media ?? {}) as { payload?: string };
    const { name } = (frame.mark ?? {}) as { name?: string };
    const isBase64 = typeof payload === 'string' && /^[A-Za-z0-9+/]+={0,2}$/.test(payload);
    const audio = Buffer.from(isBase64 ? payload : '', 'base64');
    // From 20 ms to 30 s.
    const isAudio = audio.length >= FRAME_BYTES && audio.length <= 30_000 * 8;
    if (!isBinary && frame.event === 'media' && isAudio) {
      if (this.playsAudio) playback.add(audio);
      else this.refuse(100_004, 'invalid_media', 'audio that is not of the mode and codec of the stream');
    } else if (!isBinary && frame.event === 'mark' && name) playback.mark(name);
    else if (!isBinary && frame.event === 'clear') {
      this.handset?.clears.push(performance.now());
      playback.clear().forEach((mark) => this.echo(mark));
    } else this.refuse(100_003, 'malformed_frame', String(frame.event));
  }

  /** The default mode takes MP3 files. The phones here play PCMU, which is the default codec of `rtp`. */
  private get playsAudio(): boolean {
    const { streaming } = this;
    return (
      streaming.stream_bidirectional_mode === 'rtp' &&
      (streaming.stream_bidirectional_codec ?? 'PCMU') === 'PCMU' &&
      Number(streaming.stream_bidirectional_sampling_rate ?? 8_000) === 8_000
    );
  }

  private echo(name: string): void {
    this.send({ event: 'mark', mark: { name } });
  }

  private refuse(code: number, title: string, what: string): void {
    this.complaints.push(`${code} ${title} ${what}`);
    this.send({ event: 'error', payload: { code, title } });
  }

  private detectMachine(): void {
    const { phone, detectedAs = phone === 'voicemail' ? 'machine' : 'human_residence' } = this.person;
    this.after(200, () => {
      this.detected = detectedAs;
      this.report('call.machine.premium.detection.ended', { result: detectedAs });
    });
  }

  /** After a machine was detected, the end of its greeting is reported once. */
  private reportGreetingEnd(result: string): void {
    if (this.detected !== 'machine') return;
    this.detected = undefined;
    this.report('call.machine.premium.greeting.ended', { result });
  }

  private report(event_type: string, more: object, leg: Leg = this): void {
    const { parts } = this;
    const { id, to, from, fields } = leg;
    const event = {
      data: {
        ...{ record_type: 'event', event_type, id: randomUUID(), occurred_at: new Date().toISOString() },
        payload: {
          ...{ call_control_id: id, connection_id: parts.connectionId },
          direction: leg === this ? this.direction : 'outgoing',
          ...{ from, to, client_state: fields.client_state ?? null },
          ...more,
        },
      },
      meta: { attempt: 1 },
    };
    const url = fields.webhook_url ?? parts.webhookUrl;
    const deliver = () => parts.deliver(url, event);
    const isEnd = event_type === 'call.hangup' && leg === this;
    if (parts.isLate(event_type) && !this.isOver) return void this.late.push(deliver);
    for (const each of [deliver, ...(isEnd ? this.late.splice(0) : [])])
      this.deliveries = this.deliveries.then(each);
  }

  private send(frame: object): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(frame));
  }

  private after(ms: number, run: () => void): void {
    this.timers.push(setTimeout(() => !this.isOver && run(), Math.min(ms, 2_000_000_000)));
  }
}

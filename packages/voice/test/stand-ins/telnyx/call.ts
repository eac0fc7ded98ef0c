import { randomBytes, randomUUID } from 'node:crypto';
import { WebSocket } from 'ws';
import { FRAME_MS, Handset, type Person } from '../phone/handset';
import type { PhoneCallRecord } from '../phone/phone-stand-in';
import { Playback } from '../phone/playback';
import type { Ticks } from '../phone/ticks';

/** The fields of a request that stay with a call. */
export interface CallFields {
  stream_url?: string;
  stream_bidirectional_mode?: string;
  stream_bidirectional_codec?: string;
  client_state?: string;
  webhook_url?: string;
  timeout_secs?: number;
  time_limit_secs?: number;
  answering_machine_detection?: string;
}

export interface TelnyxCallParts {
  ticks: Ticks;
  connectionId: string;
  webhookUrl: string;
  /** Sends a signed webhook; resolves when it is delivered or given up. */
  deliver: (url: string, event: object) => Promise<void>;
}

/** One leg at Telnyx. */
export class TelnyxCall implements PhoneCallRecord {
  readonly id = `v3:${randomBytes(20).toString('base64url')}`;
  readonly complaints: string[] = [];
  readonly commands = new Set<string>();
  isOver = false;
  isAnswered = false;
  endedBy?: 'person' | 'runtime' | 'carrier';
  handset?: Handset;
  digits = '';
  transferredTo?: string;
  streams = 0;
  refusedAs?: string;
  private socket?: WebSocket;
  private playback?: Playback;
  private chunk = 0;
  private held?: string;
  private sequence = 1;
  private stopTicks: () => void = () => undefined;
  private readonly timers: NodeJS.Timeout[] = [];
  private deliveries: Promise<void> = Promise.resolve();
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
  }

  ring(): void {
    this.report('call.initiated', { state: 'parked' });
  }

  answer(): void {
    this.isAnswered = true;
    this.whenSettled();
    this.handset = new Handset(this.person, {
      press: (digit) => this.send({ event: 'dtmf', dtmf: { digit } }),
      hangUp: () => this.end('normal_clearing', 'person'),
      loseStream: () => this.socket?.terminate(),
    });
    this.report('call.answered', { state: 'answered' });
    this.stopTicks = this.parts.ticks.add(() => this.tick());
    if (this.fields.stream_url) this.startStream();
    if (this.fields.answering_machine_detection === 'premium') this.detectMachine();
    this.after((this.fields.time_limit_secs ?? 14_400) * 1_000, () => this.end('time_limit', 'carrier'));
  }

  startStream(): void {
    const { stream_url: url = '', client_state } = this.fields;
    const streamId = randomUUID();
    const socket = new WebSocket(url, { handshakeTimeout: 5_000 });
    const playback = new Playback((name) => this.send({ event: 'mark', mark: { name } }));
    socket.on('open', () => {
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
      this.report('streaming.started', { stream_id: streamId, stream_params: { stream_url: url } });
    });
    socket.on('message', (data: Buffer, isBinary) => this.receive(data, isBinary, playback));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      if (this.isOver || (this.socket !== undefined && this.socket !== socket)) return;
      this.socket = undefined;
      this.report('streaming.stopped', { stream_id: streamId, stream_params: { stream_url: url } });
    });
  }

  /** The person is connected with another number, and the stream ends. */
  transfer(to: string): void {
    this.transferredTo = to;
    this.stopStream();
    this.after(50, () => this.end('normal_clearing', 'person'));
  }

  reject(cause: string): void {
    this.refusedAs = cause;
    this.end('call_rejected', 'runtime');
  }

  end(cause: string, by: 'person' | 'runtime' | 'carrier', sipCode = ''): void {
    if (this.isOver) return;
    this.isOver = true;
    this.endedBy = by;
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

  private stopStream(): void {
    this.send({ event: 'stop', stop: { call_control_id: this.id } });
    const { socket } = this;
    this.socket = undefined;
    socket?.close(1000);
  }

  private tick(): void {
    const { socket, handset, playback } = this;
    if (!socket || !handset || !playback) return;
    const sound = handset.tick(playback.next());
    this.chunk++;
    const frame = JSON.stringify({
      event: 'media',
      sequence_number: String(this.sequence++),
      media: {
        track: 'inbound',
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
    const isBytes = typeof payload === 'string' && /^[A-Za-z0-9+/]+={0,2}$/.test(payload);
    if (!isBinary && frame.event === 'media' && isBytes) playback.add(Buffer.from(payload, 'base64'));
    else if (!isBinary && frame.event === 'mark' && name) playback.mark(name);
    else if (!isBinary && frame.event === 'clear') {
      this.handset?.clears.push(performance.now());
      playback.clear();
    } else {
      this.complaints.push(`100003 malformed_frame ${String(frame.event)}`);
      this.send({ event: 'error', payload: { code: 100_003, title: 'malformed_frame' } });
    }
  }

  private detectMachine(): void {
    const isMachine = this.person.phone === 'voicemail';
    this.after(200, () =>
      this.report('call.machine.premium.detection.ended', {
        result: isMachine ? 'machine' : 'human_residence',
      }),
    );
    if (isMachine)
      this.after(400, () => this.report('call.machine.premium.greeting.ended', { result: 'beep_detected' }));
  }

  private report(event_type: string, more: object): void {
    const { parts, fields } = this;
    const event = {
      data: {
        ...{ record_type: 'event', event_type, id: randomUUID(), occurred_at: new Date().toISOString() },
        payload: {
          ...{ call_control_id: this.id, connection_id: parts.connectionId, direction: this.direction },
          ...{ from: this.from, to: this.to, client_state: fields.client_state ?? null },
          ...more,
        },
      },
      meta: { attempt: 1 },
    };
    const url = this.callbackUrl;
    this.deliveries = this.deliveries.then(() => parts.deliver(url, event));
  }

  private send(frame: object): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(frame));
  }

  private after(ms: number, run: () => void): void {
    this.timers.push(setTimeout(() => !this.isOver && run(), Math.min(ms, 2_000_000_000)));
  }
}

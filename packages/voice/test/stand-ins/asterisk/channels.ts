import { WebSocket } from 'ws';
import { FRAME_BYTES, Handset, type Person } from '../phone/handset';
import type { PhoneCallRecord } from '../phone/phone-stand-in';
import { Playback } from '../phone/playback';
import type { Ticks } from '../phone/ticks';

/** The limits of the document of chan_websocket; its code has the same numbers, which the document calls rough. */
const MAX_MESSAGE_BYTES = 65_500;
const QUEUE = { off: 900, on: 800, full: 1_000 };
const E164 = /^\+[1-9]\d{6,14}$/;
const CAUSES: Record<string, number> = {
  busy: 17,
  declines: 21,
  'no-answer': 19,
  'does-not-exist': 1,
  'network-fails': 38,
};

/** A call, and the application that gets it. */
export interface ChannelOfCall {
  to: string;
  from: string;
  app: string;
  person: Person;
}

export interface ChannelParts {
  /** Whether a program has the events of the application. */
  isActive: () => boolean;
  emit: (type: string, more?: object) => void;
  /** The state of the dialling, which is no event of the channel itself. @param more the caller and the peer; default: it is called */
  dialled: (dialstatus: string, more?: object) => void;
  media: () => MediaChannel | undefined;
  gone: () => void;
}

/** The channel of a person. */
export class AsteriskChannel implements PhoneCallRecord {
  readonly complaints: string[] = [];
  readonly callbackUrl = '';
  state: 'Down' | 'Ring' | 'Ringing' | 'Up' = 'Down';
  isOver = false;
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
  /** TIMEOUT(absolute), in seconds from the moment at which it was set. 0: none. */
  timeLimit = 0;
  /** The limit that it had when it left the application. */
  limitWhenContinued?: number;
  readonly to: string;
  readonly from: string;
  readonly app: string;
  /** The applications that get its events. */
  readonly subscribers = new Set<string>();
  /** Applications that have asked for it get its events also after it has left its own. */
  readonly asked = new Set<string>();
  isInStasis = false;
  private readonly person: Person;
  private limitTimer?: NodeJS.Timeout;
  private stopTicks: () => void = () => undefined;
  private timers: NodeJS.Timeout[] = [];
  private whenSettled: () => void = () => undefined;
  readonly settled = new Promise<void>((resolve) => (this.whenSettled = resolve));

  constructor(
    readonly id: string,
    { to, from, app, person }: ChannelOfCall,
    private readonly ticks: Ticks,
    private readonly parts: ChannelParts,
  ) {
    [this.to, this.from, this.app, this.person] = [to, from, app, person];
  }

  describe(): object {
    return {
      ...{ id: this.id, name: `PJSIP/trunk-${this.id.slice(0, 8)}`, state: this.state },
      caller: { name: '', number: this.from.replace('+', '') },
      dialplan: { context: 'from-trunk', exten: this.to, app_name: 'Stasis', app_data: this.app },
    };
  }

  /** @param timeout in seconds; -1: none */
  dial(timeout: number): void {
    // Early media (SIP 183) changes the state of the dialling, and not that of the channel.
    if (this.person.hasEarlyMedia) this.parts.dialled('PROGRESS');
    else {
      this.state = 'Ringing';
      this.parts.emit('ChannelStateChange');
    }
    const { phone = 'answers', ringMs = 20 } = this.person;
    this.after(ringMs, () => {
      // The trunk knows no such number.
      const cause = E164.test(this.to) ? CAUSES[phone] : 1;
      if (cause !== undefined) return this.destroy(cause, 'carrier');
      this.up();
      if (this.person.hangsUpAtOnce) return this.destroy(16, 'person');
      // The application gets an outgoing channel once it is answered. Without a program, Stasis() fails.
      this.enter();
    });
    if (timeout >= 0) this.after(timeout * 1_000, () => this.state !== 'Up' && this.expire(timeout, 19));
  }

  /** The channel comes to the application. */
  enter(): void {
    if (!this.parts.isActive()) return this.destroy(16, 'carrier');
    this.isInStasis = true;
    this.subscribers.add(this.app);
    this.parts.emit('StasisStart', { args: [] });
  }

  /** The dialplan function TIMEOUT(absolute): each value replaces the one before, and counts from now on. */
  limit(value: string): void {
    clearTimeout(this.limitTimer);
    this.timeLimit = Number(value);
    if (!(this.timeLimit >= 0)) return void this.complaints.push(`TIMEOUT(absolute) is ${value}`);
    if (this.timeLimit > 0)
      this.limitTimer = setTimeout(() => this.expire(this.timeLimit, 0), this.timeLimit * 1_000);
  }

  command(method: string, action: string, query: URLSearchParams): [status: number, body?: object] {
    const verb = `${method} ${action}`;
    if (verb === 'DELETE ') {
      const code = Number(query.get('reason_code') ?? '16');
      if (this.state === 'Ring') this.refusedAs = code === 17 ? 'busy' : 'rejected';
      this.destroy(code, 'runtime');
      return [204];
    }
    if (verb === 'POST answer') {
      if (!this.isInStasis) return [409, { message: 'Channel not in Stasis application' }];
      if (this.person.givesUp) {
        this.destroy(16, 'person');
        return [404, { message: 'Channel not found' }];
      }
      this.up();
      this.whenSettled();
      return [204];
    }
    if (verb === 'POST variable') {
      const isAllowed = this.isInStasis || query.get('bypassStasis') === 'true';
      if (!isAllowed) return [409, { message: 'Channel not in Stasis application' }];
      if (query.get('variable') !== 'TIMEOUT(absolute)')
        return [400, { message: 'Variable name is required' }];
      this.limit(query.get('value') ?? '');
      if (!this.isInStasis) this.transferLimit = this.timeLimit;
      return [204];
    }
    if (!this.isInStasis) return [409, { message: 'Channel not in Stasis application' }];
    if (this.state !== 'Up') return [412, { message: 'Channel in invalid state' }];
    if (verb === 'POST dtmf') {
      const dtmf = query.get('dtmf') ?? '';
      if (!/^[0-9*#A-D]+$/.test(dtmf)) return [400, { message: 'DTMF is required' }];
      this.digits += dtmf;
      return [204];
    }
    if (verb === 'POST continue') {
      if (this.person.hangsUpAtTransfer) {
        this.destroy(16, 'person');
        return [404, { message: 'Channel not found' }];
      }
      if (query.get('context') !== 'parley-transfer') return [400, { message: 'There is no such context' }];
      if (!/^[1-9]\d*$/.test(query.get('priority') ?? '1')) return [400, { message: 'Invalid priority' }];
      this.limitWhenContinued = this.timeLimit;
      this.isInStasis = false;
      this.parts.gone();
      this.parts.emit('StasisEnd');
      for (const app of this.subscribers) if (!this.asked.has(app)) this.subscribers.delete(app);
      this.dialOther(query.get('extension') ?? '');
      return [204];
    }
    return [404, { message: 'Invalid method' }];
  }

  /** The dialplan calls the other number, and hangs up if it does not answer. */
  private dialOther(number: string): void {
    const { transfer: phone = 'answers', connectedMs = 50 } = this.person;
    const ends = { caller: this.describe(), peer: { id: `other-${this.id}`, name: `PJSIP/trunk-${number}` } };
    this.parts.dialled('', ends);
    this.after(20, () => {
      if (phone !== 'answers') {
        this.parts.dialled(phone === 'busy' ? 'BUSY' : 'NOANSWER', ends);
        return this.destroy(phone === 'busy' ? 17 : 19, 'carrier');
      }
      [this.transferredTo, this.transferredAt] = [number, performance.now()];
      this.parts.dialled('ANSWER', ends);
      this.after(connectedMs, () => this.destroy(16, 'person'));
    });
  }

  destroy(cause: number, by: 'person' | 'runtime' | 'carrier'): void {
    if (this.isOver) return;
    this.isOver = true;
    this.endedBy = by;
    this.endedAt = performance.now();
    this.timers.forEach(clearTimeout);
    clearTimeout(this.limitTimer);
    this.stopTicks();
    this.whenSettled();
    this.parts.emit('ChannelDestroyed', { cause, cause_txt: `Cause ${cause}` });
    this.parts.gone();
  }

  private expire(seconds: number, cause: number): void {
    if (this.isOver) return;
    this.endedByLimit = seconds;
    this.destroy(cause, 'carrier');
  }

  private up(): void {
    this.state = 'Up';
    this.answeredAt = performance.now();
    this.handset = new Handset(this.person, {
      press: (digit) => this.parts.emit('ChannelDtmfReceived', { digit, duration_ms: 100 }),
      hangUp: () => this.destroy(16, 'person'),
      fail: () => this.destroy(38, 'carrier'),
      loseStream: () => this.parts.media()?.lose(),
    });
    this.stopTicks = this.ticks.add(() => {
      const media = this.parts.media();
      if (media && this.handset) media.send(this.handset.tick(media.play()));
    });
    this.parts.emit('ChannelStateChange');
  }

  private after(ms: number, run: () => void): void {
    this.timers.push(setTimeout(() => !this.isOver && run(), ms));
  }
}

export interface MediaParts {
  started: () => void;
  closed: (wasOpen: boolean) => void;
  flushed: () => void;
  complain: (sentence: string) => void;
}

/** A channel whose audio goes over a WebSocket. */
export class MediaChannel {
  private readonly socket: WebSocket;
  private readonly playback = new Playback((event) => this.control(event));
  private isStopped = false;
  private isBuffering = false;
  readonly subscribers: Set<string>;
  isClosed = false;
  private wasOpen = false;

  constructor(
    readonly id: string,
    readonly app: string,
    url: string,
    private readonly parts: MediaParts,
  ) {
    this.subscribers = new Set([app]);
    this.socket = new WebSocket(url, 'media', { handshakeTimeout: 5_000 });
    this.socket.on('open', () => {
      this.wasOpen = true;
      this.control(
        `MEDIA_START connection_id:${id} channel:WebSocket/parley/${id} channel_id:${id} format:ulaw ` +
          `optimal_frame_size:${FRAME_BYTES} ptime:20`,
      );
      parts.started();
    });
    this.socket.on('message', (data: Buffer, isBinary) => this.receive(data, isBinary));
    this.socket.on('error', () => undefined);
    this.socket.on('close', () => this.close());
  }

  get isOpen(): boolean {
    return this.socket.readyState === WebSocket.OPEN;
  }

  describe(): object {
    return { id: this.id, name: `WebSocket/parley/${this.id}`, state: this.isOpen ? 'Up' : 'Down' };
  }

  play(): Buffer {
    if (this.isStopped && this.playback.frames < QUEUE.on) {
      this.isStopped = false;
      this.control('MEDIA_XON');
    }
    return this.playback.next();
  }

  send(audio: Buffer): void {
    if (this.isOpen) this.socket.send(audio, { binary: true });
  }

  lose(): void {
    this.socket.terminate();
  }

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.socket.close();
    this.parts.closed(this.wasOpen);
  }

  private receive(data: Buffer, isBinary: boolean): void {
    if (data.length > MAX_MESSAGE_BYTES) {
      this.parts.complain('a message is too large');
      this.close();
    } else if (isBinary) this.queue(data);
    else this.command(data.toString());
  }

  /** A message is taken as a whole, or not at all if the queue is full. */
  private queue(data: Buffer): void {
    const { playback } = this;
    if (playback.frames >= QUEUE.full) return this.parts.complain('audio is dropped: the queue is full');
    const rest = this.isBuffering ? 0 : data.length % FRAME_BYTES;
    if (data.length === 0 || rest > 0) this.parts.complain(`a message of ${data.length} bytes is no frame`);
    playback.add(data.subarray(0, data.length - rest));
    if (this.isStopped || playback.frames < QUEUE.off) return;
    this.isStopped = true;
    this.control('MEDIA_XOFF');
  }

  private command(text: string): void {
    const [command = '', argument = ''] = text.split(' ');
    if (command === 'MARK_MEDIA' && argument !== '')
      this.playback.mark(`MEDIA_MARK_PROCESSED correlation_id:${argument}`);
    else if (command === 'FLUSH_MEDIA') {
      // No event tells about the marks.
      this.playback.clear();
      this.isBuffering = false;
      this.parts.flushed();
    } else if (command === 'START_MEDIA_BUFFERING') this.isBuffering = true;
    else if (command === 'STOP_MEDIA_BUFFERING') {
      this.isBuffering = false;
      this.playback.fill();
      this.playback.mark(`MEDIA_BUFFERING_COMPLETED ${argument}`.trim());
    } else if (command === 'HANGUP') this.close();
    else this.parts.complain(`an unknown command ${command}`);
  }

  private control(text: string): void {
    if (this.isOpen) this.socket.send(text);
  }
}

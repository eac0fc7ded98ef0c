import { WebSocket } from 'ws';
import { FRAME_BYTES, Handset, type Person } from '../phone/handset';
import type { PhoneCallRecord } from '../phone/phone-stand-in';
import { Playback } from '../phone/playback';
import type { Ticks } from '../phone/ticks';

const MAX_MESSAGE_BYTES = 65_500;
const E164 = /^\+[1-9]\d{6,14}$/;
const CAUSES: Record<string, number> = {
  busy: 17,
  declines: 21,
  'no-answer': 19,
  'does-not-exist': 1,
  'network-fails': 38,
};

export interface ChannelParts {
  app: string;
  emit: (type: string, more?: object) => void;
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
  handset?: Handset;
  digits = '';
  transferredTo?: string;
  streams = 0;
  refusedAs?: string;
  private stopTicks: () => void = () => undefined;
  private timers: NodeJS.Timeout[] = [];
  private whenSettled: () => void = () => undefined;
  readonly settled = new Promise<void>((resolve) => (this.whenSettled = resolve));

  constructor(
    readonly id: string,
    readonly to: string,
    readonly from: string,
    private readonly person: Person,
    private readonly ticks: Ticks,
    private readonly parts: ChannelParts,
  ) {}

  describe(): object {
    return {
      ...{ id: this.id, name: `PJSIP/trunk-${this.id.slice(0, 8)}`, state: this.state },
      caller: { name: '', number: this.from.replace('+', '') },
      dialplan: { context: 'from-trunk', exten: this.to, app_name: 'Stasis', app_data: this.parts.app },
    };
  }

  dial(): void {
    this.state = 'Ringing';
    this.parts.emit('ChannelStateChange');
    const { phone = 'answers', ringMs = 20 } = this.person;
    this.after(ringMs, () => {
      // The trunk knows no such number.
      const cause = E164.test(this.to) ? CAUSES[phone] : 1;
      if (cause !== undefined) return this.destroy(cause, 'carrier');
      this.up();
      // The application gets an outgoing channel once it is answered.
      this.parts.emit('StasisStart', { args: [] });
    });
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
      this.up();
      this.whenSettled();
      return [204];
    }
    if (this.state !== 'Up') return [412, { message: 'Channel in invalid state' }];
    if (verb === 'POST dtmf') {
      const dtmf = query.get('dtmf') ?? '';
      if (!/^[0-9*#A-D]+$/.test(dtmf)) return [400, { message: 'DTMF is required' }];
      this.digits += dtmf;
      return [204];
    }
    if (verb === 'POST continue') {
      if (query.get('context') !== 'parley-transfer') return [400, { message: 'There is no such context' }];
      this.transferredTo = query.get('extension') ?? '';
      this.parts.gone();
      this.parts.emit('StasisEnd');
      this.after(50, () => this.destroy(16, 'person'));
      return [204];
    }
    return [404, { message: 'Invalid method' }];
  }

  destroy(cause: number, by: 'person' | 'runtime' | 'carrier'): void {
    if (this.isOver) return;
    this.isOver = true;
    this.endedBy = by;
    this.timers.forEach(clearTimeout);
    this.stopTicks();
    this.whenSettled();
    this.parts.emit('ChannelDestroyed', { cause, cause_txt: `Cause ${cause}` });
    this.parts.gone();
  }

  private up(): void {
    this.state = 'Up';
    this.handset = new Handset(this.person, {
      press: (digit) => this.parts.emit('ChannelDtmfReceived', { digit, duration_ms: 100 }),
      hangUp: () => this.destroy(16, 'person'),
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
  closed: () => void;
  flushed: () => void;
  complain: (sentence: string) => void;
}

/** A channel whose audio goes over a WebSocket. */
export class MediaChannel {
  private readonly socket: WebSocket;
  private readonly playback = new Playback((mark) =>
    this.control(`MEDIA_MARK_PROCESSED correlation_id:${mark}`),
  );
  private isClosed = false;

  constructor(
    readonly id: string,
    url: string,
    private readonly parts: MediaParts,
  ) {
    this.socket = new WebSocket(url, 'media', { handshakeTimeout: 5_000 });
    this.socket.on('open', () => {
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
    this.parts.closed();
  }

  private receive(data: Buffer, isBinary: boolean): void {
    if (data.length > MAX_MESSAGE_BYTES) this.parts.complain('a message is too large');
    else if (isBinary) this.playback.add(data);
    else {
      const [command = '', argument = ''] = data.toString().split(' ');
      if (command === 'MARK_MEDIA' && argument !== '') this.playback.mark(argument);
      else if (command === 'FLUSH_MEDIA') {
        this.playback.clear();
        this.parts.flushed();
      } else if (command !== 'HANGUP') this.parts.complain(`an unknown command ${command}`);
    }
  }

  private control(text: string): void {
    if (this.isOpen) this.socket.send(text);
  }
}

import { decodeMulaw, encodeMulaw } from '../../audio/mulaw';
import type { Clock } from '../../clock';
import { FrameOrder } from './frame-order';
import { type PhoneControls, PhoneSession } from './phone-session';
import type { StreamProtocol } from './stream-protocol';

/** A phone call whose audio comes over a media stream. */
export class AudioSession extends PhoneSession {
  readonly sampleRate = 8_000;
  private order = new FrameOrder();

  constructor(
    private readonly protocol: StreamProtocol,
    clock: Clock,
    controls: PhoneControls,
  ) {
    super(clock, controls);
  }

  frame(samples: Int16Array): void {
    this.send(this.protocol.media(encodeMulaw(samples), this.streamId ?? ''));
  }

  mark(name: string): void {
    this.send(this.protocol.mark(name, this.streamId ?? ''));
  }

  clear(): void {
    this.send(this.protocol.clear(this.streamId ?? ''));
  }

  protected opened(): void {
    this.order = new FrameOrder();
  }

  protected received(data: Buffer, isBinary: boolean): void {
    const frame = this.protocol.read(data, isBinary);
    if (frame?.event === 'media') this.hear(frame.payload, frame.chunk);
    if (frame?.event === 'dtmf') this.dtmf(frame.digit);
    if (frame?.event === 'stop') this.stopped();
  }

  private hear(payload: Uint8Array, chunk?: number): void {
    const due = chunk === undefined ? [payload] : this.order.push(chunk, payload);
    for (const audio of due) this.listener?.media(decodeMulaw(audio));
  }
}

import type { Readable } from 'node:stream';
import type { Clock } from '../clock';
import { FRAME_MS } from './voice-activity';
import { StereoWavWriter } from './wav';

export const RECORDING_RATE = 8_000;
const FRAME = (RECORDING_RATE * FRAME_MS) / 1_000;
/** Older audio cannot be taken back by an interruption, and goes to the disk. */
const KEPT_SLOTS = 1_000 / FRAME_MS;
const SILENCE = new Int16Array(FRAME);

/** Records both sides of a call on one clock. */
export class Recorder {
  private readonly person = new Map<number, Int16Array>();
  private readonly agent = new Map<number, Int16Array>();
  private readonly start: number;
  private written = 0;
  private lastPerson = -1;

  private constructor(
    private readonly file: StereoWavWriter,
    private readonly clock: Clock,
  ) {
    this.start = clock.now();
  }

  static async create(clock: Clock, maxBytes: number): Promise<Recorder> {
    return new Recorder(await StereoWavWriter.create(RECORDING_RATE, maxBytes), clock);
  }

  /** A frame of the person, now. Frames that come together follow each other. */
  hear(frame: Int16Array): void {
    const now = this.toSlot(this.clock.now());
    const next = this.lastPerson + 1;
    this.lastPerson = Math.abs(next - now) > KEPT_SLOTS / 2 ? now : next;
    this.put(this.person, this.lastPerson, frame);
  }

  /** A frame of the agent, when it is played. */
  say(frame: Int16Array, playedAt: number): void {
    this.put(this.agent, this.toSlot(playedAt), frame);
  }

  /** The agent's frames from now on were not played. */
  clear(): void {
    const now = this.toSlot(this.clock.now());
    for (const slot of this.agent.keys()) if (slot >= now) this.agent.delete(slot);
  }

  get seconds(): number {
    return this.file.seconds;
  }

  get isFull(): boolean {
    return this.file.isFull;
  }

  /** @returns the recording as a WAV file @throws Error if the disk did not take it */
  finish(): Promise<Readable> {
    this.flush(this.toSlot(this.clock.now()));
    return this.file.finish();
  }

  /** Removes the recording. */
  close(): Promise<void> {
    return this.file.close();
  }

  private toSlot(time: number): number {
    return Math.floor((time - this.start) / FRAME_MS);
  }

  private put(side: Map<number, Int16Array>, slot: number, frame: Int16Array): void {
    if (slot >= this.written) side.set(slot, frame);
    this.flush(this.toSlot(this.clock.now()) - KEPT_SLOTS);
  }

  private flush(until: number): void {
    for (; this.written < until; this.written++) {
      this.file.write(this.person.get(this.written) ?? SILENCE, this.agent.get(this.written) ?? SILENCE);
      this.person.delete(this.written);
      this.agent.delete(this.written);
    }
  }
}

import type { Readable } from 'node:stream';
import type { Clock } from '../clock';
import { RECORDING_RATE, type Tap, TwoSides } from './two-sides';
import { StereoWavWriter } from './wav';

/** Older audio cannot be taken back by an interruption, and goes to the disk. */
const KEPT_MS = 1_000;

/** Records both sides of a call on one clock. */
export class Recorder implements Tap {
  readonly isOpen = true;
  private readonly sides: TwoSides;

  private constructor(
    private readonly file: StereoWavWriter,
    clock: Clock,
  ) {
    this.sides = new TwoSides(clock, KEPT_MS, (person, agent) => file.write(person, agent));
  }

  static async create(clock: Clock, maxBytes: number): Promise<Recorder> {
    return new Recorder(await StereoWavWriter.create(RECORDING_RATE, maxBytes), clock);
  }

  hear(frame: Int16Array): void {
    this.sides.hear(frame);
  }

  say(frame: Int16Array, playedAt: number): void {
    this.sides.say(frame, playedAt);
  }

  clear(): void {
    this.sides.clear();
  }

  get seconds(): number {
    return this.file.seconds;
  }

  get isFull(): boolean {
    return this.file.isFull;
  }

  /** @returns the recording as a WAV file @throws Error if the disk did not take it */
  finish(): Promise<Readable> {
    this.sides.finish();
    return this.file.finish();
  }

  /** Removes the recording. */
  close(): Promise<void> {
    return this.file.close();
  }
}

import type { Clock } from '../clock';
import { FRAME_MS } from './voice-activity';

/** The rate of the audio of both sides. */
export const RECORDING_RATE = 8_000;
const FRAME = (RECORDING_RATE * FRAME_MS) / 1_000;
const SILENCE = new Int16Array(FRAME);

/** Gets the audio of both sides of a call, in frames at {@link RECORDING_RATE}. */
export interface Tap {
  /** Whether it needs the audio now. */
  readonly isOpen: boolean;
  /** A frame of the person, now. Frames that come together follow each other. */
  hear(frame: Int16Array): void;
  /** A frame of the agent, when it is played. */
  say(frame: Int16Array, playedAt: number): void;
  /** The agent's frames from now on were not played. */
  clear(): void;
}

/** Puts both sides of a call on one clock. */
export class TwoSides {
  private readonly person = new Map<number, Int16Array>();
  private readonly agent = new Map<number, Int16Array>();
  private readonly start: number;
  private readonly keptSlots: number;
  private written = 0;
  private lastPerson = -1;

  /** @param keptMs the time for which audio can be taken back, or come late */
  constructor(
    private readonly clock: Clock,
    keptMs: number,
    private readonly write: (person: Int16Array, agent: Int16Array) => void,
  ) {
    this.start = clock.now();
    this.keptSlots = keptMs / FRAME_MS;
  }

  hear(frame: Int16Array): void {
    const now = this.toSlot(this.clock.now());
    const next = this.lastPerson + 1;
    this.lastPerson = Math.abs(next - now) > this.keptSlots / 2 ? now : next;
    this.put(this.person, this.lastPerson, frame);
  }

  say(frame: Int16Array, playedAt: number): void {
    this.put(this.agent, this.toSlot(playedAt), frame);
  }

  clear(): void {
    const now = this.toSlot(this.clock.now());
    for (const slot of this.agent.keys()) if (slot >= now) this.agent.delete(slot);
  }

  /** Writes what cannot change any more. */
  advance(): void {
    this.flush(this.toSlot(this.clock.now()) - this.keptSlots);
  }

  /** Writes everything up to now. */
  finish(): void {
    this.flush(this.toSlot(this.clock.now()));
  }

  private toSlot(time: number): number {
    return Math.floor((time - this.start) / FRAME_MS);
  }

  private put(side: Map<number, Int16Array>, slot: number, frame: Int16Array): void {
    if (slot >= this.written) side.set(slot, frame);
    this.advance();
  }

  private flush(until: number): void {
    for (; this.written < until; this.written++) {
      this.write(this.person.get(this.written) ?? SILENCE, this.agent.get(this.written) ?? SILENCE);
      this.person.delete(this.written);
      this.agent.delete(this.written);
    }
  }
}

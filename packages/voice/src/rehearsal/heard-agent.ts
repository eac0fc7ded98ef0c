import { FRAME_MS } from '../audio/voice-activity';
import type { Line } from '../conversation/contract';
import type { Clock } from '../clock';

interface Interruption {
  startedAt: number;
  until: number;
}

/** The agent as the person hears it, and how long it goes on when it is interrupted. */
export class HeardAgent implements Pick<Line, 'frame' | 'clear' | 'state'> {
  /** The words of its last turn. */
  lastTurn = '';
  /** The number of its turns that have begun. */
  begun = 0;
  /** The beginning of its present turn; undefined: it has none. */
  speaksSince?: number;
  private soundsUntil = 0;
  private interruption?: Interruption;
  private longestMs?: number;
  private hasGoneOn = false;

  constructor(private readonly clock: Clock) {}

  /** The longest time to its silence; null: nobody has interrupted it, or it went on. */
  get interruptedMs(): number | null {
    if (this.hasGoneOn || this.interruption) return null;
    return this.longestMs === undefined ? null : Math.round(this.longestMs);
  }

  /** The person begins to speak into its words, for this time. */
  interrupted(ms: number): void {
    const startedAt = this.clock.now();
    this.interruption = { startedAt, until: startedAt + ms };
  }

  // These are passed on without the object.
  readonly frame = (): void => {
    this.soundsUntil = Math.max(this.clock.now(), this.soundsUntil) + FRAME_MS;
  };

  /** A frame in which nothing of it is heard. Its last words may be heard later than they are counted as played. */
  quiet(): void {
    if (this.speaksSince === undefined && this.soundsUntil <= this.clock.now()) this.endInterruption(false);
  }

  readonly clear = (): void => {
    this.soundsUntil = this.clock.now();
    this.endInterruption(true);
  };

  readonly state = (state: Parameters<Line['state']>[0]): void => {
    if (state === 'speaking') {
      this.begun++;
      this.speaksSince = this.clock.now();
      return;
    }
    this.speaksSince = undefined;
    // Words that were sent and not played are cleared next.
    if (this.soundsUntil <= this.clock.now()) this.endInterruption(false);
  };

  /** @param isCut whether its words were stopped */
  private endInterruption(isCut: boolean): void {
    const { interruption } = this;
    if (!interruption) return;
    this.interruption = undefined;
    const { startedAt, until } = interruption;
    if (!isCut && this.soundsUntil > until) this.hasGoneOn = true;
    else this.longestMs = Math.max(this.longestMs ?? 0, this.soundsUntil - startedAt);
  }
}

import { BeepDetector } from '../audio/tone';
import { FRAME_MS } from '../audio/voice-activity';
import type { Plan } from '../agent/plan';
import type { Clock } from '../clock';

/** Later in a call nobody is taken for a machine. */
const LOOKS_FOR_MS = 60_000;
/** Persons say "Hello?". Who speaks for this long without a pause is a recorded greeting. */
const LONG_GREETING_MS = 4_000;
/** A greeting begins at once. */
const BEGINS_WITHIN_MS = 3_000;
const PAUSE_MS = 700;

const PHRASES =
  /leave (me |us )?(a|your) (short |brief )?(message|name)|(after|at) the (tone|beep)|voice ?mail|mail ?box|record your message|(can't|cannot|can not|unable to) (come to|take|answer) (the phone|your call)|(person|number|customer|subscriber|party)[^.?!]{0,40} (is|are) (not available|unavailable)/i;

/** Tells a voicemail from a person in the first minute of a call. */
export class AnsweringMachine {
  private readonly beep: BeepDetector;
  private readonly startedAt: number;
  private spokenMs = 0;
  private silentMs = 0;
  private greeting: 'awaited' | 'heard' | 'over' = 'awaited';

  constructor(
    private readonly by: Readonly<NonNullable<Plan['voicemail']>['by']>,
    sampleRate: number,
    private readonly clock: Clock,
  ) {
    this.beep = new BeepDetector(sampleRate);
    this.startedAt = clock.now();
  }

  /** @param voice whether somebody speaks now */
  frame(frame: Int16Array, voice: boolean): 'machine' | 'beep' | undefined {
    if (this.elapsedMs > LOOKS_FOR_MS || !this.by.includes('audio')) return undefined;
    if (this.beep.frame(frame)) return 'beep';
    return this.isLong(voice) ? 'machine' : undefined;
  }

  /** @param text what was recognised, also of an utterance that goes on */
  heard(text: string): 'machine' | undefined {
    const looks = this.elapsedMs <= LOOKS_FOR_MS && this.by.includes('transcript');
    return looks && PHRASES.test(text) ? 'machine' : undefined;
  }

  private get elapsedMs(): number {
    return this.clock.now() - this.startedAt;
  }

  private isLong(voice: boolean): boolean {
    if (this.greeting === 'over') return false;
    if (this.greeting === 'awaited') {
      if (voice) this.greeting = 'heard';
      else if (this.elapsedMs > BEGINS_WITHIN_MS) this.greeting = 'over';
    }
    if (this.greeting !== 'heard') return false;
    this.silentMs = voice ? 0 : this.silentMs + FRAME_MS;
    this.spokenMs += FRAME_MS;
    const isLong = this.spokenMs - this.silentMs >= LONG_GREETING_MS;
    if (isLong || this.silentMs >= PAUSE_MS) this.greeting = 'over';
    return isLong;
  }
}

/** The duration of a frame, by which audio is looked at. */
export const FRAME_MS = 20;

export interface VoiceActivityOptions {
  /** The voice within {@link ONSET_WINDOW_MS} that is the start of speech. */
  onsetMs?: number;
  /** The silence that is a pause. */
  pauseMs?: number;
}

const ONSET_WINDOW_MS = 120;
/** Speech is this much louder than the noise of the line. */
const OVER_NOISE = 3;
/** The quietest frame of this time is taken as the noise of the line, because speech has a pause within it. */
const NOISE_WINDOW_MS = 2_000;
/** Below it, nothing is speech: about -50 dB. */
const MIN_LEVEL = 100;
/** Noise of the line never counts as so loud that a person would have to shout. */
const MAX_NOISE = 800;

export type VoiceChange = 'started' | 'paused' | undefined;

/**
 * Tells voice from silence by its level over the noise of the line. It needs no model, and an attack of noise that it
 * takes for speech is recognised as an empty text later.
 */
export class VoiceActivity {
  /** Whether the person speaks now. */
  active = false;
  /** The amount of silence in the last frames. */
  silentMs = 0;
  private readonly levels: number[] = [];
  private readonly recent: boolean[] = [];
  private readonly onsetMs: number;
  private readonly pauseMs: number;

  constructor({ onsetMs = 60, pauseMs = 100 }: VoiceActivityOptions = {}) {
    this.onsetMs = onsetMs;
    this.pauseMs = pauseMs;
  }

  /** @param frame of {@link FRAME_MS} */
  frame(frame: Int16Array): VoiceChange {
    const level = measureLevel(frame);
    const loud = level > Math.max(MIN_LEVEL, this.noise() * OVER_NOISE);
    this.levels.push(level);
    if (this.levels.length > NOISE_WINDOW_MS / FRAME_MS) this.levels.shift();
    this.silentMs = loud ? 0 : this.silentMs + FRAME_MS;
    this.recent.push(loud);
    if (this.recent.length > ONSET_WINDOW_MS / FRAME_MS) this.recent.shift();
    if (!this.active && this.recent.filter(Boolean).length * FRAME_MS >= this.onsetMs && loud) {
      this.active = true;
      return 'started';
    }
    if (this.active && this.silentMs >= this.pauseMs) {
      this.active = false;
      this.recent.length = 0;
      return 'paused';
    }
    return undefined;
  }

  /** Nothing is known of the line in the first tenth of a second. */
  private noise(): number {
    return this.levels.length < 5 ? 0 : Math.min(MAX_NOISE, ...this.levels);
  }
}

/** The root of the mean square. */
export function measureLevel(frame: Int16Array): number {
  let sum = 0;
  for (const sample of frame) sum += sample * sample;
  return frame.length === 0 ? 0 : Math.sqrt(sum / frame.length);
}

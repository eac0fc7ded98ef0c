import { FRAME_MS, measureLevel } from './voice-activity';

/** The beep of a voicemail has one frequency between these. */
const LOWEST_HZ = 400;
const HIGHEST_HZ = 1_700;
const LEAST_MS = 160;
/** A beep keeps its frequency from frame to frame; a voice does not. */
const DRIFT_HZ = 15;
const LEAST_LEVEL = 500;
/** The share of the energy that is not in the tone. Speech and chords have more. */
const MOST_REST = 0.02;

/** Finds the beep after which a voicemail records. */
export class BeepDetector {
  private frequency?: number;
  private heardMs = 0;

  constructor(private readonly sampleRate: number) {}

  /** @param frame of {@link FRAME_MS} @returns whether a beep was heard up to here, and is over now */
  frame(frame: Int16Array): boolean {
    const frequency = findTone(frame, this.sampleRate);
    const goesOn = frequency !== undefined && Math.abs(frequency - (this.frequency ?? frequency)) <= DRIFT_HZ;
    const isOver = !goesOn && this.heardMs >= LEAST_MS;
    this.heardMs = goesOn ? this.heardMs + FRAME_MS : 0;
    this.frequency = frequency;
    return isOver;
  }
}

/**
 * The frequency of a frame that is one tone: each sample of it is the mean of its neighbours, divided by the cosine of
 * the angle between two samples.
 */
function findTone(frame: Int16Array, sampleRate: number): number | undefined {
  if (measureLevel(frame) < LEAST_LEVEL) return undefined;
  let [product, energy] = [0, 0];
  for (let index = 1; index + 1 < frame.length; index++) {
    const [before, sample, after] = [frame[index - 1] ?? 0, frame[index] ?? 0, frame[index + 1] ?? 0];
    product += sample * (before + after);
    energy += sample * sample;
  }
  const cosine = product / (2 * energy);
  if (Math.abs(cosine) >= 1) return undefined;
  let rest = 0;
  for (let index = 1; index + 1 < frame.length; index++) {
    rest += ((frame[index - 1] ?? 0) + (frame[index + 1] ?? 0) - 2 * cosine * (frame[index] ?? 0)) ** 2;
  }
  const frequency = (Math.acos(cosine) * sampleRate) / (2 * Math.PI);
  const isTone = rest / energy < MOST_REST * 4 * (1 - cosine * cosine);
  return isTone && frequency >= LOWEST_HZ && frequency <= HIGHEST_HZ ? frequency : undefined;
}

/** Places whose noise can be played behind the agent's voice. */
export const PLACES = ['office', 'cafe', 'street', 'call-center'] as const;
export type Place = (typeof PLACES)[number];

/** Longer than anybody notices a repetition, short enough to be made at the start of a call. */
const LOOP_SECONDS = 8;
/** While the agent speaks, the noise is this much quieter. */
const DUCKED = 0.5;

/** The noise of a place: its colour, and the number of voices that murmur in it. */
const SOUNDS: Record<Place, { lowPassHz: number; highPassHz: number; murmurs: number; swell: number }> = {
  office: { lowPassHz: 500, highPassHz: 60, murmurs: 1, swell: 0.2 },
  cafe: { lowPassHz: 1_800, highPassHz: 200, murmurs: 6, swell: 0.3 },
  street: { lowPassHz: 350, highPassHz: 40, murmurs: 0, swell: 0.7 },
  'call-center': { lowPassHz: 2_400, highPassHz: 300, murmurs: 9, swell: 0.1 },
};

/** The endless noise of a place, made by this program from random numbers. */
export class Ambience {
  private at = 0;

  private constructor(private readonly loop: Int16Array) {}

  /** @param level of its root mean square, in dB below the loudest sound; -30 is usual */
  static of(place: Place, level: number, sampleRate: number): Ambience {
    return new Ambience(generateLoop(place, 32_768 * 10 ** (level / 20), sampleRate));
  }

  /** The next stretch of noise. */
  next(length: number): Int16Array {
    const samples = new Int16Array(length);
    for (let index = 0; index < length; index++) samples[index] = this.sample();
    return samples;
  }

  /** Speech with the next stretch of the noise behind it. */
  behind(speech: Int16Array): Int16Array {
    return speech.map((sample) =>
      Math.max(-32_768, Math.min(32_767, Math.round(sample + this.sample() * DUCKED))),
    );
  }

  private sample(): number {
    const sample = this.loop[this.at] ?? 0;
    this.at = (this.at + 1) % this.loop.length;
    return sample;
  }
}

function generateLoop(place: Place, level: number, sampleRate: number): Int16Array {
  const { lowPassHz, highPassHz, murmurs, swell } = SOUNDS[place];
  const random = randomNumbers(place.length);
  const length = LOOP_SECONDS * sampleRate;
  const low = 1 - Math.exp((-2 * Math.PI * lowPassHz) / sampleRate);
  const high = 1 - Math.exp((-2 * Math.PI * highPassHz) / sampleRate);
  // Whole cycles within the loop, so that it has no seam.
  const cycles = Array.from({ length: murmurs + 1 }, (_, index) => ({
    count: index === 0 ? 1 : Math.round((2 + 4 * random()) * LOOP_SECONDS),
    phase: 2 * Math.PI * random(),
  }));
  const noise = new Float32Array(length);
  let [slow, slower] = [0, 0];
  for (let index = 0; index < length; index++) {
    slow += low * (2 * random() - 1 - slow);
    slower += high * (slow - slower);
    const [tide, ...voices] = cycles.map(({ count, phase }) =>
      Math.sin(phase + (2 * Math.PI * count * index) / length),
    );
    const murmur = voices.reduce((sum, voice) => sum + Math.max(0, voice), 0);
    noise[index] = (slow - slower) * (1 + swell * (tide ?? 0)) * (1 + murmur);
  }
  const rms = Math.sqrt(noise.reduce((sum, sample) => sum + sample * sample, 0) / length);
  return Int16Array.from(noise, (sample) =>
    Math.max(-32_768, Math.min(32_767, Math.round((sample / rms) * level))),
  );
}

/** The same numbers each time, so that a recording can be compared. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Zero crossings of the filter on each side. 16 keep speech free of audible aliases. */
const CROSSINGS = 16;

/**
 * Changes the sample rate of a stream by a windowed sinc filter, one part after the other. Its delay is 16 samples of
 * the lower rate.
 */
export class Resampler {
  private readonly step: number;
  private readonly phases: Float32Array[];
  private readonly up: number;
  private readonly down: number;
  /** Samples that the next outputs need again. */
  private history: Float32Array;
  /** The place of the next output, in steps of 1/up of an input sample after the start of the history. */
  private position = 0;

  constructor(from: number, to: number) {
    const divisor = greatestCommonDivisor(from, to);
    this.up = to / divisor;
    this.down = from / divisor;
    const cutoff = Math.min(1, to / from);
    this.step = Math.ceil(CROSSINGS / cutoff);
    this.history = new Float32Array(2 * this.step - 1);
    this.phases = Array.from({ length: this.up }, (_, phase) => filter(phase / this.up, this.step, cutoff));
  }

  /** Each input sample is in the result of this call or of the next one. */
  process(samples: Int16Array): Int16Array {
    if (this.up === this.down) return samples;
    const input = new Float32Array(this.history.length + samples.length);
    input.set(this.history);
    input.set(samples, this.history.length);
    const taps = 2 * this.step;
    const output: number[] = [];
    for (; Math.floor(this.position / this.up) + taps <= input.length; this.position += this.down) {
      const start = Math.floor(this.position / this.up);
      const weights = this.phases[this.position % this.up] as Float32Array;
      let sum = 0;
      for (let tap = 0; tap < taps; tap++) sum += (input[start + tap] as number) * (weights[tap] as number);
      output.push(Math.max(-32_768, Math.min(32_767, Math.round(sum))));
    }
    const used = Math.floor(this.position / this.up);
    this.history = input.slice(used);
    this.position -= used * this.up;
    return Int16Array.from(output);
  }
}

/** The weights of the input samples around an output sample, which lies `fraction` after the middle one. */
function filter(fraction: number, half: number, cutoff: number): Float32Array {
  const weights = Float32Array.from({ length: 2 * half }, (_, index) => {
    const distance = index - (half - 1) - fraction;
    const sinc = distance === 0 ? 1 : Math.sin(Math.PI * distance * cutoff) / (Math.PI * distance * cutoff);
    const window = Math.abs(distance) >= half ? 0 : 0.5 + 0.5 * Math.cos((Math.PI * distance) / half);
    return sinc * window;
  });
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}

const greatestCommonDivisor = (a: number, b: number): number =>
  b === 0 ? a : greatestCommonDivisor(b, a % b);

/** A whole recording in another rate, without the delay of the filter. */
export function resample(samples: Int16Array, from: number, to: number): Int16Array {
  if (from === to) return samples;
  const resampler = new Resampler(from, to);
  const delay = Math.ceil(CROSSINGS * Math.max(1, from / to));
  const padded = new Int16Array(samples.length + delay);
  padded.set(samples);
  const output = resampler.process(padded);
  const length = Math.round((samples.length * to) / from);
  return output.slice(output.length - length);
}

/** Zero crossings of the filter on each side. 8 are enough for speech. */
const CROSSINGS = 8;

/** Changes the sample rate of a stream by a windowed sinc filter, one part after the other. */
export class Resampler {
  private readonly up: number;
  private readonly down: number;
  private readonly half: number;
  private readonly phases: Float32Array[];
  /** The samples that the next outputs need again. */
  private history: Float32Array;
  /** The place of the next output, in steps of 1/up of an input sample after the start of the history. */
  private position = 0;

  constructor(from: number, to: number) {
    const divisor = greatestCommonDivisor(from, to);
    this.up = to / divisor;
    this.down = from / divisor;
    const cutoff = Math.min(1, to / from);
    this.half = Math.ceil(CROSSINGS / cutoff);
    this.history = new Float32Array(2 * this.half - 1);
    this.phases = Array.from({ length: this.up }, (_, phase) =>
      computeWeights(phase / this.up, this.half, cutoff),
    );
  }

  process(samples: Float32Array): Float32Array {
    if (this.up === this.down) return samples;
    const input = new Float32Array(this.history.length + samples.length);
    input.set(this.history);
    input.set(samples, this.history.length);
    const output: number[] = [];
    for (;;) {
      const start = Math.floor(this.position / this.up);
      const weights = this.phases[this.position % this.up];
      if (!weights || start + weights.length > input.length) break;
      let sum = 0;
      for (let tap = 0; tap < weights.length; tap++) sum += (input[start + tap] ?? 0) * (weights[tap] ?? 0);
      output.push(sum);
      this.position += this.down;
    }
    const used = Math.floor(this.position / this.up);
    this.history = input.slice(used);
    this.position -= used * this.up;
    return Float32Array.from(output);
  }
}

/** The weights of the input samples around an output sample, which lies `fraction` after the middle one. */
function computeWeights(fraction: number, half: number, cutoff: number): Float32Array {
  const weights = Float32Array.from({ length: 2 * half }, (_, index) => {
    const distance = index - (half - 1) - fraction;
    const angle = Math.PI * distance * cutoff;
    const sinc = angle === 0 ? 1 : Math.sin(angle) / angle;
    const window = Math.abs(distance) >= half ? 0 : 0.5 + 0.5 * Math.cos((Math.PI * distance) / half);
    return sinc * window;
  });
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}

const greatestCommonDivisor = (a: number, b: number): number =>
  b === 0 ? a : greatestCommonDivisor(b, a % b);

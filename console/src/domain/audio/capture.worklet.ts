import { FRAME, RATE, toPcm } from './pcm';
import { Resampler } from './resampler';

/** Replaces the 128 samples of a microphone that gives none. */
const SILENCE = new Float32Array(128);

/** Sends the microphone to the page in frames of 20 ms. */
class Capture extends AudioWorkletProcessor {
  private readonly resampler = new Resampler(sampleRate, RATE);
  private frame = new Int16Array(FRAME);
  private filled = 0;

  process([input]: Float32Array[][]): boolean {
    for (const sample of toPcm(this.resampler.process(input?.[0] ?? SILENCE))) {
      this.frame[this.filled++] = sample;
      if (this.filled < FRAME) continue;
      this.port.postMessage(this.frame, [this.frame.buffer]);
      this.frame = new Int16Array(FRAME);
      this.filled = 0;
    }
    return true;
  }
}

registerProcessor('capture', Capture);

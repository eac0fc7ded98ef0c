/** Signed 16-bit samples of one channel. */
export interface Audio {
  samples: Int16Array;
  sampleRate: number;
}

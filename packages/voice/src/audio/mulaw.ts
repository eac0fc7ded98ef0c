/** G.711 μ-law: one byte a sample, as telephones send it. */

const BIAS = 0x84;
const CLIP = 32_635;

const DECODED = Int16Array.from({ length: 256 }, (_, byte) => {
  const value = ~byte & 0xff;
  const magnitude = (((value & 0x0f) << 3) + BIAS) << ((value & 0x70) >> 4);
  return value & 0x80 ? BIAS - magnitude : magnitude - BIAS;
});

const ENCODED = Uint8Array.from({ length: 65_536 }, (_, index) => encodeSample(index - 32_768));

function encodeSample(sample: number): number {
  const sign = sample < 0 ? 0x80 : 0;
  const magnitude = Math.min(Math.abs(sample), CLIP) + BIAS;
  const exponent = 31 - Math.clz32(magnitude) - 7;
  return ~(sign | (exponent << 4) | ((magnitude >> (exponent + 3)) & 0x0f)) & 0xff;
}

export function decodeMulaw(bytes: Uint8Array): Int16Array {
  const samples = new Int16Array(bytes.length);
  for (let index = 0; index < bytes.length; index++) samples[index] = DECODED[bytes[index] ?? 0] ?? 0;
  return samples;
}

export function encodeMulaw(samples: Int16Array): Uint8Array {
  const bytes = new Uint8Array(samples.length);
  for (let index = 0; index < samples.length; index++) {
    bytes[index] = ENCODED[(samples[index] ?? 0) + 32_768] ?? 0;
  }
  return bytes;
}

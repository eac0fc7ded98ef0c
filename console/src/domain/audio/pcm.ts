/** The rate of the audio between the page and the runtime. */
export const RATE = 16_000;
/** The samples of 20 ms. */
export const FRAME = RATE / 50;

/** 16 bits, little endian as every machine with a browser, in Base64. */
export const encodePcm = (samples: Int16Array): string =>
  btoa(
    Array.from(new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength), (byte) =>
      String.fromCharCode(byte),
    ).join(''),
  );

/** @returns undefined if the text is not audio */
export function decodePcm(payload: string): Int16Array<ArrayBuffer> | undefined {
  let bytes: string;
  try {
    bytes = atob(payload);
  } catch {
    return undefined;
  }
  if (bytes.length % 2 !== 0) return undefined;
  return new Int16Array(Uint8Array.from(bytes, (char) => char.charCodeAt(0)).buffer);
}

export const toPcm = (samples: Float32Array) =>
  Int16Array.from(samples, (sample) => Math.max(-32_768, Math.min(32_767, Math.round(sample * 32_768))));

export const fromPcm = (samples: Int16Array) => Float32Array.from(samples, (sample) => sample / 32_768);

import { createPeakMeter, readWavHeader, type WavFormat } from './wav-peaks';

/** A WAV file. @param samples of the channels in turn, from -1 to 1 */
function createWav(channels: number, samples: number[], { bits = 16, dataLength = samples.length * 2 } = {}) {
  const bytes = new Uint8Array(12 + 24 + 12 + 8 + samples.length * 2);
  const view = new DataView(bytes.buffer);
  const write = (at: number, tag: string) =>
    bytes.set(
      [...tag].map((letter) => letter.charCodeAt(0)),
      at,
    );
  write(0, 'RIFF');
  write(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, channels, true);
  view.setUint32(24, 8_000, true);
  view.setUint16(34, bits, true);
  // A chunk that says something else, with an odd length.
  write(36, 'LIST');
  view.setUint32(40, 3, true);
  write(48, 'data');
  view.setUint32(52, dataLength, true);
  samples.forEach((sample, index) => view.setInt16(56 + 2 * index, sample * 32_767, true));
  return bytes;
}

const readPeaks = (file: Uint8Array, parts: number, pieces: number) => {
  const format = readWavHeader(file, file.length) as WavFormat;
  const meter = createPeakMeter(format, parts);
  for (let at = format.start; at < file.length; at += pieces) meter.add(file.subarray(at, at + pieces));
  return meter.getPeaks().map((channel) => channel.map((peak) => Math.round(peak * 100) / 100));
};

test('each side of a recording has its loudest samples, however the file is cut into pieces', () => {
  const file = createWav(2, [0.1, -0.9, 0.2, 0.3, -0.5, 0, 0.4, -1]);
  for (const pieces of [1, 3, 4, 100]) {
    expect(readPeaks(file, 2, pieces)).toEqual([
      [0.2, 0.5],
      [0.9, 1],
    ]);
  }
});

test('a header that has not arrived, and a length that was never written, are known', () => {
  const file = createWav(1, [0.5, 0.25], { dataLength: 0xffff_ffff });
  expect(readWavHeader(file.subarray(0, 40), file.length)).toBe('more');
  expect(readWavHeader(file, file.length)).toMatchObject({ channels: 1, rate: 8_000, length: 4 });
  expect(readPeaks(file, 4, 8)).toEqual([[0.5, 0, 0.25, 0]]);
});

test('other formats are left to the browser', () => {
  expect(readWavHeader(createWav(1, [0], { bits: 8 }), 100)).toBeUndefined();
  expect(readWavHeader(new TextEncoder().encode('ID3 an MP3 file'), 100)).toBeUndefined();
});

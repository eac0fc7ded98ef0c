import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readWav, StereoWavWriter, wavHeader } from './wav';

test('the person is left, the agent right, and the header has the length', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-wav-'));
  try {
    const writer = await StereoWavWriter.create(join(folder, 'call.wav'), 8_000, 1_000);
    writer.write(Int16Array.of(1, 2), Int16Array.of(-1, -2));
    await writer.close();
    const file = readFileSync(join(folder, 'call.wav'));
    expect(file.subarray(0, 44)).toEqual(wavHeader(2, 8_000, 8));
    expect([44, 46, 48, 50].map((at) => file.readInt16LE(at))).toEqual([1, -1, 2, -2]);
    expect(file).toHaveLength(52);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a file that is no 16-bit mono WAV is refused', () => {
  expect(() => readWav(Buffer.from('nothing'))).toThrow('not a WAV file');
  expect(() => readWav(wavHeader(2, 8_000, 0))).toThrow('not 16-bit mono');
});

test('a recording stops at its limit', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-wav-'));
  try {
    const writer = await StereoWavWriter.create(join(folder, 'call.wav'), 8_000, 16);
    for (let part = 0; part < 10; part++) writer.write(new Int16Array(2), new Int16Array(2));
    expect(writer.isFull).toBe(true);
    await writer.close();
    expect(readFileSync(join(folder, 'call.wav'))).toHaveLength(44 + 16);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

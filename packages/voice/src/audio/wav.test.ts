import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { buffer } from 'node:stream/consumers';
import { readWav, StereoWavWriter, wavHeader } from './wav';

test('the person is left, the agent right, and the header has the length', async () => {
  const writer = await StereoWavWriter.create(8_000, 1_000);
  writer.write(Int16Array.of(1, 2), Int16Array.of(-1, -2));
  const file = await buffer(await writer.finish());
  await writer.close();
  expect(file.subarray(0, 44)).toEqual(wavHeader(2, 8_000, 8));
  expect([44, 46, 48, 50].map((at) => file.readInt16LE(at))).toEqual([1, -1, 2, -2]);
  expect(file).toHaveLength(52);
});

test('a file that is no 16-bit mono WAV is refused', () => {
  expect(() => readWav(Buffer.from('nothing'))).toThrow('not a WAV file');
  expect(() => readWav(wavHeader(2, 8_000, 0))).toThrow('not 16-bit mono');
});

test('a recording stops at its limit', async () => {
  const writer = await StereoWavWriter.create(8_000, 16);
  for (let part = 0; part < 10; part++) writer.write(new Int16Array(2), new Int16Array(2));
  expect(writer.isFull).toBe(true);
  expect(await buffer(await writer.finish())).toHaveLength(44 + 16);
  await writer.close();
});

test('a recording that goes on has no name on the disk, so that a killed process leaves none', async () => {
  const named = () => readdirSync(tmpdir()).filter((name) => name.startsWith('parley-voice-'));
  const before = named();
  const writer = await StereoWavWriter.create(8_000, 1_000);
  writer.write(Int16Array.of(1, 2), Int16Array.of(-1, -2));
  expect(named().filter((name) => !before.includes(name))).toEqual([]);
  await writer.close();
});

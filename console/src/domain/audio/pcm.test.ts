import { decodePcm, encodePcm, fromPcm, toPcm } from './pcm';

test('audio survives the way to the runtime and back', () => {
  const samples = Int16Array.of(0, 1, -1, 32_767, -32_768);
  expect(encodePcm(Int16Array.of(1, -2))).toBe(Buffer.from([1, 0, 0xfe, 0xff]).toString('base64'));
  expect(decodePcm(encodePcm(samples))).toEqual(samples);
  expect(toPcm(fromPcm(samples))).toEqual(samples);
});

test('too loud samples are cut, and do not turn over', () => {
  expect(toPcm(Float32Array.of(1.5, -1.5))).toEqual(Int16Array.of(32_767, -32_768));
});

test.each(['%', 'AAAA'])('%s is no audio', (payload) => {
  expect(decodePcm(payload)).toBeUndefined();
});

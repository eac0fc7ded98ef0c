import { decodeMulaw, encodeMulaw } from './mulaw';

test('silence and the loudest samples have the bytes of G.711', () => {
  expect([...encodeMulaw(Int16Array.of(0, 32_767, -32_768, 1_000, -1_000))]).toEqual([
    0xff, 0x80, 0x00, 0xce, 0x4e,
  ]);
});

test('every byte is read as the sample that is written as that byte', () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  const written = encodeMulaw(decodeMulaw(bytes));
  // There are two zeros; the positive one is written.
  expect([...written]).toEqual([...bytes].map((byte) => (byte === 0x7f ? 0xff : byte)));
});

test('a sample changes by less than a sixteenth of its size', () => {
  const samples = Int16Array.from({ length: 65_536 }, (_, index) =>
    Math.max(-32_635, Math.min(32_635, index - 32_768)),
  );
  const errors = decodeMulaw(encodeMulaw(samples)).map((sample, index) => {
    const original = samples[index] ?? 0;
    return Math.abs(sample - original) > Math.abs(original) / 16 + 5 ? 1 : 0;
  });
  expect(errors.filter((error) => error === 1)).toHaveLength(0);
});

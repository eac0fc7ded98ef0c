import { createDemoRecording } from './demo-recording';

describe('A demo recording', () => {
  const ID = '019b76da-a800-7000-8000-00000000c0de';
  const readFile = (id: string, seconds: number) => {
    const { bytes, read } = createDemoRecording(id, seconds);
    return Buffer.concat([...read(0, bytes)]);
  };
  const wav = readFile(ID, 48);

  it('is a WAV file whose head fits its samples', () => {
    expect(wav.toString('latin1', 0, 4)).toBe('RIFF');
    expect(wav.toString('latin1', 8, 16)).toBe('WAVEfmt ');
    expect(wav.readUInt32LE(4)).toBe(wav.length - 8);
    expect(wav.readUInt32LE(40)).toBe(wav.length - 44);
    expect((wav.length - 44) / wav.readUInt32LE(28)).toBe(48);
  });

  it('can be heard', () => {
    const samples = wav.subarray(44).toSorted();
    expect(samples.at(-1)).toBeGreaterThan(180);
    expect(samples.at(0)).toBeLessThan(76);
  });

  it('is always the same for a call, and another one for another call', () => {
    expect(readFile(ID, 48)).toEqual(wav);
    expect(readFile('019b76da-a800-7000-8000-00000000c0df', 48)).not.toEqual(wav);
  });

  it('can be read in parts', () => {
    const { read } = createDemoRecording(ID, 48);
    expect(Buffer.concat([...read(40, 9_001)])).toEqual(wav.subarray(40, 9_001));
  });

  it.each([
    [0, 1],
    [1e9, 300],
  ])('of a call of %p seconds has %i seconds', (asked, seconds) => {
    expect(createDemoRecording(ID, asked).bytes).toBe(44 + seconds * 8_000);
  });
});

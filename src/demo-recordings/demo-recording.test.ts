import { DEMO_RECORDING_SECONDS, demoRecordingOf } from './demo-recording';

describe('A demo recording', () => {
  const wav = demoRecordingOf('019b76da-a800-7000-8000-00000000c0de');

  it('is a WAV file whose head fits its samples', () => {
    expect(wav.toString('latin1', 0, 4)).toBe('RIFF');
    expect(wav.toString('latin1', 8, 16)).toBe('WAVEfmt ');
    expect(wav.readUInt32LE(4)).toBe(wav.length - 8);
    expect(wav.readUInt32LE(40)).toBe(wav.length - 44);
    expect((wav.length - 44) / wav.readUInt32LE(28)).toBe(DEMO_RECORDING_SECONDS);
  });

  it('can be heard', () => {
    const samples = [...wav.subarray(44)];
    expect(Math.max(...samples)).toBeGreaterThan(180);
    expect(Math.min(...samples)).toBeLessThan(76);
  });

  it('is always the same for a call, and another one for another call', () => {
    expect(demoRecordingOf('019b76da-a800-7000-8000-00000000c0de')).toEqual(wav);
    expect(demoRecordingOf('019b76da-a800-7000-8000-00000000c0df')).not.toEqual(wav);
  });
});

import { createHash } from 'node:crypto';

const SAMPLE_RATE = 8_000;
const NOTES = 6;
const NOTE_SECONDS = 0.5;
const NOTE_SAMPLES = SAMPLE_RATE * NOTE_SECONDS;
const HEADER_BYTES = 44;

export const DEMO_RECORDING_SECONDS = NOTES * NOTE_SECONDS;

export const DEMO_RECORDINGS_PATH = '/demo/recordings';

/** Where the server has the demo recording of a call. @param publicUrl of the server */
export const demoRecordingUrl = (publicUrl: string, callId: string) =>
  `${publicUrl}${DEMO_RECORDINGS_PATH}/${callId}.wav`;

/** Hertz: the agent speaks low, the other one high. */
const VOICES = [
  [196, 220, 247, 262],
  [392, 440, 494, 523],
];

/** A note that fades in and out, as unsigned samples of 8 bits. */
function noteOf(frequency: number): Buffer {
  return Buffer.from(
    Array.from({ length: NOTE_SAMPLES }, (_, sample) => {
      const phase = (2 * Math.PI * frequency * sample) / SAMPLE_RATE;
      const loudness = Math.sin((Math.PI * sample) / NOTE_SAMPLES) ** 0.5;
      return Math.round(128 + 70 * loudness * (0.8 * Math.sin(phase) + 0.2 * Math.sin(2 * phase)));
    }),
  );
}

const NOTES_OF_VOICES = VOICES.map((voice) => voice.map(noteOf));

/** The head of a WAV file with one channel of 8 bits. */
function headerOf(samples: number): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.write('RIFF', 0);
  header.writeUInt32LE(HEADER_BYTES - 8 + samples, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(SAMPLE_RATE, 24);
  header.writeUInt32LE(SAMPLE_RATE, 28);
  header.writeUInt16LE(1, 32);
  header.writeUInt16LE(8, 34);
  header.write('data', 36);
  header.writeUInt32LE(samples, 40);
  return header;
}

/** Three seconds of two voices in tones, which are others for each call. A WAV file of 24 KB. */
export function demoRecordingOf(callId: string): Buffer {
  const digits = createHash('sha256').update(callId).digest();
  const notes = Array.from({ length: NOTES }, (_, index) => {
    const voice = NOTES_OF_VOICES[index % NOTES_OF_VOICES.length] as Buffer[];
    return voice[(digits[index] as number) % voice.length] as Buffer;
  });
  return Buffer.concat([headerOf(NOTES * NOTE_SAMPLES), ...notes]);
}

import { createHash } from 'node:crypto';

const SAMPLE_RATE = 8_000;
const NOTE_SECONDS = 0.5;
const NOTE_SAMPLES = SAMPLE_RATE * NOTE_SECONDS;
const HEADER_BYTES = 44;
const MAX_SECONDS = 300;

export const DEMO_RECORDINGS_PATH = '/demo/recordings';

/**
 * Returns the address of a demo recording as it is stored. A call shows it with a signature.
 * @param publicUrl the address of the server
 */
export const demoRecordingUrl = (publicUrl: string, callId: string, seconds: number) =>
  `${publicUrl}${DEMO_RECORDINGS_PATH}/${callId}.wav?seconds=${seconds}`;

/** The frequencies in hertz: the agent speaks low, the other party high. */
const VOICES = [
  [196, 220, 247, 262],
  [392, 440, 494, 523],
];

/** The loudness of a note: a file of one loudness is drawn as a bar. */
const LOUDNESS = [0.1, 0.4, 0.7, 1];

/** A note that fades in and out, as unsigned samples of 8 bits. */
function createNote(frequency: number, peak: number): Buffer {
  return Buffer.from(
    Array.from({ length: NOTE_SAMPLES }, (_, sample) => {
      const phase = (2 * Math.PI * frequency * sample) / SAMPLE_RATE;
      const loudness = peak * Math.sin((Math.PI * sample) / NOTE_SAMPLES) ** 0.5;
      return Math.round(128 + 70 * loudness * (0.8 * Math.sin(phase) + 0.2 * Math.sin(2 * phase)));
    }),
  );
}

/** The notes of each voice, by their pitch and their loudness. */
const NOTES_OF_VOICES = VOICES.map((voice) =>
  voice.map((frequency) => LOUDNESS.map((peak) => createNote(frequency, peak))),
);

/** The head of a WAV file with one channel of 8 bits. */
function createHeader(samples: number): Buffer {
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

/** A file that is computed while it is read: each sample has one byte. */
export interface DemoRecording {
  bytes: number;
  /** @param end exclusive */
  read: (start: number, end: number) => Generator<Buffer>;
}

/** Makes a WAV file of two voices in tones, which differ for each call, of 300 seconds at most. */
export function createDemoRecording(callId: string, seconds: number): DemoRecording {
  const digits = createHash('sha256').update(callId).digest();
  const notes = Math.ceil(Math.min(Math.max(seconds, 1), MAX_SECONDS) / NOTE_SECONDS);
  const header = createHeader(notes * NOTE_SAMPLES);
  const noteAt = (index: number): Buffer => {
    const voice = NOTES_OF_VOICES[index % NOTES_OF_VOICES.length] as Buffer[][];
    const digit = digits[index % digits.length] as number;
    const pitch = voice[digit % voice.length] as Buffer[];
    return pitch[(digit >> 4) % LOUDNESS.length] as Buffer;
  };
  return {
    bytes: header.length + notes * NOTE_SAMPLES,
    *read(start, end) {
      for (let at = start; at < end;) {
        const sample = at - header.length;
        const rest =
          sample < 0
            ? header.subarray(at)
            : noteAt(Math.floor(sample / NOTE_SAMPLES)).subarray(sample % NOTE_SAMPLES);
        const part = rest.subarray(0, end - at);
        yield part;
        at += part.length;
      }
    },
  };
}

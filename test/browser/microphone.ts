import { LocalSpeech } from '@parley/voice';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resample } from '../../packages/voice/src/audio/resampler';
import { wavHeader } from '../../packages/voice/src/audio/wav';

const RATE = 48_000;
/** In complete silence, the gain control of the browser would make the next words too loud. */
const NOISE = 60;

/** A microphone into which somebody says the same again and again. */
export interface Microphone {
  /** The arguments of the browser. */
  args: string[];
  stop(): Promise<void>;
}

/** @param pauseSeconds the silence before it */
export async function speakingMicrophone(text: string, pauseSeconds: number): Promise<Microphone> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-microphone-'));
  const file = join(folder, 'speech.wav');
  await writeFile(file, await createWav(text, pauseSeconds));
  return {
    args: [
      '--use-fake-device-for-media-stream',
      '--use-fake-ui-for-media-stream',
      `--use-file-for-fake-audio-capture=${file}`,
    ],
    stop: () => rm(folder, { recursive: true }),
  };
}

async function createWav(text: string, pauseSeconds: number): Promise<Buffer> {
  const speech = new LocalSpeech();
  // The silence comes first: the browser begins with the file when the microphone is opened, before the call.
  const parts: Int16Array[] = [new Int16Array(pauseSeconds * RATE).map(() => (Math.random() - 0.5) * NOISE)];
  try {
    const voice = { voice: 'rms', speed: 1, pitch: 1 };
    for await (const { samples, sampleRate } of speech.synthesizer.speak(
      text,
      voice,
      AbortSignal.timeout(60_000),
    ))
      parts.push(resample(samples, sampleRate, RATE).map((sample) => sample / 2));
  } finally {
    await speech.close();
  }
  const bytes = parts.map(({ buffer, byteOffset, byteLength }) =>
    Buffer.from(buffer, byteOffset, byteLength),
  );
  const length = bytes.reduce((sum, part) => sum + part.length, 0);
  return Buffer.concat([wavHeader(1, RATE, length), ...bytes]);
}

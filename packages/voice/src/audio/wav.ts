import type { WriteStream } from 'node:fs';
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Audio } from './audio';

const HEADER_BYTES = 44;

/** The header of a WAV file with signed 16-bit samples. */
export function wavHeader(channels: number, sampleRate: number, dataBytes: number): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.write('RIFF', 0);
  header.writeUInt32LE(36 + dataBytes, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(channels, 22);
  header.writeUInt32LE(sampleRate, 24);
  header.writeUInt32LE(sampleRate * channels * 2, 28);
  header.writeUInt16LE(channels * 2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36);
  header.writeUInt32LE(dataBytes, 40);
  return header;
}

/** Reads a WAV file with one channel of signed 16-bit samples. @throws Error if it is something else */
export function readWav(file: Uint8Array): Audio {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const name = (at: number) => String.fromCharCode(...file.subarray(at, at + 4));
  if (file.length < 12 || name(0) !== 'RIFF' || name(8) !== 'WAVE') throw new Error('This is not a WAV file');
  let sampleRate = 0;
  for (let at = 12; at + 8 <= file.length;) {
    const size = view.getUint32(at + 4, true);
    const from = at + 8;
    if (name(at) === 'fmt ') {
      const [format, channels, bits] = [
        view.getUint16(from, true),
        view.getUint16(from + 2, true),
        view.getUint16(from + 14, true),
      ];
      if (format !== 1 || channels !== 1 || bits !== 16) throw new Error('The WAV file is not 16-bit mono');
      sampleRate = view.getUint32(from + 4, true);
    } else if (name(at) === 'data') {
      const length = Math.floor(Math.min(size, file.length - from) / 2);
      const samples = new Int16Array(length);
      for (let index = 0; index < length; index++) samples[index] = view.getInt16(from + index * 2, true);
      return { samples, sampleRate };
    }
    at = from + size + (size % 2);
  }
  throw new Error('The WAV file has no samples');
}

/**
 * Writes a stereo WAV file while a call goes on: the person is left, the agent right. The file has no name in its folder,
 * so that it is gone when this process is killed.
 */
export class StereoWavWriter {
  private bytes = 0;
  private failure?: Error;
  private readonly stream: WriteStream;

  private constructor(
    private readonly file: FileHandle,
    private readonly sampleRate: number,
    private readonly maxBytes: number,
  ) {
    this.stream = file.createWriteStream({ autoClose: false });
    this.stream.on('error', (error) => (this.failure = error));
    this.stream.write(wavHeader(2, sampleRate, 0));
  }

  static async create(sampleRate: number, maxBytes: number): Promise<StereoWavWriter> {
    const folder = await mkdtemp(join(tmpdir(), 'parley-voice-'));
    try {
      const file = await open(join(folder, 'recording.wav'), 'wx+', 0o600);
      return new StereoWavWriter(file, sampleRate, maxBytes);
    } finally {
      await rm(folder, { recursive: true });
    }
  }

  get seconds(): number {
    return this.bytes / (this.sampleRate * 4);
  }

  /** Whether the limit was reached: what came later is not in the file. */
  get isFull(): boolean {
    return this.bytes >= this.maxBytes;
  }

  /** Both have the same length. */
  write(person: Int16Array, agent: Int16Array): void {
    if (this.failure || this.isFull) return;
    const data = Buffer.alloc(person.length * 4);
    for (let index = 0; index < person.length; index++) {
      data.writeInt16LE(person[index] ?? 0, index * 4);
      data.writeInt16LE(agent[index] ?? 0, index * 4 + 2);
    }
    this.bytes += data.length;
    this.stream.write(data);
  }

  /** Completes the file. @returns its content @throws Error if the disk did not take it */
  async finish(): Promise<Readable> {
    await new Promise<void>((resolve) => this.stream.end(() => resolve()));
    if (this.failure) throw this.failure;
    await this.file.write(wavHeader(2, this.sampleRate, this.bytes), 0, HEADER_BYTES, 0);
    return this.file.createReadStream({ start: 0, autoClose: false });
  }

  /** Removes the file. */
  async close(): Promise<void> {
    this.stream.destroy();
    await this.file.close();
  }
}

import { StringDecoder } from 'node:string_decoder';
import { decodeAudio } from '../../audio/media-format';
import { parseFrame, toMembers } from '../../json-frames';
import { isSpaceless } from '../../spaceless';
import { SpeechError, type SpokenAudio } from '../speech';

/** A line has the audio of a few seconds. */
const MAX_LINE = 1024 * 1024;

/** The end of a word, or a place between two letters of a script without spaces. */
interface WordEnd {
  /** The letters up to it, with the space behind it. */
  letters: number;
  /** In samples. */
  at: number;
}

/** Reads a stream of audio with the times of its letters, a JSON object a line. It gives whole words only. */
export class TimedSpeech {
  private readonly decoder = new StringDecoder('utf8');
  private line = '';
  private letters = 0;
  private lastEnd = 0;
  private ends: WordEnd[] = [];
  private held = new Int16Array(0);
  private received = 0;

  constructor(
    private readonly text: string,
    private readonly rate: number,
  ) {}

  get isEmpty(): boolean {
    return this.received === 0;
  }

  /** @throws SpeechError if it makes no sense */
  *push(bytes: Buffer): Iterable<SpokenAudio> {
    const lines = this.decoder.write(bytes).split('\n');
    lines[0] = this.line + lines[0];
    this.line = lines.pop() ?? '';
    if (this.line.length > MAX_LINE) throw new SpeechError('ElevenLabs sent a line that is too long');
    for (const line of lines) yield* this.read(line);
  }

  *flush(): Iterable<SpokenAudio> {
    yield* this.read(this.line);
    this.line = '';
    if (this.held.length > 0) yield { samples: this.held, sampleRate: this.rate, letters: this.text.length };
  }

  private *read(line: string): Iterable<SpokenAudio> {
    if (line.trim() === '') return;
    const { audio_base64: audio, alignment } = parseFrame(line) ?? {};
    if (typeof audio !== 'string') throw new SpeechError('ElevenLabs sent audio that makes no sense');
    const format = { encoding: 'audio/l16', sampleRate: 16_000, channels: 1 } as const;
    const samples = decodeAudio(Buffer.from(audio, 'base64'), format);
    if (!samples) throw new SpeechError('ElevenLabs sent audio that makes no sense');
    const before = this.received;
    this.received += samples.length;
    this.held = concat(this.held, samples);
    if (!this.align(alignment, before) && this.ends.length === 0) {
      yield { samples: this.held, sampleRate: this.rate };
      this.held = new Int16Array(0);
      return;
    }
    const given = this.received - this.held.length;
    const end = this.ends.findLast(({ at }) => at <= this.received);
    if (!end || end.at <= given) return;
    this.ends = this.ends.filter(({ at }) => at > end.at);
    yield { samples: this.held.slice(0, end.at - given), sampleRate: this.rate, letters: end.letters };
    this.held = this.held.slice(end.at - given);
  }

  /**
   * @param before the samples before this part. Some servers count its times from its own beginning.
   * @returns whether there are times
   */
  private align(alignment: unknown, before: number): boolean {
    const { characters, character_start_times_seconds: starts } = toMembers(alignment);
    if (!Array.isArray(characters) || !Array.isArray(starts)) return false;
    const times = starts as unknown[];
    const own = before / this.rate;
    const offset = typeof times[0] === 'number' && times[0] < Math.min(this.lastEnd, own) - 0.005 ? own : 0;
    for (const [index, letter] of (characters as unknown[]).entries()) {
      const time = times[index];
      if (typeof letter !== 'string' || typeof time !== 'number') return false;
      this.lastEnd = offset + time;
      const at = Math.round(this.lastEnd * this.rate);
      if (isSpaceless(letter) && this.letters > 0) this.ends.push({ letters: this.letters, at });
      this.letters += letter.length;
      if (/^\s/.test(letter)) this.ends.push({ letters: this.letters, at });
    }
    return true;
  }
}

function concat(one: Int16Array, other: Int16Array): Int16Array<ArrayBuffer> {
  const all = new Int16Array(one.length + other.length);
  all.set(one);
  all.set(other, one.length);
  return all;
}

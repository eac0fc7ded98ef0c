import { Ambience } from '../audio/ambience';
import { Framer } from '../audio/frames';
import { createKeyTones } from '../audio/key-tones';
import { frameLength } from '../audio/media-format';
import { Playout } from '../audio/playout';
import { Resampler } from '../audio/resampler';
import { createSoftTone } from '../audio/soft-tone';
import { RECORDING_RATE } from '../audio/two-sides';
import type { AnswerPart } from '../brain/brain';
import { hasWords, Sentences } from '../brain/sentences';
import { speakable } from '../brain/speakable';
import { describeError } from '../errors';
import { Retries } from '../retries';
import { RECOGNITION_RATE } from '../speech/speech';
import { SILENCE_MS } from './due-silence';
import { type Figures, hasAudio, listOpenTaps, type Parts, type TurnTiming } from './contract';
import type { Event, State } from './machine';

/** The agent says something while an answer, or one of its tools, takes longer. */
const FILLER_AFTER_MS = 1_000;
/** An answer that is ready at its earliest time begins within this time, before a sign. */
const BEGINNING_MS = 100;

/** Said in the voice of this machine while an answer is due. */
const SIGN = 'One moment.';

/** A part that is neither text nor speech. */
export type Decision = Exclude<AnswerPart, { type: 'text' | 'speech' }>;

interface Listener {
  /** The answer has begun, goes on or was played. */
  handle(event: Event): void;
  /** The words of the agent that the person has heard. */
  said(text: string, startedAt: Date): void;
  decided(decision: Decision): void;
  /** The brain or the voice has failed for good. */
  fail(error: unknown): void;
  readState(): State;
}

interface Sentence {
  id: string;
  text: string;
  heard: boolean;
  /** The name that a brain that speaks by itself has for it. */
  item?: string;
}

/** Consecutive words of the agent, with their sentences. */
interface Answer {
  id: number;
  controller: AbortController;
  sentences: Sentence[];
  /** The item that the brain speaks now, if it speaks by itself. */
  speech?: { sentence: Sentence; framer: Framer; resampler?: Resampler };
  /** The brain and the voice are done with it. */
  complete: boolean;
  ends: boolean;
  isApology: boolean;
  startedAt?: Date;
  /** The end of the speech that it answers; undefined: it answers nothing. */
  since?: number;
  beganAt: number;
  firstSentenceAt?: number;
  firstAudioAt?: number;
}

/** Gives the words of an answer, until the signal. */
export type Source = (signal: AbortSignal) => AsyncIterable<AnswerPart>;

export interface AnswerOptions {
  /** The earliest time of its first sound, by the clock; default: now. */
  notBefore?: number;
  since?: number;
  isApology?: boolean;
}

/** Speaks the agent's answers: cuts them into sentences, has them synthesized, plays them, and knows what was heard. */
export class Speaking {
  private readonly playout: Playout;
  private readonly lifetime = new AbortController();
  private answer?: Answer;
  private answers = 0;
  private stopFiller?: () => void;
  private backChannels = 0;
  private presses = 0;
  private notBefore = 0;
  /** The frames of {@link SIGN}. */
  private sign?: Int16Array[];

  constructor(
    private readonly parts: Parts,
    private readonly figures: Figures,
    private readonly listener: Listener,
  ) {
    const { line, clock, plan } = parts;
    const rate = line.sampleRate ?? RECOGNITION_RATE;
    const { place, level } = plan.background ?? {};
    const ambience =
      hasAudio(parts) && place && level !== undefined
        ? { of: Ambience.of(place, level, rate), frameLength: frameLength(rate) }
        : undefined;
    this.playout = new Playout(
      this.recordedLine(rate),
      clock,
      { started: (id) => this.pieceStarted(id), played: (id) => this.piecePlayed(id) },
      ambience,
    );
  }

  start(): void {
    this.playout.start();
    if (this.parts.plan.whileDue && hasAudio(this.parts)) void this.prepareSign();
  }

  /** Nothing is heard since this time, by the clock. Silence that the agent's fields ask for does not count. */
  get quietSince(): number {
    return Math.max(this.playout.heardUntil, this.notBefore - SILENCE_MS + BEGINNING_MS);
  }

  /** Lets the person hear that the answer takes longer. It is no part of what was said. */
  giveSign(): void {
    const { sampleRate } = this.parts.line;
    if (sampleRate === undefined) return;
    this.playout.interject(
      this.sign?.length ? this.sign : toFrames([createSoftTone(sampleRate)], sampleRate),
    );
  }

  pause(): void {
    this.playout.pause();
  }

  resume(): void {
    this.playout.resume();
  }

  /** Goes on after an interruption in which nothing was said. */
  goOn(): void {
    this.playout.resume();
    this.awaitIfPlayed();
  }

  /** Speaks an answer, in the place of the one before. */
  begin(source: Source, { notBefore = 0, since, isApology = false }: AnswerOptions = {}): void {
    if (this.answer) this.drop();
    const answer: Answer = {
      id: ++this.answers,
      controller: new AbortController(),
      sentences: [],
      complete: false,
      ends: false,
      isApology,
      since,
      beganAt: this.parts.clock.now(),
    };
    this.answer = answer;
    this.notBefore = notBefore;
    this.playout.holdUntil(notBefore);
    this.tell(answer, source(answer.controller.signal)).catch((error: unknown) => {
      if (answer.controller.signal.aborted) return;
      this.listener.fail(error);
    });
  }

  /** Says something if the answer is not there after a second. It is no part of what was said. */
  fillLater(filler: string): void {
    this.stopFiller = this.parts.clock.after(FILLER_AFTER_MS, () => this.fill(filler));
  }

  /** A word of a listener, quieter than the agent's own words. A failure of it is no failure of the call. */
  async backChannel(): Promise<void> {
    const { plan, synthesizer, line, report } = this.parts;
    const listed = plan.backChannel?.words ?? [];
    const word = listed[this.backChannels % Math.max(1, listed.length)];
    if (word === undefined || line.sampleRate === undefined) return;
    const id = `listener.${++this.backChannels}`;
    const framer = new Framer(frameLength(line.sampleRate));
    const { signal } = this.lifetime;
    try {
      const frames: Int16Array[] = [];
      for await (const { samples, sampleRate } of synthesizer.speak(word, plan.voice, signal)) {
        if (frames.length === 0) this.figures.synthesizedCharacters += word.length;
        const quiet = samples.map((sample) => sample / 2);
        frames.push(...framer.push(new Resampler(sampleRate, line.sampleRate).process(quiet)));
      }
      if (this.listener.readState() !== 'listening' || this.answer) return;
      this.playout.add(id, [...frames, ...framer.flush()]);
      this.playout.complete(id);
    } catch (error) {
      if (!signal.aborted) report.problem(describeError(error));
    }
  }

  /** Sends keys of a telephone to the other side. */
  async press(digits: string): Promise<void> {
    const { line } = this.parts;
    if (line.press) return line.press(digits);
    if (line.sampleRate === undefined)
      throw new Error('A conversation in writing has no audio in which keys could be heard');
    const framer = new Framer(frameLength(line.sampleRate));
    const id = `keys.${++this.presses}`;
    this.playout.add(id, [...framer.push(createKeyTones(digits, line.sampleRate)), ...framer.flush()]);
    this.playout.complete(id);
  }

  /** Stops the answer. @param keep whether it may go on */
  stop(keep: boolean): void {
    this.stopFiller?.();
    if (keep && this.answer) {
      this.figures.interruptions++;
      this.playout.pause();
    } else this.drop();
  }

  /** The answer is over. What was heard of it is part of the conversation. */
  drop(): void {
    const { answer } = this;
    this.stopFiller?.();
    if (!answer) return;
    const played = new Map(this.playout.clear().map((piece) => [piece.id, piece]));
    const heardWords = this.parts.line.remoteVoice?.drop();
    this.answer = undefined;
    answer.controller.abort(new Error('The answer was interrupted'));
    const heard = answer.sentences.map(({ id, text, heard: whole, item }) => {
      if (whole) return text.trim();
      const { playedMs, totalMs } = played.get(id) ?? { playedMs: 0, totalMs: 1 };
      if (item !== undefined) this.parts.brain.cut?.(item, playedMs);
      return heardPart(text.trim(), playedMs / Math.max(1, totalMs));
    });
    this.say(answer, heardWords ?? heard.filter((text) => text !== '').join(' '));
  }

  close(): void {
    this.playout.stop();
    this.lifetime.abort(new Error('The conversation is over'));
  }

  /** Until the words are there, and if they cannot be spoken, the sign is a tone. */
  private async prepareSign(): Promise<void> {
    const { plan, line, apologist, report } = this.parts;
    const { sampleRate } = line;
    if (plan.whileDue !== 'words' || !apologist || sampleRate === undefined) return;
    const { signal } = this.lifetime;
    try {
      const sound: Int16Array[] = [];
      for await (const part of apologist.synthesizer.speak(SIGN, apologist.voice, signal))
        sound.push(new Resampler(part.sampleRate, sampleRate).process(part.samples));
      this.sign = toFrames(sound, sampleRate);
    } catch (error) {
      if (!signal.aborted) report.problem(describeError(error));
    }
  }

  private fill(filler: string): void {
    const { answer } = this;
    if (!answer || answer.sentences.length > 0 || this.listener.readState() !== 'thinking') return;
    this.synthesize(answer, `${answer.id}.filler`, filler).catch((error: unknown) => {
      if (!answer.controller.signal.aborted) this.parts.report.problem(describeError(error));
    });
  }

  private async tell(answer: Answer, parts: AsyncIterable<AnswerPart>): Promise<void> {
    const sentences = new Sentences();
    const ready: string[] = [];
    let wake: (() => void) | undefined;
    let read = false;
    // The voice speaks a sentence while the brain writes the next one.
    const reading = (async () => {
      for await (const part of parts) {
        if (part.type === 'text') ready.push(...sentences.push(part.text));
        else if (part.type === 'speech') this.play(answer, part);
        else {
          this.decide(answer, part);
          if (part.type === 'tool') {
            // The words before it are a sentence.
            ready.push(...sentences.flush());
            this.sayLater(answer, part, (text) => {
              ready.push(text);
              wake?.();
            });
          }
        }
        wake?.();
      }
      ready.push(...sentences.flush());
      this.completeSpeech(answer);
    })().finally(() => {
      read = true;
      wake?.();
    });
    reading.catch(() => undefined);
    for (;;) {
      const sentence = ready.shift();
      if (sentence !== undefined) {
        const text = speakable(sentence);
        if (!hasWords(text)) continue;
        const id = `${answer.id}.${answer.sentences.length + 1}`;
        answer.sentences.push({ id, text, heard: false });
        answer.firstSentenceAt ??= this.parts.clock.now();
        await this.synthesize(answer, id, text);
      } else if (read) break;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
    await reading;
    if (answer !== this.answer) return;
    answer.complete = true;
    this.stopFiller?.();
    this.completeIfHeard(answer);
  }

  /** Says the words of a tool, if it takes longer and nobody speaks then. */
  private sayLater(
    answer: Answer,
    { say, result }: Extract<AnswerPart, { type: 'tool' }>,
    add: (text: string) => void,
  ): void {
    if (!say) return;
    const cancel = this.parts.clock.after(FILLER_AFTER_MS, () => {
      const isQuiet = answer.sentences.every(({ heard }) => heard);
      const isTurn = ['thinking', 'speaking'].includes(this.listener.readState());
      if (answer === this.answer && isQuiet && isTurn) add(say);
    });
    void result.finally(cancel);
  }

  private decide(answer: Answer, decision: Decision): void {
    if (decision.type === 'end' || decision.type === 'transfer') answer.ends = true;
    this.listener.decided(decision);
  }

  /** Speech of the brain itself. Each of its items is played as one sentence. */
  private play(answer: Answer, part: Extract<AnswerPart, { type: 'speech' }>): void {
    const { line, clock } = this.parts;
    const { item, text, audio, isLast } = part;
    if (answer !== this.answer || line.sampleRate === undefined) return;
    if (isLast) return this.completeSpeech(answer);
    if (answer.speech?.sentence.item !== item) {
      this.completeSpeech(answer);
      const id = `${answer.id}.${answer.sentences.length + 1}`;
      const sentence = { id, text: '', heard: false, item };
      answer.sentences.push(sentence);
      answer.speech = { sentence, framer: new Framer(frameLength(line.sampleRate)) };
      answer.firstSentenceAt ??= clock.now();
    }
    const { speech } = answer;
    if (!speech) return;
    speech.sentence.text += text;
    this.figures.synthesizedCharacters += text.length;
    if (text !== '' && answer.startedAt) this.showBegun(answer);
    if (!audio) return;
    answer.firstAudioAt ??= clock.now();
    speech.resampler ??= new Resampler(audio.sampleRate, line.sampleRate);
    this.playout.add(speech.sentence.id, speech.framer.push(speech.resampler.process(audio.samples)));
  }

  private completeSpeech(answer: Answer): void {
    const { speech } = answer;
    answer.speech = undefined;
    if (!speech || answer !== this.answer) return;
    this.playout.add(speech.sentence.id, speech.framer.flush());
    this.playout.complete(speech.sentence.id);
  }

  /** Shows the words of the sentences that have begun, up to this one. */
  private showBegun({ sentences }: Answer, last = sentences.length): void {
    const begun = sentences.slice(0, last).map(({ text }) => text);
    if (begun.length > 0) this.parts.line.transcript('agent', begun.join(' ').trim(), false);
  }

  private async synthesize(answer: Answer, id: string, text: string): Promise<void> {
    const { plan, line, apologist } = this.parts;
    const own = { synthesizer: this.parts.synthesizer, voice: plan.voice };
    const { synthesizer, voice } = (answer.isApology ? apologist : undefined) ?? own;
    const { signal } = answer.controller;
    if (!hasAudio(this.parts) || line.sampleRate === undefined) {
      if (signal.aborted) return;
      this.pieceStarted(id);
      if (line.remoteVoice) {
        this.figures.synthesizedCharacters += text.length;
        return line.remoteVoice.say(text, () => this.piecePlayed(id));
      }
      this.piecePlayed(id);
      return;
    }
    const framer = new Framer(frameLength(line.sampleRate));
    let said = 0;
    const retries = new Retries(this.parts.clock, signal);
    for (;;) {
      // A further attempt goes on where the last one broke off.
      let skipped = said;
      try {
        let [resampler, rate]: [Resampler | undefined, number] = [undefined, 0];
        for await (const part of synthesizer.speak(text, voice, signal)) {
          // A provider charges for each text that it begins to speak. The words of another voice cost nothing.
          if (synthesizer === own.synthesizer)
            this.figures.synthesizedCharacters += part.charged ?? (resampler ? 0 : text.length);
          // Another provider may have gone on, with another rate.
          if (part.sampleRate !== rate) resampler = new Resampler((rate = part.sampleRate), line.sampleRate);
          signal.throwIfAborted();
          answer.firstAudioAt ??= this.parts.clock.now();
          const audio = resampler?.process(part.samples) ?? new Int16Array(0);
          const next = audio.subarray(Math.min(skipped, audio.length));
          skipped -= audio.length - next.length;
          said += next.length;
          this.playout.add(id, framer.push(next));
        }
        break;
      } catch (error) {
        if (!(await retries.again(error))) throw error;
      }
    }
    signal.throwIfAborted();
    this.playout.add(id, framer.flush());
    this.playout.complete(id);
  }

  private pieceStarted(id: string): void {
    const { answer } = this;
    if (!answer || !id.startsWith(`${answer.id}.`)) return;
    const { line, clock } = this.parts;
    this.stopFiller?.();
    if (!answer.startedAt) {
      answer.startedAt = clock.date();
      if (answer.since !== undefined) {
        const timing = measureTiming(answer, answer.since, clock.now());
        this.figures.timings.push(timing);
        line.metrics(timing.gap);
      }
    }
    this.listener.handle({ type: 'answer-started' });
    const index = answer.sentences.findIndex((sentence) => sentence.id === id);
    this.showBegun(answer, index + 1);
  }

  private piecePlayed(id: string): void {
    const { answer } = this;
    if (!answer || !id.startsWith(`${answer.id}.`)) return;
    const sentence = answer.sentences.find((candidate) => candidate.id === id);
    if (sentence) sentence.heard = true;
    this.completeIfHeard(answer);
    this.awaitIfPlayed();
  }

  /** Nothing is played now, and the answer is to go on. */
  private awaitIfPlayed(): void {
    const { answer } = this;
    if (answer && !answer.complete && answer.sentences.every(({ heard }) => heard))
      this.listener.handle({ type: 'answer-awaited' });
  }

  private completeIfHeard(answer: Answer): void {
    if (!answer.complete || answer.sentences.some(({ heard }) => !heard)) return;
    this.answer = undefined;
    this.say(answer, answer.sentences.map(({ text }) => text.trim()).join(' '));
    this.listener.handle({ type: 'answer-played', ends: answer.ends });
  }

  private say({ startedAt = this.parts.clock.date() }: Answer, text: string): void {
    if (text !== '') this.listener.said(text, startedAt);
  }

  /** The line, with a copy of the agent's audio for those who record it or listen. */
  private recordedLine(rate: number) {
    const { line } = this.parts;
    const toRecording = new Resampler(rate, RECORDING_RATE);
    return {
      frame: (samples: Int16Array, playedAt: number) => {
        line.frame(samples);
        const taps = listOpenTaps(this.parts);
        if (taps.length === 0) return;
        const copy = toRecording.process(samples);
        for (const tap of taps) tap.say(copy, playedAt);
      },
      mark: (name: string) => line.mark(name),
      clear: () => {
        line.clear();
        for (const tap of listOpenTaps(this.parts)) tap.clear();
      },
    };
  }
}

/** The timing of an answer whose first sound is sent now. A filler may be played before there is a sentence. */
function measureTiming(answer: Answer, since: number, now: number): TurnTiming {
  const { beganAt, firstSentenceAt = now, firstAudioAt = now } = answer;
  const between = (from: number, to: number) => Math.max(0, Math.round(to - from));
  return {
    endOfTurn: between(since, beganAt),
    answer: between(beganAt, firstSentenceAt),
    synthesis: between(firstSentenceAt, firstAudioAt),
    gap: between(since, now),
  };
}

function toFrames(sound: Int16Array[], sampleRate: number): Int16Array[] {
  const framer = new Framer(frameLength(sampleRate));
  return [...sound.flatMap((samples) => framer.push(samples)), ...framer.flush()];
}

/** The first words of a text, by the share of its audio that was played. */
export function heardPart(text: string, share: number): string {
  if (share >= 1) return text;
  const end = text.lastIndexOf(' ', Math.round(text.length * share));
  return end > 0 ? text.slice(0, end) : '';
}

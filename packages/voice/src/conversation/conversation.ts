import type { Plan } from '../agent/plan';
import { Ambience } from '../audio/ambience';
import { Framer } from '../audio/frames';
import { createKeyTones } from '../audio/key-tones';
import { frameLength } from '../audio/media-format';
import { Playout } from '../audio/playout';
import { Resampler } from '../audio/resampler';
import { RECORDING_RATE, type Tap } from '../audio/two-sides';
import { FRAME_MS, VoiceActivity } from '../audio/voice-activity';
import { type AnswerPart, type Brain, type Message } from '../brain/brain';
import { hasWords, Sentences } from '../brain/sentences';
import { speakable } from '../brain/speakable';
import type { Clock } from '../clock';
import { describeError } from '../errors';
import { Retries } from '../retries';
import {
  type Recognition,
  RECOGNITION_RATE,
  type Recognizer,
  type Synthesizer,
  type VoiceSettings,
} from '../speech/speech';
import { Vocabulary } from '../speech/vocabulary';
import { AnsweringMachine } from './answering-machine';
import {
  type Effect,
  type End,
  type Event,
  initialMachine,
  type Machine,
  type State,
  step,
  type TimerName,
  VOICEMAIL,
} from './machine';
import { TypedTurns, type TypingRefusal } from './typed-turns';

/** The one that has answered a phone. `beep`: a machine that records now. */
export type Answerer = 'person' | 'machine' | 'beep' | 'fax';

/** The voice of a carrier that speaks by itself. */
export interface RemoteVoice {
  /** @param played is called when everything of the sentence was played */
  say(text: string, played: () => void): void;
  /** Forgets what was not played. @returns the words that were heard of the answer; undefined: nobody interrupted it */
  drop(): string | undefined;
}

/** The client of a conversation, behind a door. */
export interface Line {
  /** The rate of its audio; undefined: a conversation in writing. */
  readonly sampleRate?: number;
  /** The client speaks the agent's sentences, and writes what the person says. */
  readonly remoteVoice?: RemoteVoice;
  frame(samples: Int16Array): void;
  mark(name: string): void;
  clear(): void;
  transcript(speaker: 'agent' | 'user', text: string, final: boolean): void;
  state(state: 'listening' | 'thinking' | 'speaking'): void;
  metrics(turnGapMs: number): void;
  /** Sends keys of a telephone. undefined: they are played as tones. */
  press?(digits: string): Promise<void>;
}

/** The receiver of the reports about the conversation. */
export interface Report {
  turn(turn: {
    speaker: 'agent' | 'user' | 'tool';
    text: string;
    startedAt: Date;
    endedAt: Date;
    tool?: object;
  }): void;
  problem(sentence: string): void;
}

export interface Parts {
  plan: Plan;
  brain: Brain;
  recognizer: Recognizer;
  synthesizer: Synthesizer;
  /** Says the apology when a service has failed. Default: the same voice. */
  apologist?: { synthesizer: Synthesizer; voice: VoiceSettings };
  line: Line;
  report: Report;
  clock: Clock;
  /** Get the audio of both sides. */
  taps?: Tap[];
}

/** The parts of the time between the person's last sound and the agent's first sound, in milliseconds. */
export interface TurnTiming {
  /** The time from the end of the speech until the turn is over and its text is recognised. */
  endOfTurn: number;
  /** The time from then to the first sentence of the answer. */
  answer: number;
  /** The time from then to the first audio of the sentence. */
  synthesis: number;
  /** All of it, with the waits that the agent's fields ask for. */
  gap: number;
}

/** The figures of a conversation. */
export interface Figures {
  turns: number;
  interruptions: number;
  timings: TurnTiming[];
  synthesizedCharacters: number;
  recognizedSeconds: number;
}

interface Sentence {
  id: string;
  text: string;
  heard: boolean;
  /** The name that a brain that speaks by itself has for it. */
  item?: string;
}

/** A stretch of the agent's words, with its sentences. */
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

const FILLER_AFTER_MS = 1_000;
/** A client that sends no audio for so long is silent. Networks delay audio for less. */
const NO_AUDIO_MS = 1_000;
/** An action ends within this time. */
const SETTLE_MS = 10_000;
const GOODBYES = {
  reminder: 'Are you still there?',
  goodbye: 'I have to end the call now. Goodbye.',
  apology: 'I am sorry, something does not work here. Goodbye.',
};

/** Carries out what the machine decides: hears the person, asks the brain, speaks. */
export class Conversation {
  readonly figures: Figures = {
    turns: 0,
    interruptions: 0,
    timings: [],
    synthesizedCharacters: 0,
    recognizedSeconds: 0,
  };
  readonly messages: Message[] = [];
  readonly variables: Record<string, string> = {};
  /** The number with which the agent connects the person. It counts if the reason of the end is `call_transfer`. */
  transferTo?: string;
  readonly ended: Promise<End>;
  private machine: Machine = initialMachine;
  private readonly timers = new Map<TimerName, () => void>();
  private readonly playout: Playout;
  private readonly recognition?: Recognition;
  private readonly activity = new VoiceActivity();
  private readonly framer: Framer;
  private readonly toRecognition: Resampler;
  private readonly personToRecording: Resampler;
  private readonly recordingFrames = new Framer((RECORDING_RATE * FRAME_MS) / 1_000);
  private readonly lifetime = new AbortController();
  private resolveEnded: (end: End) => void = () => undefined;
  private answer?: Answer;
  private answers = 0;
  /** The answers of the brain that are not over, also those that were interrupted. */
  private readonly readings = new Set<Promise<void>>();
  private utterance = 0;
  private recognitions = 0;
  private utteranceStartedAt = new Date();
  private stopFiller?: () => void;
  private stopWaitingForAudio?: () => void;
  private readonly vocabulary: Vocabulary;
  private readonly typed: TypedTurns;
  private answeringMachine?: AnsweringMachine;
  private backChannels = 0;
  private presses = 0;
  /** Silence before speech, so that its first sound is recognised. */
  private readonly before: Int16Array[] = [];

  constructor(private readonly parts: Parts) {
    const { line, clock, recognizer, plan } = parts;
    const rate = line.sampleRate ?? RECOGNITION_RATE;
    this.framer = new Framer(frameLength(rate));
    this.toRecognition = new Resampler(rate, RECOGNITION_RATE);
    this.personToRecording = new Resampler(rate, RECORDING_RATE);
    this.ended = new Promise((resolve) => (this.resolveEnded = resolve));
    const { place, level } = plan.background ?? {};
    // An agent that is conversed with in writing neither hears nor speaks, also if its client has audio.
    const isSpoken = plan.spoken && line.sampleRate !== undefined;
    const ambience =
      isSpoken && place && level !== undefined
        ? { of: Ambience.of(place, level, rate), frameLength: frameLength(rate) }
        : undefined;
    this.playout = new Playout(
      this.recordedLine(rate),
      clock,
      { started: (id) => this.pieceStarted(id), played: (id) => this.piecePlayed(id) },
      ambience,
    );
    this.vocabulary = new Vocabulary(plan.vocabulary);
    this.typed = new TypedTurns(clock, (text) => this.takeTyped(text));
    if (plan.voicemail) {
      // Audio that the carrier hears does not come here, so the words are all there is.
      const by = line.remoteVoice ? (['transcript'] as const) : plan.voicemail.by;
      this.answeringMachine = new AnsweringMachine(by, rate, clock);
    }
    if (isSpoken) {
      this.recognition = recognizer.open({ interim: (text) => this.interim(text) });
    }
  }

  start(): void {
    this.playout.start();
    this.handle({ type: 'answered' });
  }

  /** Audio of the person, in the rate of the line. */
  hear(samples: Int16Array): void {
    if (!this.recognition || this.machine.state === 'ended') return;
    for (const frame of this.framer.push(samples)) this.hearFrame(frame, this.recognition);
    this.waitForAudio(this.recognition);
  }

  /** Clients may stop sending when the person is silent. Without a pause, the turn would not end. */
  private waitForAudio(recognition: Recognition): void {
    this.stopWaitingForAudio?.();
    if (!this.activity.active) return;
    const silence = new Int16Array(frameLength(this.parts.line.sampleRate ?? RECOGNITION_RATE));
    this.stopWaitingForAudio = this.parts.clock.after(NO_AUDIO_MS, () => {
      while (this.activity.active) this.hearFrame(silence, recognition);
    });
  }

  /** Something typed; in a spoken conversation it counts as said. @returns why it is not taken, or undefined */
  read(text: string): TypingRefusal | undefined {
    if (!this.parts.line.remoteVoice) return this.typed.push(text);
    // A carrier that hears writes what was spoken, so it comes no faster than speech.
    this.takeTyped(text);
    return undefined;
  }

  dtmf(digit: string): TypingRefusal | undefined {
    return this.typed.push(`DTMF ${digit}`);
  }

  private takeTyped(text: string): void {
    this.utteranceStartedAt = new Date();
    this.machineFound(this.answeringMachine?.heard(text));
    this.handle({ type: 'said', text });
  }

  /** Sends keys of a telephone to the other side. */
  async press(digits: string): Promise<void> {
    const { line } = this.parts;
    if (line.press) return line.press(digits);
    if (line.sampleRate === undefined) throw new Error('Nobody hears keys in a conversation in writing');
    const framer = new Framer(frameLength(line.sampleRate));
    const id = `keys.${++this.presses}`;
    this.playout.add(id, [...framer.push(createKeyTones(digits, line.sampleRate)), ...framer.flush()]);
    this.playout.complete(id);
  }

  close(end: End): void {
    this.handle({ type: 'closed', end });
  }

  /** Waits for the actions that are under way: what comes of them is reported also after the end. */
  async settled(): Promise<void> {
    let cancel: () => void = () => undefined;
    const late = new Promise<void>((resolve) => (cancel = this.parts.clock.after(SETTLE_MS, resolve)));
    await Promise.race([Promise.all(this.readings), late]);
    cancel();
  }

  /** The client was cut off: it hears the rest when it comes back. */
  lost(): void {
    this.stopWaitingForAudio?.();
    this.playout.pause();
  }

  returned(): void {
    const { line } = this.parts;
    const shown = shownState(this.machine.state);
    if (shown) line.state(shown);
    if (this.machine.state !== 'interrupted') this.playout.resume();
    if (this.recognition) this.waitForAudio(this.recognition);
  }

  private hearFrame(frame: Int16Array, recognition: Recognition): void {
    const taps = this.listOpenTaps();
    if (taps.length > 0)
      for (const part of this.recordingFrames.push(this.personToRecording.process(frame)))
        for (const tap of taps) tap.hear(part);
    const change = this.activity.frame(frame);
    const within =
      this.activity.active ||
      change === 'paused' ||
      this.machine.text !== undefined ||
      this.timers.has('turn');
    if (change === 'started') {
      for (const earlier of this.before.splice(0)) recognition.write(this.toRecognition.process(earlier));
      this.utteranceStartedAt = new Date();
    }
    // Silence is most of a call, so its rate is changed only where speech follows.
    if (within) recognition.write(this.toRecognition.process(frame));
    else {
      this.before.push(frame);
      if (this.before.length > 300 / FRAME_MS) this.before.shift();
    }
    if (change === 'started') this.handle({ type: 'voice-started' });
    if (change === 'paused') this.handle({ type: 'voice-paused', silentMs: this.activity.silentMs });
    this.machineFound(this.answeringMachine?.frame(frame, this.activity.active));
  }

  /** The line has stopped the agent's words, because it heard the person. */
  interrupted(): void {
    this.handle({ type: 'answer-cut' });
  }

  /** The carrier, or this conversation, has found who answered the phone. */
  answeredBy(answerer: Answerer): void {
    const { plan, clock, line } = this.parts;
    if (!plan.voicemail) return;
    if (answerer === 'fax') return this.close(VOICEMAIL);
    if (answerer !== 'person') return this.machineAnswered(answerer === 'beep', false);
    // The carrier hears the length of a greeting better. The words of one still count, where the agent asks for them.
    const looks = plan.voicemail.by.includes('transcript');
    this.answeringMachine = looks
      ? new AnsweringMachine(['transcript'], line.sampleRate ?? RECOGNITION_RATE, clock)
      : undefined;
  }

  private machineFound(found: 'machine' | 'beep' | undefined): void {
    if (found) this.machineAnswered(found === 'beep', true);
  }

  private machineAnswered(beep: boolean, isHeard: boolean): void {
    this.handle({ type: 'machine-answered', beep, isHeard });
  }

  private interim(recognized: string): void {
    const text = this.vocabulary.correct(recognized);
    this.machineFound(this.answeringMachine?.heard(text));
    const { state } = this.machine;
    if (state === 'listening' || state === 'interrupted') this.parts.line.transcript('user', text, false);
    this.handle({ type: 'heard', text, final: false });
  }

  private handle(event: Event): void {
    const before = this.machine.state;
    const [machine, effects] = step(this.machine, event, this.parts.plan, this.parts.clock.now());
    this.machine = machine;
    const shown = shownState(machine.state);
    if (shown && shown !== shownState(before)) this.parts.line.state(shown);
    for (const effect of effects) this.apply(effect);
  }

  private apply(effect: Effect): void {
    const { clock, plan } = this.parts;
    switch (effect.do) {
      case 'greet':
        if (plan.greeting === '') return this.handle({ type: 'answer-played', ends: false });
        return this.begin(this.words(plan.greeting), 0);
      case 'say':
        if (effect.what === 'apology') return this.begin(() => written(GOODBYES.apology), 0, undefined, true);
        return this.begin(this.words(effect.what === 'message' ? this.message() : GOODBYES[effect.what]), 0);
      case 'back-channel':
        return void this.backChannel();
      case 'recognize':
        return void this.recognize();
      case 'next-utterance':
        this.utterance++;
        this.before.length = 0;
        this.figures.recognizedSeconds = this.recognition?.seconds ?? 0;
        return this.recognition?.next();
      case 'answer':
        return this.respond(effect.text, effect.notBefore, effect.greets);
      case 'stop':
        return this.stop(effect.keep);
      case 'resume':
        this.playout.resume();
        return this.awaitIfPlayed();
      case 'timer':
        this.timers.get(effect.name)?.();
        this.timers.set(
          effect.name,
          clock.after(effect.ms, () => {
            this.timers.delete(effect.name);
            this.handle({ type: 'timer', name: effect.name });
          }),
        );
        return;
      case 'cancel':
        this.timers.get(effect.name)?.();
        this.timers.delete(effect.name);
        return;
      case 'end':
        return this.finish(effect.end);
    }
  }

  /** Tried again, because a thread may have been replaced. A later pause of the person replaces an earlier one. */
  private async recognize(): Promise<void> {
    const { utterance, recognition } = this;
    if (!recognition) return;
    const number = ++this.recognitions;
    const isReplaced = () => utterance !== this.utterance || number !== this.recognitions;
    const retries = new Retries(this.parts.clock, this.lifetime.signal);
    for (;;) {
      try {
        const text = this.vocabulary.correct(await recognition.text(this.lifetime.signal));
        if (isReplaced()) return;
        this.machineFound(this.answeringMachine?.heard(text));
        return this.handle({ type: 'heard', text, final: true });
      } catch (error) {
        if (isReplaced()) return;
        const isTriedAgain = await retries.again(error);
        if (this.lifetime.signal.aborted || isReplaced()) return;
        if (!isTriedAgain) return this.fail(error);
      }
    }
  }

  private respond(text: string, notBefore: number, greets: boolean): void {
    const { brain, plan, clock } = this.parts;
    this.personTurn(text);
    const source =
      greets && plan.greeting !== ''
        ? this.words(plan.greeting)
        : (signal: AbortSignal) => brain.answer(this.messages, signal);
    this.begin(source, notBefore, this.machine.spokeUntil);
    const filler = plan.fillers[this.figures.turns % Math.max(1, plan.fillers.length)];
    if (filler && this.recognition) this.stopFiller = clock.after(FILLER_AFTER_MS, () => this.fill(filler));
  }

  private personTurn(text: string): void {
    // The heard part of an interrupted answer comes before it.
    this.drop();
    this.figures.turns++;
    this.messages.push({ role: 'user', text });
    this.parts.line.transcript('user', text, true);
    this.parts.report.turn({
      speaker: 'user',
      text,
      startedAt: this.utteranceStartedAt,
      endedAt: this.findEndOfSpeech(),
    });
  }

  /** The end of the person's speech. A turn is over, and its text recognised, some time after it. */
  private findEndOfSpeech(): Date {
    const silentMs = this.parts.clock.now() - this.machine.spokeUntil;
    return new Date(Math.max(this.utteranceStartedAt.getTime(), Date.now() - silentMs));
  }

  /** Says something while the answer is not there. It is no part of what was said. */
  private fill(filler: string): void {
    const { answer } = this;
    if (!answer || answer.sentences.length > 0 || this.machine.state !== 'thinking') return;
    this.synthesize(answer, `${answer.id}.filler`, filler).catch((error: unknown) => {
      if (!answer.controller.signal.aborted) this.parts.report.problem(describeError(error));
    });
  }

  private message(): string {
    return this.parts.plan.voicemail?.message ?? '';
  }

  /** A word of a listener, quieter than the agent's own words. A failure of it is no failure of the call. */
  private async backChannel(): Promise<void> {
    const { plan, synthesizer, line, report } = this.parts;
    const listed = plan.backChannel?.words ?? [];
    const word = listed[this.backChannels % Math.max(1, listed.length)];
    if (word === undefined || line.sampleRate === undefined) return;
    const id = `listener.${++this.backChannels}`;
    const framer = new Framer(frameLength(line.sampleRate));
    try {
      const frames: Int16Array[] = [];
      for await (const { samples, sampleRate } of synthesizer.speak(word, plan.voice, this.lifetime.signal)) {
        if (frames.length === 0) this.figures.synthesizedCharacters += word.length;
        const quiet = samples.map((sample) => sample / 2);
        frames.push(...framer.push(new Resampler(sampleRate, line.sampleRate).process(quiet)));
      }
      if (this.machine.state !== 'listening' || this.answer) return;
      this.playout.add(id, [...frames, ...framer.flush()]);
      this.playout.complete(id);
    } catch (error) {
      if (!this.lifetime.signal.aborted) report.problem(describeError(error));
    }
  }

  /** A text as it stands. A brain with a voice of its own says it, because the agent has one voice. */
  private words(text: string): (signal: AbortSignal) => AsyncIterable<AnswerPart> {
    const { brain } = this.parts;
    return (signal) => brain.read?.(text, this.messages, signal) ?? written(text);
  }

  /** The agent's words, from the brain or as they stand. */
  private begin(
    source: (signal: AbortSignal) => AsyncIterable<AnswerPart>,
    notBefore: number,
    since?: number,
    isApology = false,
  ): void {
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
    this.playout.holdUntil(notBefore);
    this.tell(answer, source(answer.controller.signal)).catch((error: unknown) => {
      if (answer.controller.signal.aborted) return;
      this.fail(error);
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
        else this.note(answer, part);
        wake?.();
      }
      ready.push(...sentences.flush());
      this.completeSpeech(answer);
    })().finally(() => {
      read = true;
      wake?.();
    });
    const over = reading.catch(() => undefined).finally(() => this.readings.delete(over));
    this.readings.add(over);
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

  private note(answer: Answer, part: Exclude<AnswerPart, { type: 'text' | 'speech' }>): void {
    if (part.type === 'end') answer.ends = true;
    if (part.type === 'transfer') {
      answer.ends = true;
      this.transferTo = part.to;
      const [now, tool] = [new Date(), { name: part.name, arguments: {}, result: {} }];
      this.parts.report.turn({ speaker: 'tool', text: part.name, startedAt: now, endedAt: now, tool });
    }
    if (part.type === 'variable') this.variables[part.name] = part.value;
    if (part.type === 'tool') {
      const { name, arguments: given, result } = part;
      const now = new Date();
      const tool = { name, arguments: given, result };
      this.parts.report.turn({ speaker: 'tool', text: name, startedAt: now, endedAt: now, tool });
    }
  }

  private async synthesize(answer: Answer, id: string, text: string): Promise<void> {
    const { plan, line, apologist } = this.parts;
    const own = { synthesizer: this.parts.synthesizer, voice: plan.voice };
    const { synthesizer, voice } = (answer.isApology ? apologist : undefined) ?? own;
    const { signal } = answer.controller;
    if (!this.recognition || line.sampleRate === undefined) {
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
        let resampler: Resampler | undefined;
        for await (const { samples, sampleRate } of synthesizer.speak(text, voice, signal)) {
          // A provider charges for each text that it begins to speak. The words of another voice cost nothing.
          if (!resampler && synthesizer === own.synthesizer)
            this.figures.synthesizedCharacters += text.length;
          resampler ??= new Resampler(sampleRate, line.sampleRate);
          signal.throwIfAborted();
          answer.firstAudioAt ??= this.parts.clock.now();
          const audio = resampler.process(samples);
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
      answer.startedAt = new Date();
      if (answer.since !== undefined) {
        const timing = measureTiming(answer, answer.since, clock.now());
        this.figures.timings.push(timing);
        line.metrics(timing.gap);
      }
    }
    this.handle({ type: 'answer-started' });
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
      this.handle({ type: 'answer-awaited' });
  }

  private completeIfHeard(answer: Answer): void {
    if (!answer.complete || answer.sentences.some(({ heard }) => !heard)) return;
    this.answer = undefined;
    this.agentTurn(answer, answer.sentences.map(({ text }) => text.trim()).join(' '));
    this.handle({ type: 'answer-played', ends: answer.ends });
  }

  private agentTurn({ startedAt = new Date() }: Answer, text: string): void {
    if (text === '') return;
    this.messages.push({ role: 'agent', text });
    this.parts.line.transcript('agent', text, true);
    this.parts.report.turn({ speaker: 'agent', text, startedAt, endedAt: new Date() });
  }

  private stop(keep: boolean): void {
    this.stopFiller?.();
    if (keep && this.answer) {
      this.figures.interruptions++;
      this.playout.pause();
    } else this.drop();
  }

  /** The answer is over. What was heard of it is part of the conversation. */
  private drop(): void {
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
    this.agentTurn(answer, heardWords ?? heard.filter((text) => text !== '').join(' '));
  }

  private fail(error: unknown): void {
    this.parts.report.problem(describeError(error));
    this.handle({ type: 'failed' });
  }

  private finish(end: End): void {
    for (const cancel of this.timers.values()) cancel();
    this.timers.clear();
    this.typed.stop();
    this.stopWaitingForAudio?.();
    this.playout.stop();
    this.figures.recognizedSeconds = this.recognition?.seconds ?? 0;
    this.lifetime.abort(new Error('The conversation is over'));
    this.recognition?.close();
    const isTransfer = end.reason === 'agent_hangup' && this.transferTo !== undefined;
    this.resolveEnded(isTransfer ? { ...end, reason: 'call_transfer' } : end);
  }

  private listOpenTaps(): Tap[] {
    return (this.parts.taps ?? []).filter(({ isOpen }) => isOpen);
  }

  /** The line, with a copy of the agent's audio for those who record it or listen. */
  private recordedLine(rate: number) {
    const { line } = this.parts;
    const toRecording = new Resampler(rate, RECORDING_RATE);
    return {
      frame: (samples: Int16Array, playedAt: number) => {
        line.frame(samples);
        const taps = this.listOpenTaps();
        if (taps.length === 0) return;
        const copy = toRecording.process(samples);
        for (const tap of taps) tap.say(copy, playedAt);
      },
      mark: (name: string) => line.mark(name),
      clear: () => {
        line.clear();
        for (const tap of this.listOpenTaps()) tap.clear();
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

async function* written(text: string): AsyncIterable<AnswerPart> {
  yield await Promise.resolve({ type: 'text', text });
}

/** The first words of a text, by the share of its audio that was played. */
export function heardPart(text: string, share: number): string {
  if (share >= 1) return text;
  const end = text.lastIndexOf(' ', Math.round(text.length * share));
  return end > 0 ? text.slice(0, end) : '';
}

function shownState(state: State): 'listening' | 'thinking' | 'speaking' | undefined {
  switch (state) {
    case 'idle':
    case 'listening':
    case 'interrupted':
    case 'voicemail':
      return 'listening';
    case 'thinking':
      return 'thinking';
    case 'speaking':
    case 'ending':
      return 'speaking';
    case 'ended':
      return undefined;
  }
}

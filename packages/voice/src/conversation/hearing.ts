import { Framer } from '../audio/frames';
import { frameLength } from '../audio/media-format';
import { Resampler } from '../audio/resampler';
import { RECORDING_RATE } from '../audio/two-sides';
import { FRAME_MS, VoiceActivity } from '../audio/voice-activity';
import { Retries } from '../retries';
import { type Recognition, RECOGNITION_RATE } from '../speech/speech';
import { Vocabulary } from '../speech/vocabulary';
import { AnsweringMachine } from './answering-machine';
import { type Answerer, hasAudio, listOpenTaps, type Parts } from './contract';
import { type Event, VOICEMAIL } from './machine';

/** A client that sends no audio for this time is silent. Networks delay audio for less. */
const NO_AUDIO_MS = 1_000;
/** Silence before speech, so that its first sound is recognised. */
const BEFORE_FRAMES = 300 / FRAME_MS;

interface Listener {
  /** The person was heard, or it was found out who answers the phone. */
  handle(event: Event): void;
  /** The words of the person so far. */
  interim(text: string): void;
  /** The recognition has failed for good. */
  fail(error: unknown): void;
  /** Whether the person's turn may go on. */
  isTurnOpen(): boolean;
}

/** Hears the person: finds speech in the audio, and has its text recognised. */
export class Hearing {
  /** The beginning of what the person said last. */
  startedAt: Date;
  private readonly recognition?: Recognition;
  private readonly activity = new VoiceActivity();
  private readonly framer: Framer;
  private readonly toRecognition: Resampler;
  private readonly toRecording: Resampler;
  private readonly recordingFrames = new Framer((RECORDING_RATE * FRAME_MS) / 1_000);
  private readonly vocabulary: Vocabulary;
  private readonly before: Int16Array[] = [];
  private readonly lifetime = new AbortController();
  private readonly rate: number;
  private answeringMachine?: AnsweringMachine;
  private utterance = 0;
  private recognitions = 0;
  private stopWaitingForAudio?: () => void;

  constructor(
    private readonly parts: Parts,
    private readonly listener: Listener,
  ) {
    const { plan, line, clock, recognizer } = parts;
    this.startedAt = clock.date();
    this.rate = line.sampleRate ?? RECOGNITION_RATE;
    this.framer = new Framer(frameLength(this.rate));
    this.toRecognition = new Resampler(this.rate, RECOGNITION_RATE);
    this.toRecording = new Resampler(this.rate, RECORDING_RATE);
    this.vocabulary = new Vocabulary(plan.vocabulary);
    if (plan.voicemail) {
      // Audio that the carrier hears does not come here, so the words are all there is.
      const by = line.remoteVoice ? (['transcript'] as const) : plan.voicemail.by;
      this.answeringMachine = new AnsweringMachine(by, this.rate, clock);
    }
    if (hasAudio(parts)) this.recognition = recognizer.open({ interim: (text) => this.interim(text) });
  }

  /** The seconds of speech that were recognised. */
  get seconds(): number {
    return this.recognition?.seconds ?? 0;
  }

  /** Audio of the person, in the rate of the line. */
  hear(samples: Int16Array): void {
    if (!this.recognition || this.lifetime.signal.aborted) return;
    for (const frame of this.framer.push(samples)) this.hearFrame(frame, this.recognition);
    this.waitForAudio();
  }

  /** Words that were typed. */
  read(text: string): void {
    this.startedAt = this.parts.clock.date();
    this.machineFound(this.answeringMachine?.heard(text));
  }

  /** Clients may stop sending when the person is silent. Without a pause, the turn would not end. */
  waitForAudio(): void {
    const { recognition } = this;
    this.stopWaitingForAudio?.();
    if (!recognition || !this.activity.active) return;
    const silence = new Int16Array(frameLength(this.rate));
    this.stopWaitingForAudio = this.parts.clock.after(NO_AUDIO_MS, () => {
      while (this.activity.active) this.hearFrame(silence, recognition);
    });
  }

  /** The client was cut off. */
  pause(): void {
    this.stopWaitingForAudio?.();
  }

  /** The utterance is over: the audio that comes now belongs to another one. */
  next(): void {
    this.utterance++;
    this.before.length = 0;
    this.recognition?.next();
  }

  /** Tried again, because a thread may have been replaced. A later pause of the person replaces an earlier one. */
  async recognize(): Promise<void> {
    const { utterance, recognition } = this;
    const { signal } = this.lifetime;
    if (!recognition) return;
    const number = ++this.recognitions;
    const isReplaced = () => utterance !== this.utterance || number !== this.recognitions;
    const retries = new Retries(this.parts.clock, signal);
    for (;;) {
      try {
        const text = this.vocabulary.correct(await recognition.text(signal));
        if (isReplaced()) return;
        this.machineFound(this.answeringMachine?.heard(text));
        return this.listener.handle({ type: 'heard', text, final: true });
      } catch (error) {
        if (isReplaced()) return;
        const isTriedAgain = await retries.again(error);
        if (signal.aborted || isReplaced()) return;
        if (!isTriedAgain) return this.listener.fail(error);
      }
    }
  }

  /** The carrier, or this conversation, has found who answered the phone. */
  answeredBy(answerer: Answerer): void {
    const { plan, clock } = this.parts;
    if (!plan.voicemail) return;
    if (answerer === 'fax') return this.listener.handle({ type: 'closed', end: VOICEMAIL });
    if (answerer !== 'person') return this.machineAnswered(answerer === 'beep', false);
    // The carrier hears the length of a greeting better. The words of one still count, where the agent asks for them.
    const looks = plan.voicemail.by.includes('transcript');
    this.answeringMachine = looks ? new AnsweringMachine(['transcript'], this.rate, clock) : undefined;
  }

  close(): void {
    this.stopWaitingForAudio?.();
    this.lifetime.abort(new Error('The conversation is over'));
    this.recognition?.close();
  }

  private hearFrame(frame: Int16Array, recognition: Recognition): void {
    this.record(frame);
    const change = this.activity.frame(frame);
    const within = this.activity.active || change === 'paused' || this.listener.isTurnOpen();
    if (change === 'started') {
      for (const earlier of this.before.splice(0)) recognition.write(this.toRecognition.process(earlier));
      this.startedAt = this.parts.clock.date();
    }
    // Silence is most of a call, so its rate is changed only where speech follows.
    if (within) recognition.write(this.toRecognition.process(frame));
    else {
      this.before.push(frame);
      if (this.before.length > BEFORE_FRAMES) this.before.shift();
    }
    if (change === 'started') this.listener.handle({ type: 'voice-started' });
    if (change === 'paused') this.listener.handle({ type: 'voice-paused', silentMs: this.activity.silentMs });
    this.machineFound(this.answeringMachine?.frame(frame, this.activity.active));
  }

  private record(frame: Int16Array): void {
    const taps = listOpenTaps(this.parts);
    if (taps.length === 0) return;
    for (const part of this.recordingFrames.push(this.toRecording.process(frame)))
      for (const tap of taps) tap.hear(part);
  }

  private interim(recognized: string): void {
    const text = this.vocabulary.correct(recognized);
    this.machineFound(this.answeringMachine?.heard(text));
    this.listener.interim(text);
  }

  private machineFound(found: 'machine' | 'beep' | undefined): void {
    if (found) this.machineAnswered(found === 'beep', true);
  }

  private machineAnswered(beep: boolean, isHeard: boolean): void {
    this.listener.handle({ type: 'machine-answered', beep, isHeard });
  }
}

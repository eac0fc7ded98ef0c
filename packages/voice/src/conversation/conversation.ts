import type { Message, TranscriptTurn } from '../brain/brain';
import { describeError } from '../errors';
import { type Answerer, type Figures, hasAudio, type Parts, type Report } from './contract';
import { DueSilence } from './due-silence';
import { Hearing } from './hearing';
import {
  type Effect,
  type End,
  type Event,
  initialMachine,
  isAnswerDue,
  type Machine,
  type State,
  step,
  type TimerName,
} from './machine';
import { type Decision, type Source, Speaking } from './speaking';
import { TypedTurns, type TypingRefusal } from './typed-turns';

const FIXED_SENTENCES = {
  reminder: 'Are you still there?',
  goodbye: 'I have to end the call now. Goodbye.',
  apology: 'I am sorry, something does not work here. Goodbye.',
  transfer: 'I am sorry, something does not work here. I am connecting you with somebody.',
};

/** The time after the end of a call in which what came of a tool is reported. */
const SETTLE_MS = 10_000;

type ToolPart = Extract<Decision, { type: 'tool' }>;

/** Performs the effects of the machine: hears the person, asks the brain, speaks. */
export class Conversation {
  readonly figures: Figures = {
    turns: 0,
    interruptions: 0,
    timings: [],
    synthesizedCharacters: 0,
    recognizedSeconds: 0,
  };
  readonly messages: Message[] = [];
  /** The turns as they were reported. */
  readonly turns: TranscriptTurn[] = [];
  readonly variables: Record<string, string> = {};
  /** Whether the agent has reported that the person wants no more calls. It ends the call soon. */
  hasOptedOut = false;
  /** The number with which the agent connects the person. It counts if the reason of the end is `call_transfer`. */
  transferTo?: string;
  /** Whether the person is connected because the services of the agent have failed. */
  isLastResort = false;
  readonly ended: Promise<End>;
  private machine: Machine = initialMachine;
  private readonly timers = new Map<TimerName, () => void>();
  private readonly hearing: Hearing;
  private readonly speaking: Speaking;
  private readonly typed: TypedTurns;
  private readonly silence: DueSilence;
  private startedAt = 0;
  /** Whether the client is cut off. */
  private isLost = false;
  /** The turns of the agent since the opt-out. */
  private turnsAfterOptOut = 0;
  /** The tools at work. */
  private readonly running = new Set<ToolPart>();
  private resolveEnded: (end: End) => void = () => undefined;

  constructor(private readonly parts: Parts) {
    this.ended = new Promise((resolve) => (this.resolveEnded = resolve));
    const handle = (event: Event) => this.handle(event);
    const fail = (error: unknown) => this.fail(error);
    this.speaking = new Speaking(parts, this.figures, {
      handle,
      fail,
      said: (text, startedAt) => this.agentTurn(text, startedAt),
      decided: (decision) => this.note(decision),
      readState: () => this.machine.state,
    });
    this.hearing = new Hearing(parts, {
      handle,
      fail,
      interim: (text) => this.interim(text),
      isTurnOpen: () => this.machine.text !== undefined || this.timers.has('turn'),
    });
    this.silence = new DueSilence(
      parts.clock,
      () => this.findSilence(),
      () => this.speaking.giveSign(),
    );
    this.typed = new TypedTurns(parts.clock, (text) => this.takeTyped(text));
  }

  /** Whether it waits for the person to speak; `hello`: for the one who answers a phone. */
  get awaits(): 'hello' | 'turn' | undefined {
    const { state, awaitsHello } = this.machine;
    if (state !== 'idle') return undefined;
    return awaitsHello ? 'hello' : 'turn';
  }

  start(): void {
    this.startedAt = this.parts.clock.now();
    this.speaking.start();
    this.handle({ type: 'answered' });
  }

  /** Audio of the person, in the rate of the line. */
  hear(samples: Int16Array): void {
    this.hearing.hear(samples);
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

  /** Sends keys of a telephone to the other side. */
  press(digits: string): Promise<void> {
    return this.speaking.press(digits);
  }

  close(end: End): void {
    this.handle({ type: 'closed', end });
  }

  /** Waits for the tools that are at work: what comes of them is reported also after the end. */
  async settled(): Promise<void> {
    let cancel: () => void = () => undefined;
    const late = new Promise<void>((resolve) => (cancel = this.parts.clock.after(SETTLE_MS, resolve)));
    await Promise.race([Promise.all([...this.running].map(({ result }) => result)), late]);
    cancel();
    for (const part of this.running) this.toolEnded(part, { state: 'running' });
  }

  /** The client was cut off: it hears the rest when it comes back. */
  lost(): void {
    this.isLost = true;
    this.silence.watch();
    this.hearing.pause();
    this.speaking.pause();
  }

  returned(): void {
    this.isLost = false;
    const shown = shownState(this.machine.state);
    if (shown) this.parts.line.state(shown);
    if (this.machine.state !== 'interrupted') this.speaking.resume();
    this.hearing.waitForAudio();
    this.silence.watch();
  }

  /** The line has stopped the agent's words, because it heard the person. */
  interrupted(): void {
    this.handle({ type: 'answer-cut' });
  }

  /** The carrier has found who answered the phone. */
  answeredBy(answerer: Answerer): void {
    this.hearing.answeredBy(answerer);
  }

  private takeTyped(text: string): void {
    this.hearing.read(text);
    this.handle({ type: 'said', text });
  }

  private interim(text: string): void {
    const { state } = this.machine;
    if (state === 'listening' || state === 'interrupted') this.parts.line.transcript('user', text, false);
    this.handle({ type: 'heard', text, final: false });
  }

  private handle(event: Event): void {
    const before = this.machine.state;
    // An agent that has spoken twice since an opt-out hangs up, also if its model does not.
    const isLast = event.type === 'answer-played' && this.turnsAfterOptOut > 1;
    const [machine, effects] = step(
      this.machine,
      isLast ? { ...event, ends: true } : event,
      this.parts.plan,
      this.parts.clock.now(),
    );
    this.machine = machine;
    const shown = shownState(machine.state);
    if (shown && shown !== shownState(before)) this.parts.line.state(shown);
    for (const effect of effects) this.apply(effect);
    if (this.machine.state === 'idle' && this.parts.brain.hasNews) this.handle({ type: 'tool-ended' });
    this.silence.watch();
  }

  /** The time since when the person has waited in silence for the agent. undefined: no answer is due, or no provider may go on. */
  private findSilence(): number | undefined {
    const { machine, parts, speaking } = this;
    if (this.isLost || !parts.plan.whileDue || !hasAudio(parts) || !isAnswerDue(machine)) return undefined;
    return Math.max(machine.spokeUntil, speaking.quietSince, this.startedAt);
  }

  private apply(effect: Effect): void {
    const { plan } = this.parts;
    switch (effect.do) {
      case 'greet':
        if (plan.greeting === '') return this.handle({ type: 'answer-played', ends: false });
        return this.speaking.begin(this.words(plan.greeting));
      case 'say':
        if (effect.what === 'apology' || effect.what === 'transfer') {
          const sentence = FIXED_SENTENCES[effect.what];
          if (effect.what === 'transfer') this.handOn();
          return this.speaking.begin(() => written(sentence), { isApology: true });
        }
        return this.speaking.begin(
          this.words(
            effect.what === 'message' ? (plan.voicemail?.message ?? '') : FIXED_SENTENCES[effect.what],
          ),
        );
      case 'back-channel':
        return void this.speaking.backChannel();
      case 'recognize':
        return void this.hearing.recognize();
      case 'next-utterance':
        this.figures.recognizedSeconds = this.hearing.seconds;
        return this.hearing.next();
      case 'answer':
        return this.respond(effect.text, effect.notBefore, effect.greets);
      case 'answer-tool':
        return this.speaking.begin((signal) => this.parts.brain.answer(this.messages, signal));
      case 'stop':
        return this.speaking.stop(effect.keep);
      case 'resume':
        return this.speaking.goOn();
      case 'timer':
        return this.startTimer(effect.name, effect.ms);
      case 'cancel':
        this.timers.get(effect.name)?.();
        this.timers.delete(effect.name);
        return;
      case 'end':
        return this.finish(effect.end);
    }
  }

  private startTimer(name: TimerName, ms: number): void {
    this.timers.get(name)?.();
    const cancel = this.parts.clock.after(ms, () => {
      this.timers.delete(name);
      this.handle({ type: 'timer', name });
    });
    this.timers.set(name, cancel);
  }

  private respond(text: string, notBefore: number, greets: boolean): void {
    const { brain, plan } = this.parts;
    this.personTurn(text);
    // A turn that was interrupted is none that was played to its end.
    if (this.turnsAfterOptOut > 1) return this.close({ reason: 'agent_hangup', by: 'agent' });
    const source: Source =
      greets && plan.greeting !== ''
        ? this.words(plan.greeting)
        : (signal) => brain.answer(this.messages, signal);
    this.speaking.begin(source, { notBefore, since: this.machine.spokeUntil });
    const filler = plan.fillers[this.figures.turns % Math.max(1, plan.fillers.length)];
    if (filler && hasAudio(this.parts)) this.speaking.fillLater(filler);
  }

  private personTurn(text: string): void {
    // The heard part of an interrupted answer comes before it.
    this.speaking.drop();
    this.figures.turns++;
    this.messages.push({ role: 'user', text });
    this.parts.line.transcript('user', text, true);
    this.report({
      speaker: 'user',
      text,
      startedAt: this.hearing.startedAt,
      endedAt: this.findEndOfSpeech(),
    });
  }

  private agentTurn(text: string, startedAt: Date): void {
    if (this.hasOptedOut) this.turnsAfterOptOut++;
    this.messages.push({ role: 'agent', text });
    this.parts.line.transcript('agent', text, true);
    this.report({ speaker: 'agent', text, startedAt, endedAt: this.parts.clock.date() });
  }

  /** The end of the person's speech. A turn is over, and its text recognised, some time after it. */
  private findEndOfSpeech(): Date {
    const { clock } = this.parts;
    const silentMs = clock.now() - this.machine.spokeUntil;
    return new Date(Math.max(this.hearing.startedAt.getTime(), clock.date().getTime() - silentMs));
  }

  /** A text as it stands. A brain with a voice of its own says it, because the agent has one voice. */
  private words(text: string): Source {
    const { brain } = this.parts;
    return (signal) => brain.read?.(text, this.messages, signal) ?? written(text);
  }

  private note(decision: Decision): void {
    if (decision.type === 'variable') this.variables[decision.name] = decision.value;
    if (decision.type === 'transfer') {
      this.transferTo = decision.to;
      this.toolTurn({ name: decision.name, arguments: {}, result: {} });
    }
    if (decision.type === 'tool') {
      this.running.add(decision);
      void decision.result.then((result) => this.toolEnded(decision, result));
    }
  }

  /** Connects the person with the number that the model chose, or else with the agent's first number, after all providers failed. */
  private handOn(): void {
    const [first] = this.parts.plan.transfers;
    if (!first) return;
    this.isLastResort = true;
    if (this.transferTo === undefined) this.note({ type: 'transfer', ...first });
  }

  private toolEnded(part: ToolPart, result: unknown): void {
    if (!this.running.delete(part)) return;
    this.toolTurn({ name: part.name, arguments: part.arguments, result });
    if (this.parts.brain.hasNews) this.handle({ type: 'tool-ended' });
  }

  private toolTurn(tool: { name: string; arguments: unknown; result: unknown }): void {
    const now = this.parts.clock.date();
    this.report({ speaker: 'tool', text: tool.name, startedAt: now, endedAt: now, tool });
  }

  private report(turn: Parameters<Report['turn']>[0]): void {
    const { speaker, text, tool } = turn;
    this.turns.push({ sequence: this.parts.report.turn(turn), speaker, text, tool });
  }

  private fail(error: unknown): void {
    this.parts.report.problem(describeError(error));
    this.handle({ type: 'failed' });
  }

  private finish(end: End): void {
    for (const cancel of this.timers.values()) cancel();
    this.timers.clear();
    this.typed.stop();
    this.silence.stop();
    this.figures.recognizedSeconds = this.hearing.seconds;
    this.speaking.close();
    this.hearing.close();
    const isTransfer = end.reason === 'agent_hangup' && this.transferTo !== undefined;
    this.resolveEnded(isTransfer ? { ...end, reason: 'call_transfer' } : end);
  }
}

async function* written(text: string): ReturnType<Source> {
  yield await Promise.resolve({ type: 'text', text });
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

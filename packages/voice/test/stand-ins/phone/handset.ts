/** A person, or a machine, at a simulated telephone. Audio is μ-law at 8,000 Hz, 20 ms a frame. */

export interface Person {
  /** The end of the ringing. Default: a person answers. */
  phone?: 'answers' | 'voicemail' | 'busy' | 'no-answer' | 'declines' | 'does-not-exist' | 'network-fails';
  ringMs?: number;
  /** The network plays its own ringing or announcement before the answer, and no phone is said to ring. */
  hasEarlyMedia?: boolean;
  /** Makes sound this long after the answer, for this long. */
  talks?: { afterMs: number; forMs: number }[];
  /** Makes sound once the agent has spoken for this long. */
  interrupts?: { afterMs: number; forMs: number };
  presses?: { afterMs: number; digits: string };
  /** For a carrier that hears and speaks: says these sentences, each when the agent is silent for a moment. */
  says?: string[];
  /** The language of these sentences. Default: `en`. */
  speaks?: string;
  interruptsAfterWords?: number;
  /** The greeting of a voicemail, for a carrier that hears. */
  greets?: string;
  /** The parts of that greeting and the pauses between them, in turn, in milliseconds. Default: one part of 600 */
  greeting?: number[];
  /** The beeps after it. Default: 1. Without one, the machine records from the end of its greeting. */
  beeps?: number;
  /** The carrier's own word for who has answered. Default: the one that fits. */
  detectedAs?: string;
  hangsUpAfterMs?: number;
  /** Hangs up right after the answer, before the stream is connected. */
  hangsUpAtOnce?: boolean;
  /** A caller who hangs up just before the answer arrives. */
  givesUp?: boolean;
  /** The network fails this long after the answer. */
  failsAfterMs?: number;
  /** The phone at a number with which the agent connects the person. Default: somebody answers. */
  transfer?: 'answers' | 'busy' | 'no-answer';
  /** Hangs up just before the carrier gets the request to connect another number. */
  hangsUpAtTransfer?: boolean;
  /** The time for which the person talks with the other number. */
  connectedMs?: number;
  /** The report that both have hung up comes before the report that the other number has answered. */
  overtakesAnswer?: boolean;
  /** The carrier loses the connection of the stream. */
  losesStreamAfterMs?: number;
}

export const FRAME_MS = 20;
export const FRAME_BYTES = 160;
export const SILENCE = Buffer.alloc(FRAME_BYTES, 0xff);
/** Loud noise: the bytes of large samples with either sign. */
export const SOUND = Buffer.from(
  Array.from({ length: FRAME_BYTES }, (_, index) => ((index * index) % 7 < 3 ? 0x90 : 0x10) + (index % 8)),
);
/** Each frame is a little louder than the one before, so that their order can be heard. */
const LEVELS = 32;
const soundOf = (frame: number) => Buffer.from(SOUND.map((byte) => byte + LEVELS - 1 - (frame % LEVELS)));

const GREETING_FROM_MS = 100;
const BEEP_MS = 400;
const BETWEEN_BEEPS_MS = 300;
/** 1,000 Hz: eight samples in μ-law, over and over. */
const BEEP_SOUND = Buffer.from(
  Array.from(
    { length: FRAME_BYTES },
    (_, index) => [0xff, 0x98, 0x8f, 0x98, 0x7f, 0x18, 0x0f, 0x18][index % 8] ?? 0,
  ),
);

interface Stretch {
  from: number;
  until: number;
}

/** A machine speaks, beeps and records. Before the first beep is no pause: after one, it could be a person who says hello. */
function planVoicemail({ greeting = [600], beeps = 1 }: Person) {
  let at = GREETING_FROM_MS;
  const stretches = greeting.map((ms): Stretch => ({ from: at, until: (at += ms) }));
  const parts = stretches.filter((_, index) => index % 2 === 0);
  const tones = Array.from({ length: beeps }, (_, index): Stretch => {
    const from = at + index * (BEEP_MS + BETWEEN_BEEPS_MS);
    return { from, until: from + BEEP_MS };
  });
  return { parts, tones, recordsFrom: tones.at(-1)?.until ?? at };
}

export interface HandsetActions {
  press(digit: string): void;
  hangUp(): void;
  fail(): void;
  /** A part of the greeting of the machine begins, or is over. */
  greets?(): void;
  greeted?(part: number, isLast: boolean): void;
  /** The machine has beeped. */
  beeped?(): void;
  /** The machine has spoken, and makes no sound for this long now. */
  quiet?(ms: number): void;
  /** The machine records from now on. */
  records?(): void;
  loseStream(): void;
}

/** The acts of the person, in steps of 20 ms, and the sounds that it hears. */
export class Handset {
  readonly heard: { at: number; isSound: boolean }[] = [];
  readonly bytes: Buffer[] = [];
  clears: number[] = [];
  talkingFrom?: number;
  /** Whether the agent spoke to a machine that did not record yet. */
  heardBeforeBeep = false;
  /** The sound that the machine has recorded. */
  readonly recorded: Buffer[] = [];
  private readonly voicemail?: ReturnType<typeof planVoicemail>;
  /** The time since the last sound of the machine. */
  private quietMs = 0;
  private ms = 0;
  private agentMs = 0;
  private talksUntil = 0;
  /** The frames of sound that the person has made. */
  private sounds = 0;
  private hasInterrupted = false;
  private done = new Set<string>();

  constructor(
    private readonly person: Person,
    private readonly actions: HandsetActions,
  ) {
    if (person.phone === 'voicemail') this.voicemail = planVoicemail(person);
  }

  /** 20 ms have passed. @param played what the phone plays in them @returns the sound at the phone */
  tick(played: Buffer): Buffer {
    const { talks = [], interrupts, presses, hangsUpAfterMs, failsAfterMs, losesStreamAfterMs } = this.person;
    this.ms += FRAME_MS;
    const isSound = played.some((byte) => (byte & 0x7f) < 0x60);
    this.heard.push({ at: performance.now(), isSound });
    if (isSound) this.bytes.push(played);
    this.agentMs = isSound ? this.agentMs + FRAME_MS : 0;
    for (const [index, { afterMs, forMs }] of talks.entries())
      this.once(`talk ${index}`, this.ms >= afterMs, () => this.talk(forMs));
    if (interrupts && !this.hasInterrupted && this.agentMs >= interrupts.afterMs) {
      this.hasInterrupted = true;
      this.talk(interrupts.forMs);
    }
    for (const [index, digit] of [...(presses?.digits ?? '')].entries())
      this.once(`press ${index}`, this.ms >= (presses?.afterMs ?? 0) + index * 200, () =>
        this.actions.press(digit),
      );
    this.once('lose', losesStreamAfterMs !== undefined && this.ms >= losesStreamAfterMs, () =>
      this.actions.loseStream(),
    );
    this.once('fail', failsAfterMs !== undefined && this.ms >= failsAfterMs, () => this.actions.fail());
    this.once('hang up', hangsUpAfterMs !== undefined && this.ms >= hangsUpAfterMs, () =>
      this.actions.hangUp(),
    );
    if (this.voicemail) return this.tickVoicemail(this.voicemail, isSound ? played : undefined);
    return this.ms <= this.talksUntil ? soundOf(this.sounds++) : SILENCE;
  }

  /** @param heard the sound of the agent */
  private tickVoicemail(
    { parts, tones, recordsFrom }: ReturnType<typeof planVoicemail>,
    heard: Buffer | undefined,
  ): Buffer {
    const { ms, actions } = this;
    const isWithin = ({ from, until }: Stretch) => ms > from && ms <= until;
    for (const [index, { from, until }] of parts.entries()) {
      this.once(`part ${index}`, ms > from, () => actions.greets?.());
      this.once(`end ${index}`, ms > until, () => actions.greeted?.(index, index === parts.length - 1));
    }
    for (const [index, { until }] of tones.entries())
      this.once(`beep ${index}`, ms > until, () => actions.beeped?.());
    this.once('record', ms > recordsFrom, () => actions.records?.());
    if (heard && ms > recordsFrom) this.recorded.push(heard);
    else if (heard) this.heardBeforeBeep = true;
    const sounds = [...parts, ...tones].some(isWithin);
    this.quietMs = sounds ? 0 : this.quietMs + FRAME_MS;
    if (!sounds && ms > GREETING_FROM_MS) actions.quiet?.(this.quietMs);
    if (!sounds) return SILENCE;
    return tones.some(isWithin) ? BEEP_SOUND : soundOf(this.sounds++);
  }

  get heardSound(): boolean {
    return this.heard.some(({ isSound }) => isSound);
  }

  private talk(forMs: number): void {
    this.talkingFrom ??= performance.now();
    this.talksUntil = this.ms + forMs;
  }

  private once(name: string, isDue: boolean, act: () => void): void {
    if (!isDue || this.done.has(name)) return;
    this.done.add(name);
    act();
  }
}

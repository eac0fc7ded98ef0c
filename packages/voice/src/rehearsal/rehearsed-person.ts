import type { RehearsedInterruption, RehearsedLine, RehearsedPerson as Definition } from '@parley/worker';
import { setImmediate as othersTurn } from 'node:timers/promises';
import type { HeardAgent } from './heard-agent';
import { Patterns } from './patterns';
import type { Persona } from './persona';
import type { PersonCall } from './stage';
import { LETTER_MS } from './virtual-speech';

/** The silence before what has no time of its own. */
const AFTER_MS = 500;
/** Everything takes this long at least, so that a rehearsal comes to its end. */
const LEAST_MS = 20;
const KEY_MS = 250;
/** The last words of a person who hangs up are recognised in this time. */
const HEARD_MS = 5_000;

type Deed = Omit<RehearsedLine, 'on' | 'times'>;

interface Choice {
  deed: Deed;
  /** Is called when it is done. */
  take?: () => void;
}

const HANGS_UP: Deed = { after_ms: AFTER_MS, hang_up: true };

interface Line {
  line: RehearsedLine;
  fits: (text: string) => boolean;
  left: number;
}

/** Speaks with the agent as the definition of a rehearsal says, until the conversation has ended. */
export class RehearsedPerson {
  private hello: string | undefined;
  private readonly lines: Line[];
  /** The interruptions of the turn with this number, or of any one that is long enough. */
  private interruptions: { interruption: RehearsedInterruption; turn?: number }[] = [];
  /** The turns of the model. */
  private turns = 0;

  constructor(
    private readonly definition: Definition,
    private readonly call: PersonCall,
    private readonly agent: Pick<HeardAgent, 'lastTurn' | 'begun' | 'speaksSince' | 'interrupted'>,
    private readonly isWritten: boolean,
    private readonly persona?: Persona,
  ) {
    const { hello, lines = [], interrupts } = definition;
    const patterns = new Patterns();
    this.hello = hello;
    this.lines = lines.map((line) => ({ line, fits: patterns.compile(line.on), left: line.times }));
    if (interrupts) this.interruptions.push({ interruption: interrupts });
  }

  /** @throws BrainError if the person is a model that fails; Error if a search takes too long */
  async speak(): Promise<void> {
    const { call } = this;
    const { voicemail } = this.definition;
    if (voicemail !== undefined) {
      await this.say(voicemail);
      await call.beep();
      return call.pass(Infinity);
    }
    while (!call.isOver) {
      await this.listen();
      await this.act();
    }
  }

  /** Until the agent waits. */
  private async listen(): Promise<void> {
    const { call, agent } = this;
    while (!call.isOver && !this.isAwaited) {
      const { begun, speaksSince } = agent;
      const hasChanged = () => agent.begun !== begun || agent.speaksSince !== speaksSince;
      const due = this.findInterruption();
      const lengthMs = due ? await call.prepare(due.say) : 0;
      if (hasChanged()) continue;
      const waitMs = due && speaksSince !== undefined ? speaksSince + due.after_ms - call.now : Infinity;
      if (due && waitMs <= 0) {
        this.interruptions = this.interruptions.filter(({ interruption }) => interruption !== due);
        agent.interrupted(lengthMs);
        await this.say(due.say);
        continue;
      }
      await call.pass(waitMs, () => this.isAwaited || hasChanged());
    }
  }

  private async act(): Promise<void> {
    const { call } = this;
    if (call.isOver) return;
    const { deed, take } = await this.choose();
    await call.pass(Math.max(LEAST_MS, deed.after_ms), () => !this.isAwaited);
    // The agent goes on, so that another line may fit later.
    if (call.isOver || !this.isAwaited) return;
    this.hello = undefined;
    take?.();
    await this.perform(deed);
    if (deed.interrupts)
      this.interruptions.push({ interruption: deed.interrupts, turn: this.agent.begun + 1 });
  }

  private async choose(): Promise<Choice> {
    const { hello, persona } = this;
    if (hello !== undefined) return { deed: { after_ms: AFTER_MS, say: hello } };
    if (persona) return this.ask(persona);
    for (const line of this.lines) {
      if (line.left === 0) continue;
      // The server has calls of people beside it, and no time passes in a rehearsal meanwhile.
      await othersTurn();
      if (line.fits(this.agent.lastTurn)) return { deed: line.line, take: () => line.left-- };
    }
    return { deed: HANGS_UP };
  }

  /** The time stands still while the model is asked: nothing but the person lets it pass. */
  private async ask(persona: Persona): Promise<Choice> {
    if (this.turns >= persona.maxTurns) return { deed: HANGS_UP };
    const { say, hangsUp } = await persona.answer(this.call.conversation.messages);
    return {
      deed: { after_ms: persona.modelMs, ...(say !== '' && { say }), ...(hangsUp && { hang_up: true }) },
      take: () => this.turns++,
    };
  }

  private async perform({ say, silence, noise, dtmf, hang_up }: Deed): Promise<void> {
    const { call } = this;
    const { messages } = call.conversation;
    const before = messages.length;
    if (say !== undefined) await this.say(say);
    // Words that are not recognised are in no turn.
    if (say !== undefined && hang_up) await call.pass(HEARD_MS, () => messages.length > before);
    if (silence !== undefined) return call.pass(silence * 1_000);
    if (noise !== undefined) return call.noise(noise * 1_000);
    if (hang_up) return call.hangUp();
    for (const key of dtmf ?? '') {
      call.press(key);
      await call.pass(KEY_MS);
    }
  }

  private async say(text: string): Promise<void> {
    if (!this.isWritten) return this.call.says(text);
    await this.call.pass(text.length * LETTER_MS);
    this.call.conversation.read(text);
  }

  private get isAwaited(): boolean {
    const { awaits } = this.call.conversation;
    return awaits === 'turn' || (awaits === 'hello' && this.hello !== undefined);
  }

  /** The interruption of the present turn that comes first. */
  private findInterruption(): RehearsedInterruption | undefined {
    const { begun, speaksSince } = this.agent;
    const over = speaksSince === undefined ? begun : begun - 1;
    this.interruptions = this.interruptions.filter(({ turn = Infinity }) => turn > over);
    if (speaksSince === undefined) return undefined;
    const possible = this.interruptions.filter(({ turn = begun }) => turn === begun);
    const [first] = possible.sort((a, b) => a.interruption.after_ms - b.interruption.after_ms);
    return first?.interruption;
  }
}

import type { RehearsalFacts, RehearsalOfCall } from '@parley/worker';
import { type Brain, BrainError, type Conclusion } from '../brain/brain';
import { concludeWithin } from '../brain/conclusion';
import type { Conversation } from '../conversation/conversation';
import { findGap, type Report } from '../conversation/contract';
import { describeError } from '../errors';
import { HeardAgent } from './heard-agent';
import { MockedTools } from './mocked-tools';
import { Persona } from './persona';
import { CollectedFacts, toReadResult } from './rehearsal-facts';
import { createAgent, type RehearsalParts, type RehearsedCall } from './rehearsed-agent';
import { RehearsedPerson } from './rehearsed-person';
import { VirtualCall } from './virtual-call';
import { VirtualClock } from './virtual-clock';

/** The longest conversation, in virtual time. */
const MAX_MS = 600_000;

/**
 * Plays a rehearsal in virtual time: the same definition and the same answers of the model give the same facts.
 * @throws Error if it cannot be played; the reason of the signal
 */
export async function playRehearsal(
  call: RehearsedCall,
  rehearsal: RehearsalOfCall,
  parts: RehearsalParts,
  signal: AbortSignal,
): Promise<RehearsalFacts> {
  signal.throwIfAborted();
  const played = new PlayedRehearsal(call, rehearsal, parts, signal);
  let abort: () => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    abort = () => {
      played.stop();
      reject(signal.reason as Error);
    };
    signal.addEventListener('abort', abort, { once: true });
  });
  try {
    return await Promise.race([played.play(), aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

class PlayedRehearsal {
  private readonly clock: VirtualClock;
  private readonly startedAt: Date;
  private readonly mocks: MockedTools;
  private readonly heard: HeardAgent;
  private readonly facts = new CollectedFacts();
  private readonly brain: Brain;
  private readonly call: VirtualCall;
  private readonly person: RehearsedPerson;
  private readonly persona?: Persona;
  private isLimited = false;

  private readonly tools: RehearsedCall['start']['tools'];

  constructor(
    call: RehearsedCall,
    rehearsal: RehearsalOfCall,
    private readonly parts: RehearsalParts,
    private readonly signal: AbortSignal,
  ) {
    const { person, situation, tools } = rehearsal;
    this.tools = call.start.tools;
    this.clock = new VirtualClock(new Date(situation.now));
    this.startedAt = this.clock.date();
    this.mocks = new MockedTools(tools, this.clock);
    this.heard = new HeardAgent(this.clock);
    const { plan, brain, model } = createAgent(call, rehearsal, {
      ...{ ...parts, clock: this.clock, mocks: this.mocks },
      phone: {
        press: (digits) => this.conversation.press(digits),
        optOut: () => Promise.resolve(void (this.conversation.hasOptedOut = true)),
      },
    });
    this.brain = brain;
    const { frame, clear, state } = this.heard;
    this.call = new VirtualCall({
      ...{ plan, brain, clock: this.clock },
      line: { frame, clear, state, press: () => Promise.resolve() },
      report: {
        turn: (turn) => void this.turn(turn),
        problem: (sentence) => parts.warn('service_failed', sentence),
      },
    });
    const { provider } = brain;
    this.persona = Persona.of(person, { model, provider, modelMs: situation.model_ms, signal });
    this.person = new RehearsedPerson(person, this.call, this.heard, !plan.spoken, this.persona);
  }

  async play(): Promise<RehearsalFacts> {
    const { clock, conversation, brain, persona } = this;
    clock.after(MAX_MS, () => this.limit());
    conversation.start();
    await this.person.speak().catch((error: unknown) => this.fail(error));
    const end = (await conversation.ended) as RehearsalFacts['end'];
    const seconds = this.since(clock.date()) / 1_000;
    await this.call.settle();
    const { outcome, variables } = await this.conclude();
    return this.facts.toFacts(
      {
        ...{ end, outcome, variables: { ...variables, ...conversation.variables } },
        opt_out: conversation.hasOptedOut,
        figures: {
          turn_gap_ms_p95: findGap(conversation.figures, 0.95),
          interrupted_ms: this.heard.interruptedMs,
          ...{ seconds, tokens: brain.tokens + (persona?.tokens ?? 0) },
        },
      },
      this.isLimited,
    );
  }

  /** Ends the conversation, and with it the requests that it waits for. */
  stop(): void {
    this.conversation.close({ reason: 'error', by: 'system' });
  }

  /** A person whose model fails leaves nothing to compare. */
  private fail(error: unknown): void {
    if (!(error instanceof BrainError) || this.signal.aborted) throw error;
    this.parts.warn('service_failed', `The model of the person failed: ${describeError(error)}`);
    this.stop();
  }

  private get conversation(): Conversation {
    return this.call.conversation;
  }

  private limit(): void {
    if (this.call.isOver) return;
    this.isLimited = true;
    this.stop();
  }

  private turn({ speaker, text, startedAt, tool }: Parameters<Report['turn']>[0]): void {
    const { facts } = this;
    if (speaker === 'agent') this.heard.lastTurn = text;
    const asked = this.mocks.find(tool?.arguments);
    facts.add({
      ...{ speaker, text, at_ms: this.since(asked?.at ?? startedAt) },
      ...(tool && {
        tool: {
          name: tool.name,
          arguments: tool.arguments as Record<string, unknown>,
          result: toReadResult(tool.result),
          closed: asked?.isClosed ?? false,
          ...(!asked && this.isOfServer(tool.name) && { asked: false }),
        },
      }),
    });
    // An agent that says goodbye now ends the conversation by itself.
    if (facts.isFull) this.clock.after(0, () => this.limit());
  }

  private isOfServer(name: string): boolean {
    return (this.tools ?? []).some((tool) => tool.name === name);
  }

  private since(time: Date): number {
    return Math.max(0, Math.round(time.getTime() - this.startedAt.getTime()));
  }

  /** A rehearsal keeps its end also if nobody can say what it was about. */
  private async conclude(): Promise<Pick<Conclusion, 'outcome' | 'variables'>> {
    const { signal } = this;
    try {
      const limit = AbortSignal.timeout(1.5 * concludeWithin(undefined));
      return await this.brain.conclude(this.conversation.messages, AbortSignal.any([signal, limit]));
    } catch (error) {
      const text = `There is no outcome: ${describeError(error)}`;
      if (!signal.aborted) this.parts.warn('service_failed', text);
      return { outcome: '', variables: {} };
    }
  }
}

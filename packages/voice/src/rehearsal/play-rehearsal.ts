import type { RehearsalFacts, RehearsalOfCall } from '@parley/worker';
import { BrainError, type Conclusion } from '../brain/brain';
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
import type { PlayedCall, Stage } from './stage';
import { VirtualStage } from './virtual-stage';

/** The longest conversation, in the time of its stage. */
const MAX_MS = 600_000;

/**
 * Plays a rehearsal. In virtual time, the same definition and the same answers of the model give the same facts.
 * @throws Error if it cannot be played; the reason of the signal
 */
export async function playRehearsal(
  call: RehearsedCall,
  rehearsal: RehearsalOfCall,
  parts: RehearsalParts,
  signal: AbortSignal,
  stage: Stage = new VirtualStage(new Date(rehearsal.situation.now)),
): Promise<RehearsalFacts> {
  signal.throwIfAborted();
  const played = new PlayedRehearsal(call, rehearsal, { ...parts, stage }, signal);
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
    await stage.close();
  }
}

class PlayedRehearsal {
  private startedAt: Date;
  private readonly mocks: MockedTools;
  private readonly heard: HeardAgent;
  private readonly facts = new CollectedFacts();
  private readonly agent: ReturnType<typeof createAgent>;
  private readonly persona?: Persona;
  private call?: PlayedCall;
  private isLimited = false;

  private readonly tools: RehearsedCall['start']['tools'];

  constructor(
    call: RehearsedCall,
    private readonly rehearsal: RehearsalOfCall,
    private readonly parts: RehearsalParts & { stage: Stage },
    private readonly signal: AbortSignal,
  ) {
    const { person = {}, situation } = rehearsal;
    const { clock, isVirtual } = parts.stage;
    this.tools = call.start.tools;
    this.startedAt = clock.date();
    this.mocks = new MockedTools(rehearsal, this.tools ?? [], clock);
    this.heard = new HeardAgent(clock);
    this.agent = createAgent(call, rehearsal, {
      ...{ ...parts, mocks: this.mocks },
      phone: {
        press: (digits) => this.conversation.press(digits),
        optOut: () => Promise.resolve(void (this.conversation.hasOptedOut = true)),
      },
    });
    const { brain, model } = this.agent;
    // In real time, the answer has taken its time already.
    const modelMs = isVirtual ? situation.model_ms : 0;
    this.persona = Persona.of(person, { model, provider: brain.provider, modelMs, signal });
  }

  async play(): Promise<RehearsalFacts> {
    const { heard, persona, rehearsal } = this;
    const { stage, warn } = this.parts;
    const { plan, brain } = this.agent;
    const { clock } = stage;
    const call = await stage.open({
      ...{ plan, brain, heard },
      report: {
        turn: (turn) => void this.turn(turn),
        problem: (sentence) => warn('service_failed', sentence),
      },
    });
    this.call = call;
    const { conversation } = call;
    const person = new RehearsedPerson(rehearsal.person ?? {}, call, heard, !plan.spoken, persona);
    this.startedAt = clock.date();
    const cancelLimit = clock.after(MAX_MS, () => this.limit());
    conversation.start();
    await person.speak().catch((error: unknown) => this.fail(error));
    const end = (await conversation.ended) as RehearsalFacts['end'];
    cancelLimit();
    const seconds = this.since(clock.date()) / 1_000;
    await call.settle();
    const { outcome, variables } = await this.conclude();
    return this.facts.toFacts(
      {
        ...{
          end,
          outcome,
          results: this.mocks.variables,
          variables: { ...variables, ...conversation.variables },
        },
        opt_out: conversation.hasOptedOut,
        figures: {
          turn_gap_ms_p95: findGap(conversation.figures, 0.95),
          interrupted_ms: heard.interruptedMs,
          ...{ seconds, tokens: brain.tokens + (persona?.tokens ?? 0) },
        },
      },
      this.isLimited,
    );
  }

  /** Ends the conversation, and with it the requests that it waits for. */
  stop(): void {
    this.call?.conversation.close({ reason: 'error', by: 'system' });
  }

  /** A person whose model fails leaves nothing to compare. */
  private fail(error: unknown): void {
    if (!(error instanceof BrainError) || this.signal.aborted) throw error;
    this.parts.warn('service_failed', `The model of the person failed: ${describeError(error)}`);
    this.stop();
  }

  /** The agent uses it only in its call. */
  private get conversation(): Conversation {
    if (!this.call) throw new Error('The call has not begun.');
    return this.call.conversation;
  }

  private limit(): void {
    if (this.call?.isOver) return;
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
    if (facts.isFull) this.parts.stage.clock.after(0, () => this.limit());
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
      return await this.agent.brain.conclude(this.conversation.messages, AbortSignal.any([signal, limit]));
    } catch (error) {
      const text = `There is no outcome: ${describeError(error)}`;
      if (!signal.aborted) this.parts.warn('service_failed', text);
      return { outcome: '', variables: {} };
    }
  }
}

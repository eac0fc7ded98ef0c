import { type Call, type RehearsalFacts, type RehearsalOfCall } from '@parley/worker';
import type { Plan } from '../agent/plan';
import { resolveAgent } from '../agent/resolve-agent';
import type { Brain, Conclusion, Search } from '../brain/brain';
import { concludeWithin } from '../brain/conclusion';
import type { ToolContext } from '../brain/tools';
import type { Conversation } from '../conversation/conversation';
import { describeError } from '../errors';
import { REALTIME } from '../speech/speech';
import { HeardAgent } from './heard-agent';
import { MockedTools } from './mocked-tools';
import { createChatBrain, createScriptedBrain } from './paced-brain';
import { compilePattern } from './patterns';
import { CollectedFacts, findGap, toReadResult } from './rehearsal-facts';
import { RehearsedPerson } from './rehearsed-person';
import { VirtualCall } from './virtual-call';
import { VirtualClock } from './virtual-clock';

/** The longest conversation, in virtual time. */
const MAX_MS = 600_000;
/** Providers of speech that an agent may name. Nothing is spoken, so that none of them is missed. */
const [RECOGNIZERS, VOICES] = [new Set(['deepgram']), new Set(['elevenlabs'])];

export interface RehearsalParts {
  /** Addresses and keys of language models, by the agent's word for the provider. */
  models: ReadonlyMap<string, { baseUrl: string; apiKey: string }>;
  /** Reports what operators should know. */
  warn: (code: string, text: string) => void;
}

/**
 * Plays a rehearsal in virtual time: the same definition and the same answers of the model give the same facts.
 * @throws Error if it cannot be played; the reason of the signal
 */
export async function playRehearsal(
  call: Pick<Call, 'start' | 'search'>,
  rehearsal: RehearsalOfCall,
  { models, warn }: RehearsalParts,
  signal: AbortSignal,
): Promise<RehearsalFacts> {
  const { person, situation, tools, seed } = rehearsal;
  const clock = new VirtualClock(new Date(situation.now));
  const [startedAt, zero] = [clock.now(), clock.date().getTime()];
  const { plan, warnings } = resolveAgent(
    { ...call.start, call_type: situation.call_type },
    { models: new Set([...models.keys(), REALTIME]), recognizers: RECOGNIZERS, voices: VOICES },
    clock.date(),
  );
  if (plan.language.provider === REALTIME)
    throw new Error(`The model ${plan.language.model} hears and speaks: a rehearsal in text cannot ask it.`);
  for (const { code, text } of warnings) warn(code, text);

  const mocks = new MockedTools(tools, clock);
  const context: ToolContext = {
    variables: plan.missingVariables,
    search: createSearch(call, situation, clock),
    transfers: plan.transfers,
    press: situation.call_type === 'phonecall' ? (digits) => virtual.conversation.press(digits) : undefined,
    tools: plan.tools,
    ask: (name, given) => mocks.ask(name, given),
    clock,
  };
  const { provider } = plan.language;
  const server = models.get(provider);
  const brain = server
    ? createChatBrain(
        { ...server, ...plan.language, seed },
        { ...context, provider, prompt: plan.prompt, warn },
        clock,
        situation.model_ms,
      )
    : createScriptedBrain(plan.missingVariables, context, clock, situation.model_ms);

  const facts = new CollectedFacts();
  const agent = new HeardAgent(clock);
  let isLimited = false;
  const limit = () => {
    if (virtual.isOver) return;
    isLimited = true;
    virtual.conversation.close({ reason: 'error', by: 'system' });
  };
  const virtual: VirtualCall = new VirtualCall({
    plan: { ...plan, background: undefined } satisfies Plan,
    brain,
    clock,
    line: {
      frame: agent.frame,
      clear: agent.clear,
      state: agent.state,
      press: () => Promise.resolve(),
    },
    report: {
      turn: ({ speaker, text, startedAt: began, tool }) => {
        if (speaker === 'agent') agent.lastTurn = text;
        const asked = mocks.find(tool?.arguments);
        facts.add({
          speaker,
          text,
          at_ms: Math.max(0, Math.round((asked?.at ?? began).getTime() - zero)),
          ...(tool && {
            tool: {
              name: tool.name,
              arguments: tool.arguments as Record<string, unknown>,
              result: toReadResult(tool.result),
              closed: asked?.isClosed ?? false,
            },
          }),
        });
        // An agent that says goodbye now ends the conversation by itself.
        if (facts.isFull) clock.after(0, limit);
        return undefined;
      },
      problem: (sentence) => warn('service_failed', sentence),
    },
  });
  const { conversation } = virtual;
  let seconds = 0;
  void conversation.ended.then(() => (seconds = (clock.now() - startedAt) / 1_000));
  const stop = () => conversation.close({ reason: 'error', by: 'system' });
  const aborted = new Promise<never>((_, reject) => {
    const abort = () => {
      stop();
      reject(signal.reason as Error);
    };
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
  aborted.catch(() => undefined);
  const play = async (): Promise<RehearsalFacts> => {
    signal.throwIfAborted();
    clock.after(MAX_MS, limit);
    const script = new RehearsedPerson(person, virtual, agent, !plan.spoken);
    conversation.start();
    await script.speak();
    const end = await conversation.ended;
    await virtual.settle();
    const { outcome, variables } = await conclude(brain, conversation, warn, signal);
    signal.throwIfAborted();
    return facts.toFacts(
      {
        end: end as RehearsalFacts['end'],
        variables: { ...variables, ...conversation.variables },
        outcome,
        figures: {
          turns: 0,
          turn_gap_ms_p95: findGap(conversation.figures),
          interrupted_ms: agent.interruptedMs,
          seconds,
          tokens: brain.tokens,
        },
      },
      isLimited,
    );
  };
  return Promise.race([play(), aborted]);
}

/** The search in the knowledge bases, if the agent has some. A real one takes no virtual time. */
function createSearch(
  call: Pick<Call, 'start' | 'search'>,
  { knowledge }: RehearsalOfCall['situation'],
  clock: VirtualClock,
): Search | undefined {
  if (call.start.knowledge_bases.length === 0) return undefined;
  if (knowledge) {
    const items = knowledge.map(({ on, passages }) => ({ fits: compilePattern(on), passages }));
    return (query) =>
      Promise.resolve((items.find(({ fits }) => fits(query))?.passages ?? []).map((text) => ({ text })));
  }
  return async (query) => {
    const release = clock.hold();
    try {
      return (await call.search(query)).map(({ text, source_name: source }) => ({ text, source }));
    } finally {
      release();
    }
  };
}

/** A rehearsal keeps its end also if nobody can say what it was about. */
async function conclude(
  brain: Brain,
  { messages }: Conversation,
  warn: RehearsalParts['warn'],
  signal: AbortSignal,
): Promise<Pick<Conclusion, 'outcome' | 'variables'>> {
  try {
    const limit = AbortSignal.timeout(1.5 * concludeWithin(undefined));
    return await brain.conclude(messages, AbortSignal.any([signal, limit]));
  } catch (error) {
    if (!signal.aborted) warn('service_failed', `There is no outcome: ${describeError(error)}`);
    return { outcome: '', variables: {} };
  }
}

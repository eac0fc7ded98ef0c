import type { Call, CallStart, RehearsalOfCall } from '@parley/worker';
import type { Plan } from '../agent/plan';
import { resolveAgent } from '../agent/resolve-agent';
import type { Brain, Search } from '../brain/brain';
import type { ChatModel } from '../brain/chat-completions';
import type { ToolContext } from '../brain/tools';
import { REALTIME } from '../speech/speech';
import type { MockedTools } from './mocked-tools';
import { Patterns } from './patterns';
import type { Stage } from './stage';

/** Providers of speech that an agent may name. They are not missed, because none is asked. */
const [RECOGNIZERS, VOICES] = [new Set(['deepgram']), new Set(['elevenlabs'])];

/** A number that nobody has, in the place of those of transfers. */
const NOBODY = '+15550000000';

/** Addresses and keys of language models, by the agent's word for the provider. */
export type Models = ReadonlyMap<string, { baseUrl: string; apiKey: string }>;

export interface RehearsalParts {
  models: Models;
  /** Reports what operators should know. */
  warn: (code: string, text: string) => void;
}

/** The call of a rehearsal, as far as its agent needs it. */
export type RehearsedCall = Pick<Call, 'start' | 'search'>;

interface AgentParts extends RehearsalParts {
  stage: Stage;
  mocks: MockedTools;
  phone: Pick<ToolContext, 'press' | 'optOut'>;
}

/**
 * The agent of a rehearsal: its own model, with tools that are answered here.
 * @returns the model, which is undefined for the scripted assistant
 * @throws Error if it has no text
 */
export function createAgent(
  call: RehearsedCall,
  rehearsal: RehearsalOfCall,
  { models, warn, stage, mocks, phone }: AgentParts,
): { plan: Plan; brain: Brain; model?: ChatModel } {
  const { situation } = rehearsal;
  const { clock } = stage;
  const { plan, warnings, model } = resolveRehearsed(call, rehearsal, models, clock.date());
  const { provider } = plan.language;
  for (const { code, text } of warnings) warn(code, text);
  const context = {
    variables: plan.missingVariables,
    search: createSearch(call, situation, stage),
    transfers: plan.transfers,
    ...(situation.call_type === 'phonecall' && phone),
    tools: plan.tools,
    ask: (name: string, given: Record<string, unknown>) => mocks.ask(name, given),
    clock,
    ...{ provider, prompt: plan.prompt, warn },
  };
  const brain = stage.createBrain(model, context, situation.model_ms);
  // Nobody hears the noise behind the voice.
  return { plan: { ...plan, background: undefined }, brain, model };
}

/**
 * @returns the plan of the agent, and its language model, which is undefined for the scripted assistant
 * @throws Error if it has no text
 */
export function resolveRehearsed(
  { start }: RehearsedCall,
  { situation, seed }: RehearsalOfCall,
  models: Models,
  now: Date,
): ReturnType<typeof resolveAgent> & { model?: ChatModel } {
  const { plan, warnings } = resolveAgent(
    { ...start, call_type: situation.call_type, agent: withTransfers(start) },
    { models: new Set([...models.keys(), REALTIME]), recognizers: RECOGNIZERS, voices: VOICES },
    now,
  );
  const { provider, model } = plan.language;
  if (provider === REALTIME)
    throw new Error(`The model ${model} hears and speaks, so a rehearsal cannot ask it.`);
  const server = models.get(provider);
  return { plan, warnings, model: server && { ...server, ...plan.language, seed } };
}

/** An action that is no tool may be a transfer. Its number is not sent, since nobody is called. */
function withTransfers({ agent, tools = [] }: CallStart): CallStart['agent'] {
  const isTool = (action: string) => tools.some(({ name }) => name === action);
  return {
    ...agent,
    actions: agent.actions.map((action) =>
      isTool(action) ? action : `${action.split(' ', 1)[0]} tel:${NOBODY}`,
    ),
  };
}

/** The search in the knowledge bases, if there is something to find. A real one takes no virtual time. */
function createSearch(
  call: RehearsedCall,
  { knowledge }: RehearsalOfCall['situation'],
  stage: Stage,
): Search | undefined {
  if (knowledge) {
    const patterns = new Patterns();
    const items = knowledge.map(({ on, passages }) => ({ fits: patterns.compile(on), passages }));
    return (query) =>
      Promise.resolve((items.find(({ fits }) => fits(query))?.passages ?? []).map((text) => ({ text })));
  }
  if (call.start.knowledge_bases.length === 0) return undefined;
  return async (query) => {
    const release = stage.hold();
    try {
      return (await call.search(query)).map(({ text, source_name: source }) => ({ text, source }));
    } finally {
      release();
    }
  };
}

import type { CallRequest } from '../../calls/model/call-request';
import type { CallType, Direction, DisconnectReason, Party } from '../../calls/model/call-states';
import type { FoundTurn } from '../../reports/call-records/transcripts.repository';
import type { ToolInvocation } from '../../tool-invocations/tool-invocation.entity';
import type { Check, Person, RehearsalDefinition, ToolMock } from '../rehearsal-definition';
import { MAX_CHECKS, MAX_FAIL, MAX_LINES, MAX_MOCKS, MAX_SAID } from '../rehearsals.dto';
import { type Replaced, StandIns } from './stand-ins';

/** A call that has ended, as far as a rehearsal can have it. */
export interface CallToRehearse {
  direction: Direction;
  callType: CallType;
  request: Partial<CallRequest>;
  disconnectReason: DisconnectReason | null;
  disconnectedBy: Party | null;
  /** null: a web call */
  personNumber: string | null;
}

export type SaidTurn = Pick<FoundTurn, 'speaker' | 'text'>;

export type AskedTool = Pick<ToolInvocation, 'tool' | 'arguments' | 'state' | 'result' | 'error' | 'repeats'>;

export interface MadeRehearsal {
  personNumber: string | null;
  definition: RehearsalDefinition;
  replaced: Replaced;
}

/**
 * Makes a rehearsal of a call: the words of the person, the answers of the tools, and checks for both and for the end. Each
 * text that tells who the person is has a stand-in.
 * @returns undefined if the person said nothing
 */
export function toRehearsal(
  call: CallToRehearse,
  turns: readonly SaidTurn[],
  tools: readonly AskedTool[],
): MadeRehearsal | undefined {
  const { customer_name = '', dynamic_variables = {} } = call.request;
  const standIns = new StandIns(customer_name, dynamic_variables);
  const person = toPerson(turns, standIns);
  if (!person) return undefined;
  const asked = groupByAsking(tools.map((tool) => withStandIns(tool, standIns)));
  const variables = Object.entries(dynamic_variables);
  const definition = {
    person,
    situation: {
      ...{ direction: call.direction, call_type: call.callType },
      ...(customer_name !== '' && { customer_name: standIns.inText(customer_name) }),
      ...(variables.length > 0 && {
        variables: Object.fromEntries(variables.map(([name, value]) => [name, standIns.ofVariable(value)])),
      }),
    },
    tools: asked.map((group) => toMock(group, asked)).slice(0, MAX_MOCKS),
    checks: [
      ...[...new Set(asked.map(({ tool }) => tool))]
        .map((name) => toCheck(name, asked))
        .slice(0, MAX_CHECKS - 1),
      { ended: { by: call.disconnectedBy ?? undefined, reason: call.disconnectReason ?? undefined } },
    ],
  };
  return {
    personNumber: call.personNumber,
    definition: JSON.parse(JSON.stringify(definition)) as RehearsalDefinition,
    replaced: standIns.replaced,
  };
}

/** The words of the person one after the other, whatever the agent says in between. */
function toPerson(turns: readonly SaidTurn[], standIns: StandIns): Person | undefined {
  const said = turns.flatMap(({ speaker, text }, at) =>
    speaker === 'user' && text.trim() !== '' ? [{ at, text: text.trim() }] : [],
  );
  const [first] = said;
  if (!first) return undefined;
  const greets = turns.slice(0, first.at).every(({ speaker }) => speaker !== 'agent');
  // It is cut last, because a part of a known text is not found.
  const say = (spoken: string) => standIns.inText(spoken).slice(0, MAX_SAID).toWellFormed();
  const lines = said.slice(greets ? 1 : 0).slice(0, MAX_LINES);
  return {
    ...(greets && { hello: say(first.text) }),
    lines: lines.map((line) => ({ say: say(line.text) })),
  };
}

const withStandIns = (tool: AskedTool, standIns: StandIns): AskedTool => ({
  ...tool,
  arguments: standIns.inJson(tool.arguments) as AskedTool['arguments'],
  result: standIns.inJson(tool.result),
  error: tool.error === null ? null : standIns.inText(tool.error),
});

/** A tool with the same arguments, and how often it was asked for. */
interface Asking extends AskedTool {
  times: number;
}

function groupByAsking(tools: readonly AskedTool[]): Asking[] {
  const groups = new Map<string, Asking>();
  for (const tool of tools) {
    const key = JSON.stringify([tool.tool, tool.arguments]);
    groups.set(key, { ...tool, times: (groups.get(key)?.times ?? 0) + 1 + tool.repeats });
  }
  return [...groups.values()];
}

/** The arguments count only where a tool was asked for with several. */
function toMock({ tool: name, arguments: match, ...answer }: Asking, all: readonly Asking[]): ToolMock {
  const isOnly = all.filter(({ tool }) => tool === name).length === 1;
  return { name, ...(!isOnly && { match }), ...toAnswer(answer) };
}

function toAnswer({ state, result, error }: Omit<Asking, 'tool' | 'arguments'>): Partial<ToolMock> {
  if (state === 'done') return { answer: result };
  if (state === 'failed' || state === 'refused')
    return { fail: (error ?? state).slice(0, MAX_FAIL).toWellFormed() };
  return { never: true };
}

/** A check compares a part of the arguments, so several askings for a tool are counted together. */
function toCheck(name: string, all: readonly Asking[]): Check {
  const asked = all.filter(({ tool }) => tool === name);
  const [only] = asked.length === 1 ? asked : [];
  return {
    tool: {
      name,
      ...(only && { arguments: only.arguments }),
      times: asked.reduce((sum, { times }) => sum + times, 0),
    },
  };
}

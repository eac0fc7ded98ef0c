import type {
  CallStart,
  MockedTool,
  RehearsalOfCall,
  RehearsedPerson,
  ToolRules,
} from '../../../platform/messaging/wire';
import { AGENT_TYPE } from '../../agents/agent-types';
import type { AgentConfiguration } from '../../agents/agent-versions.service';
import { toCallRequest } from '../../calls/model/call-request';
import { createCallStart } from '../../calls/model/call-start.message';
import { CALL_TYPE, type CallType, DIRECTION, getDefaultChannel } from '../../calls/model/call-states';
import { findResults } from '../../tool-invocations/tool-results';
import { toArgumentRules } from '../../tools/argument-rules';
import { DEFAULT_TIMEOUT_MS, type OfferedTool } from '../../tools/tool-definition';
import type { Person, RehearsalDefinition, ToolMock } from '../rehearsal-definition';
import { listCriteria } from './grade';
import type { OfferedRehearsal } from './rehearsal-plays.repository';

const DEFAULT_NOW = '2026-06-15T09:00:00.000Z';
const DEFAULT_MODEL_MS = 600;
const DEFAULT_AFTER_MS = 500;
const DEFAULT_MAX_TURNS = 20;

/** The message that offers a rehearsal to runtimes, with no number and no address in it. */
export function createRehearsalStart(
  rehearsal: Omit<OfferedRehearsal, 'configuration'>,
  configuration: AgentConfiguration,
): CallStart {
  const { definition, expiresAt, createdAt, ...ids } = rehearsal;
  const { situation } = definition;
  const { type = '' } = configuration.snapshot as { type?: string };
  const callType = findCallType(type, definition);
  const start = createCallStart(
    {
      ...{ ...ids, createdAt, expiresAt, campaignId: null, timeLeftMs: 0 },
      callType,
      direction: situation.direction ?? DIRECTION.outbound,
      channel: getDefaultChannel(type),
      ...{ toNumber: '', fromNumber: '' },
      request: toCallRequest({
        dynamic_variables: situation.variables,
        customer_name: situation.customer_name,
      }),
    },
    configuration,
  );
  return {
    ...start,
    call_type: 'rehearsal',
    agent: { ...start.agent, actions: listActions(start) },
    rehearsal: toRehearsal(rehearsal, callType, configuration.tools),
  };
}

const findCallType = (type: string, { situation }: RehearsalDefinition): CallType =>
  situation.call_type ??
  (type === AGENT_TYPE.chat || type === AGENT_TYPE.hybrid ? CALL_TYPE.webcall : CALL_TYPE.phonecall);

/** The names of tools and transfers: `sales tel:+15551234567` and `book https://…` are `sales` and `book`. */
const listActions = ({ agent, tools }: CallStart): string[] =>
  agent.actions.flatMap((action) => {
    const [name = '', address] = action.trim().split(/\s+/, 2);
    const isTransfer = address?.startsWith('tel:') ?? false;
    return isTransfer || tools.some((tool) => tool.name === name) ? [name] : [];
  });

function toRehearsal(
  { runId, name, repeat, mode, seed, definition, played }: Omit<OfferedRehearsal, 'configuration'>,
  call_type: CallType,
  tools: readonly OfferedTool[],
): RehearsalOfCall {
  const { person, situation, tools: mocks, checks } = definition;
  const message = {
    ...{ run_id: runId, name, repeat, mode, seed },
    situation: {
      call_type,
      now: situation.now ?? DEFAULT_NOW,
      model_ms: situation.model_ms ?? DEFAULT_MODEL_MS,
      knowledge: Array.isArray(situation.knowledge) ? situation.knowledge : null,
    },
  };
  if (mode === 'joined') return message;
  const findTool = (wanted: string) => tools.find((tool) => tool.name === wanted);
  return {
    ...message,
    person: toPerson(person),
    tools: mocks.map((mock) => toMock(mock, findTool(mock.name))),
    tool_rules: tools.map(toRules),
    ...(played && { judge: { criteria: listCriteria(checks), turns: played } }),
  };
}

/** @param tool undefined: the agent has none with this name */
function toMock({ after_ms = 0, ...mock }: ToolMock, tool?: OfferedTool): MockedTool {
  const variables = findResults(tool?.results ?? [], mock.answer);
  return {
    ...{ ...mock, after_ms, timeout_ms: tool?.timeout_ms ?? DEFAULT_TIMEOUT_MS },
    ...(Object.keys(variables).length > 0 && { variables }),
  };
}

function toRules(tool: OfferedTool): ToolRules {
  const { parameters, fixed, path } = toArgumentRules(tool);
  // The runtime has the parameters with the tool.
  return { name: tool.name, compares: parameters !== undefined, fixed: [...fixed], path: [...path] };
}

/** The person of a rehearsal, with what a definition may leave out. */
export const toPerson = ({
  hello,
  lines,
  voicemail,
  persona,
  model,
  max_turns = DEFAULT_MAX_TURNS,
  interrupts,
}: Person): RehearsedPerson => ({
  ...(hello !== undefined && { hello }),
  ...(lines && {
    lines: lines.map(({ times = 1, after_ms = DEFAULT_AFTER_MS, ...line }) => ({
      ...{ ...line, times, after_ms },
    })),
  }),
  ...(voicemail !== undefined && { voicemail }),
  ...(persona !== undefined && { persona, max_turns, ...(model !== undefined && { model }) }),
  ...(interrupts && { interrupts }),
});

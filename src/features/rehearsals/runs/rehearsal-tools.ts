import { Injectable, type OnModuleInit } from '@nestjs/common';
import { isPart } from '@parley/voice';
import { setTimeout as pause } from 'node:timers/promises';
import { uuidv7 } from 'uuidv7';
import { keyReused } from '../../../accounts/idempotency/idempotency.errors';
import { AgentVersionsService, toConfiguration } from '../../agents/agent-versions.service';
import { callNotFound } from '../../calls/model/calls.errors';
import type { OfferedTool } from '../../tools/tool-definition';
import type { Wait } from '../../tool-invocations/invocation-waits';
import { findResults } from '../../tool-invocations/tool-results';
import type { AskedInvocationDto, InvocationDto } from '../../tool-invocations/tool-invocations.dto';
import {
  invocationNotFound,
  invocationsLimitReached,
  MAX_INVOCATIONS_OF_CALL,
} from '../../tool-invocations/tool-invocations.errors';
import {
  type RehearsedAsking,
  type RehearsedTools,
  ToolInvocationsService,
} from '../../tool-invocations/tool-invocations.service';
import type { ToolUse } from './joined-parts';
import { type RehearsedUses, RehearsalPlaysRepository } from './rehearsal-plays.repository';

const CLOSED = 'The rehearsal has no answer for it.';
const NOT_KNOWN = 'The tool has not answered in time.';
/** The arguments of all uses, as JSON. */
const MAX_CHARACTERS = 262_144;

/** Answers the tools of rehearsals in the mode `joined` with their mocks. */
@Injectable()
export class RehearsalTools implements RehearsedTools, OnModuleInit {
  constructor(
    private readonly plays: RehearsalPlaysRepository,
    private readonly versions: AgentVersionsService,
    private readonly invocations: ToolInvocationsService,
  ) {}

  onModuleInit(): void {
    this.invocations.setRehearsals(this);
  }

  async listTools(workspaceId: string, callId: string): Promise<readonly OfferedTool[]> {
    const found = await this.plays.findConfiguration(workspaceId, callId);
    if (!found) throw callNotFound();
    const { configuration, ...version } = found;
    const played = configuration
      ? toConfiguration(configuration)
      : await this.versions.getConfiguration({ workspaceId, ...version });
    return played.tools;
  }

  /** @throws 404 if the runtime answers the tools, 422, 429 */
  async ask(asking: RehearsedAsking, wait: Wait): Promise<AskedInvocationDto> {
    const { workspaceId, callId } = asking;
    const used = await this.plays.useTool(workspaceId, callId, (known) => chooseUse(asking, known));
    if (!used) throw callNotFound();
    return { ...(await present(used.use, wait)), repeated: !used.isNew };
  }

  async get(workspaceId: string, callId: string, id: string, wait: Wait): Promise<InvocationDto> {
    const use = await this.plays.findToolUse(workspaceId, callId, id);
    if (!use) throw invocationNotFound();
    return present(use, wait);
  }
}

/** The first mock that fits, and has uses left, answers. @throws 422, 429 */
export function chooseUse(
  { tool, arguments: given, key }: Pick<RehearsedAsking, 'tool' | 'arguments' | 'key'>,
  { mocks, uses }: RehearsedUses,
): { use: ToolUse; isNew: boolean } {
  const known = uses.find((use) => use.key === key);
  if (known && known.name !== tool.name) throw keyReused();
  if (known) return { use: known, isNew: false };
  if (uses.length >= MAX_INVOCATIONS_OF_CALL || JSON.stringify([uses, given]).length > MAX_CHARACTERS)
    throw invocationsLimitReached();
  const place = mocks.findIndex(
    ({ name, times = Infinity, match = {} }, index) =>
      name === tool.name && uses.filter(({ mock }) => mock === index).length < times && isPart(match, given),
  );
  const mock = mocks[place];
  const { after_ms: afterMs = 0, never, fail, answer = null } = mock ?? { fail: CLOSED };
  const isLate = never === true || afterMs > tool.timeout_ms;
  const askedAt = Date.now();
  const use = {
    ...{ id: uuidv7(), key, name: tool.name, arguments: given, mock: mock ? place : null, askedAt },
    dueAt: askedAt + (isLate ? tool.timeout_ms : afterMs),
  };
  if (isLate) return { use: { ...use, state: 'unknown', result: null, error: NOT_KNOWN }, isNew: true };
  return {
    use:
      fail === undefined
        ? { ...use, state: 'done', result: answer, error: null, variables: findResults(tool.results, answer) }
        : { ...use, state: 'failed', result: null, error: fail },
    isNew: true,
  };
}

/** Shows a use when its time has come, or the waiting is over. */
async function present(
  { id, dueAt, arguments: given, ...use }: ToolUse,
  { waitMs, clientGone }: Wait,
): Promise<InvocationDto> {
  const leftMs = dueAt - Date.now();
  await pause(Math.max(0, Math.min(leftMs, waitMs)), undefined, { signal: clientGone });
  const running = { state: 'running' as const, result: null, error: null, variables: {} };
  const { state, result, error, variables = {} } = leftMs <= waitMs ? use : running;
  return { invocation_id: id, state, result, error, arguments: given, variables };
}

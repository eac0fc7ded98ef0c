import { Inject, Injectable } from '@nestjs/common';
import { toolsBusy } from '../tools/tools.errors';
import { isUUID } from 'class-validator';
import { createHash, randomUUID } from 'node:crypto';
import { stringify } from 'safe-stable-stringify';
import { uuidv7 } from 'uuidv7';
import { CONFIG, type Config } from '../../config';
import { agentsInScope, type Caller } from '../../platform/http/access';
import type { ApiError } from '../../platform/http/errors';
import { keyReused } from '../../accounts/idempotency/idempotency.errors';
import { AgentVersionsService } from '../agents/agent-versions.service';
import { callEnded, callNotFound } from '../calls/model/calls.errors';
import { isRehearsalId } from '../calls/model/rehearsal-id';
import type { OfferedTool } from '../tools/tool-definition';
import { findArgumentsError } from './arguments-error';
import { InvocationWaits, type Wait } from './invocation-waits';
import type {
  AskedInvocationDto,
  AskToolDto,
  InvocationDto,
  ListedInvocationDto,
} from './tool-invocations.dto';
import {
  invocationNotFound,
  invocationsLimitReached,
  MAX_INVOCATIONS_OF_CALL,
  notConfirmed,
  toolNotOfAgent,
} from './tool-invocations.errors';
import { presentInvocation, presentListed } from './tool-invocations.presenter';
import {
  type InvocationRow,
  type RecordedInvocation,
  ToolInvocationsRepository,
} from './tool-invocations.repository';
import { ToolPlaces } from '../tools/tool-places';
import { getLeaseMs, getWaitMs, ToolSender } from './tool-sender';

/** Two askings for the same at once find each other at the second attempt. */
const MAX_ATTEMPTS = 3;

/** The asking for a tool, which the credential of the call and the schema of the tool allow. */
export interface RehearsedAsking {
  workspaceId: string;
  callId: string;
  tool: OfferedTool;
  arguments: Record<string, unknown>;
  key: string;
}

/** Answers the tools of rehearsals, which are no calls of people. */
export interface RehearsedTools {
  /** The tools of what it plays, which may be stored in no version. @throws 404 */
  listTools(workspaceId: string, callId: string): Promise<readonly OfferedTool[]>;
  /** @throws 404, 422, 429 */
  ask(asking: RehearsedAsking, wait: Wait): Promise<AskedInvocationDto>;
  /** @throws 404 */
  get(workspaceId: string, callId: string, id: string, wait: Wait): Promise<InvocationDto>;
}

@Injectable()
export class ToolInvocationsService {
  private rehearsals?: RehearsedTools;

  constructor(
    private readonly invocations: ToolInvocationsRepository,
    private readonly versions: AgentVersionsService,
    private readonly sender: ToolSender,
    private readonly waits: InvocationWaits,
    private readonly places: ToolPlaces,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Registers the feature that has them. This feature must not import it. */
  setRehearsals(rehearsals: RehearsedTools): void {
    this.rehearsals = rehearsals;
  }

  /**
   * Records what the runtime of a call asks for, sends it once, and waits for its end.
   * @param key the same for a repeated request
   * @throws 404, 409, 422, 429
   */
  async ask(
    caller: Caller,
    callId: string,
    name: string,
    body: AskToolDto,
    { key = randomUUID(), clientGone }: { key?: string; clientGone: AbortSignal },
  ): Promise<AskedInvocationDto> {
    const id = findOwnCall(caller, callId);
    const tool = await this.findTool(caller, id, name, body);
    const waitMs = body.wait_ms ?? getWaitMs(tool);
    if (this.rehearsals && isRehearsalId(id)) {
      const asking = { workspaceId: caller.workspaceId, callId: id, tool, arguments: body.arguments, key };
      return this.rehearsals.ask(asking, { waitMs, clientGone });
    }
    const { invocation, isNew } = await this.record(caller, id, tool, body, key);
    const end = await this.waits.wait(invocation, { waitMs, clientGone });
    return { ...presentInvocation(end), repeated: !isNew };
  }

  /** @throws 404 */
  async get(caller: Caller, callId: string, id: string, wait: Wait): Promise<InvocationDto> {
    const { workspaceId } = caller;
    const ownId = findOwnCall(caller, callId);
    if (this.rehearsals && isRehearsalId(ownId)) return this.rehearsals.get(workspaceId, ownId, id, wait);
    const found = await this.invocations.find(workspaceId, ownId, id);
    if (!found) throw invocationNotFound();
    return presentInvocation(await this.waits.wait(found, wait));
  }

  /** @throws 404 */
  async list(caller: Caller, callId: string): Promise<ListedInvocationDto[]> {
    const scope = agentsInScope(caller)?.filter((id) => isUUID(id)) ?? null;
    const found = await this.invocations.list(caller.workspaceId, scope, callId);
    if (!found) throw callNotFound();
    return found.map(presentListed);
  }

  /** @throws 404, 409, 422; after the end of the call 409 */
  private async findTool(
    { workspaceId, credential: { agentOfCall } }: Caller,
    callId: string,
    name: string,
    body: AskToolDto,
  ): Promise<OfferedTool> {
    if (!agentOfCall) throw callNotFound();
    const tools =
      this.rehearsals && isRehearsalId(callId)
        ? await this.rehearsals.listTools(workspaceId, callId)
        : (await this.versions.getConfiguration({ workspaceId, ...agentOfCall })).tools;
    const { endedAs } = agentOfCall;
    const refuse = (error: ApiError) => (endedAs === null ? error : callEnded(endedAs, 'given a tool'));
    const tool = tools.find((each) => each.name === name);
    if (!tool) throw refuse(toolNotOfAgent(name));
    const error = findAskingError(tool, body);
    if (error) throw refuse(error);
    return tool;
  }

  private async record(
    { workspaceId, credential }: Caller,
    callId: string,
    tool: OfferedTool,
    { arguments: given }: AskToolDto,
    key: string,
  ): Promise<{ invocation: InvocationRow; isNew: boolean }> {
    const release = this.places.tryAcquire(workspaceId);
    let isRunning = false;
    try {
      for (let attempts = 1; attempts <= MAX_ATTEMPTS; attempts += 1) {
        const recorded = await this.invocations.record({
          ...{ id: uuidv7(), workspaceId, callId, key, arguments: given },
          ...{ toolId: tool.tool_id, tool: tool.name, sameAs: identify(tool, given) },
          leaseMs: getLeaseMs(tool),
          mayBegin: release !== undefined,
          maxOfCall: MAX_INVOCATIONS_OF_CALL,
          maxRunning: this.config.TOOL_CONCURRENCY,
        });
        if (!recorded) throw callNotFound();
        const { invocation, leaseUntil } = recorded;
        if (invocation && leaseUntil) {
          isRunning = true;
          const { agentId = '' } = credential.agentOfCall ?? {};
          const work = { ...recorded, id: invocation.id, workspaceId, callId, agentId, leaseUntil };
          void this.sender.start({ ...work, tool, arguments: given, wasSent: false }).finally(release);
        }
        if (invocation && invocation.tool !== tool.name) throw keyReused();
        if (invocation) return { invocation, isNew: leaseUntil !== null };
        const refusal = this.findRefusal(recorded, release !== undefined, tool);
        if (refusal) throw refusal;
      }
    } finally {
      if (!isRunning) release?.();
    }
    throw toolsBusy();
  }

  /** @returns undefined if another asking for the same was recorded at this moment */
  private findRefusal(
    { status, hasEnded, secrets, ofCall, running }: RecordedInvocation,
    hasPlace: boolean,
    { name }: OfferedTool,
  ): Error | undefined {
    if (hasEnded) return callEnded(status, 'given a tool');
    if (secrets === null) return toolNotOfAgent(name);
    if (ofCall >= MAX_INVOCATIONS_OF_CALL) return invocationsLimitReached();
    return !hasPlace || running >= this.config.TOOL_CONCURRENCY ? toolsBusy() : undefined;
  }
}

/** @throws 404 for another call than that of the credential */
function findOwnCall({ credential }: Caller, callId: string): string {
  if (credential.callId !== callId.toLowerCase()) throw callNotFound();
  return credential.callId;
}

const findAskingError = (tool: OfferedTool, { arguments: given, confirmed }: AskToolDto) =>
  findArgumentsError(tool, given) ?? (tool.confirm && !confirmed ? notConfirmed() : undefined);

/** RFC 8785: two askings with the same arguments have the same text. */
function identify(
  { effect, once_by, tool_id, name }: OfferedTool,
  given: Record<string, unknown>,
): string | null {
  if (effect !== 'once') return null;
  const named = once_by ? Object.fromEntries(once_by.map((name) => [name, given[name]])) : given;
  return createHash('sha256')
    .update(stringify([tool_id, name, named]))
    .digest('base64');
}

import { Inject, Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { stringify } from 'safe-stable-stringify';
import { uuidv7 } from 'uuidv7';
import { CONFIG, type Config } from '../../config';
import { agentsInScope, type Caller } from '../../platform/http/access';
import { WorkspaceSemaphore } from '../../platform/limits/workspace-semaphore';
import { keyReused } from '../../accounts/idempotency/idempotency.errors';
import { AgentVersionsService } from '../agents/agent-versions.service';
import { callEnded, callNotFound } from '../calls/model/calls.errors';
import { findArgumentProblems } from '../tools/tool-arguments';
import type { PinnedTool } from '../tools/tool-definition';
import { INVOCATION_STATE } from './tool-invocation.entity';
import type {
  AskedInvocationDto,
  AskToolDto,
  InvocationDto,
  ListedInvocationDto,
} from './tool-invocations.dto';
import {
  argumentsInvalid,
  invocationNotFound,
  invocationsLimitReached,
  MAX_INVOCATIONS_OF_CALL,
  notConfirmed,
  toolNotOfAgent,
  toolsBusy,
} from './tool-invocations.errors';
import { presentInvocation, presentListed } from './tool-invocations.presenter';
import {
  type InvocationRow,
  type RecordedInvocation,
  ToolInvocationsRepository,
} from './tool-invocations.repository';
import { ToolSender } from './tool-sender';

/** The time of an invocation beyond that of its tool, in which its server settles it. */
const SETTLING_MS = 10_000;

const POLL_MS = 250;

/** Two askings for the same at once find each other at the second attempt. */
const MAX_ATTEMPTS = 3;

@Injectable()
export class ToolInvocationsService {
  private readonly places: WorkspaceSemaphore;

  constructor(
    private readonly invocations: ToolInvocationsRepository,
    private readonly versions: AgentVersionsService,
    private readonly sender: ToolSender,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    this.places = new WorkspaceSemaphore({
      permits: config.TOOL_CONCURRENCY,
      waitSeconds: 0,
      busy: toolsBusy,
    });
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
    const tool = await this.findTool(caller, name);
    const problems = findArgumentProblems(tool.parameters, body.arguments);
    if (problems.length > 0) throw argumentsInvalid(problems);
    if (tool.confirm && !body.confirmed) throw notConfirmed();
    const { invocation, isNew } = await this.record(caller, id, tool, body, key);
    const waitMs = body.wait_ms ?? (tool.mode === 'background' ? 0 : tool.timeout_ms + SETTLING_MS);
    const end = await this.wait(caller.workspaceId, id, invocation, waitMs, clientGone);
    return { ...presentInvocation(end), repeated: !isNew };
  }

  /** @throws 404 */
  async get(
    caller: Caller,
    callId: string,
    id: string,
    { waitMs, clientGone }: { waitMs: number; clientGone: AbortSignal },
  ): Promise<InvocationDto> {
    const { workspaceId } = caller;
    const ownId = findOwnCall(caller, callId);
    const found = await this.invocations.find(workspaceId, ownId, id);
    if (!found) throw invocationNotFound();
    return presentInvocation(await this.wait(workspaceId, ownId, found, waitMs, clientGone));
  }

  /** @throws 404 */
  async list(caller: Caller, callId: string): Promise<ListedInvocationDto[]> {
    const scope = agentsInScope(caller)?.filter((id) => isUUID(id)) ?? null;
    const found = await this.invocations.list(caller.workspaceId, scope, callId);
    if (!found) throw callNotFound();
    return found.map(presentListed);
  }

  private async findTool({ workspaceId, credential }: Caller, name: string): Promise<PinnedTool> {
    const { agentOfCall } = credential;
    if (!agentOfCall) throw callNotFound();
    const tools = await this.versions.getTools({ workspaceId, ...agentOfCall });
    const tool = tools.find((each) => each.name === name);
    if (!tool) throw toolNotOfAgent(name);
    return tool;
  }

  private async record(
    { workspaceId, credential }: Caller,
    callId: string,
    tool: PinnedTool,
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
          leaseMs: tool.timeout_ms + SETTLING_MS,
          mayBegin: release !== undefined,
          maxOfCall: MAX_INVOCATIONS_OF_CALL,
          maxRunning: this.config.TOOL_CONCURRENCY,
        });
        if (!recorded) throw callNotFound();
        const { invocation, isNew } = recorded;
        if (invocation && isNew) {
          isRunning = true;
          const work = { ...recorded, id: invocation.id, workspaceId, callId, tool, arguments: given };
          const { agentId = '' } = credential.agentOfCall ?? {};
          void this.sender.start({ ...work, agentId }).finally(release);
        }
        if (invocation && invocation.tool !== tool.name) throw keyReused();
        if (invocation) return { invocation, isNew };
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
    { name }: PinnedTool,
  ): Error | undefined {
    if (hasEnded) return callEnded(status, 'given a tool');
    if (secrets === null) return toolNotOfAgent(name);
    if (ofCall >= MAX_INVOCATIONS_OF_CALL) return invocationsLimitReached();
    return !hasPlace || running >= this.config.TOOL_CONCURRENCY ? toolsBusy() : undefined;
  }

  /** Waits until the invocation is settled, wherever it runs, or the time is over. */
  private async wait(
    workspaceId: string,
    callId: string,
    invocation: InvocationRow,
    waitMs: number,
    clientGone: AbortSignal,
  ): Promise<InvocationRow> {
    const end = performance.now() + waitMs;
    let found = invocation;
    while (found.state === INVOCATION_STATE.running && performance.now() < end) {
      const left = Math.max(1, end - performance.now());
      const here = this.sender.findRunning(found.id);
      const time = new AbortController();
      const signal = AbortSignal.any([clientGone, time.signal]);
      const waiting = pause(here ? left : Math.min(POLL_MS, left), undefined, { signal });
      const settled = await Promise.race([waiting, ...(here ? [here] : [])]).finally(() => time.abort());
      waiting.catch(() => undefined);
      found = settled ?? (await this.invocations.find(workspaceId, callId, found.id)) ?? found;
    }
    return found;
  }
}

/** @throws 404 for another call than that of the credential */
function findOwnCall({ credential }: Caller, callId: string): string {
  if (credential.callId !== callId.toLowerCase()) throw callNotFound();
  return credential.callId;
}

/** RFC 8785: two askings with the same arguments have the same text. */
function identify({ effect, once_by, tool_id }: PinnedTool, given: Record<string, unknown>): string | null {
  if (effect !== 'once') return null;
  const named = once_by ? Object.fromEntries(once_by.map((name) => [name, given[name]])) : given;
  return createHash('sha256')
    .update(stringify([tool_id, named]))
    .digest('base64');
}

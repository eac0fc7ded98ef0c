import { type BeforeApplicationShutdown, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { retry } from '../../platform/messaging/retry';
import { settleWithin } from '../../platform/messaging/settle-within';
import { leaveRequest, runForWorkspace } from '../../platform/http/request-context';
import { WebhookSecretsService } from '../webhooks/webhook-secrets.service';
import type { OfferedTool } from '../tools/tool-definition';
import { findResults } from './tool-results';
import { toOutcome, type ToolOutcome } from './tool-outcome';
import { INVOCATION_STATE } from './tool-invocation.entity';
import {
  type InvocationRow,
  type Leased,
  type Settlement,
  ToolInvocationsRepository,
} from './tool-invocations.repository';
import type { WorkToSend } from './tool-request';
import { ToolRequests } from './tool-requests';

/** The requests for one asking, if the tool may be asked again. */
const MAX_ATTEMPTS = 3;

const FIRST_PAUSE_MS = 200;

/** The time of an invocation beyond that of its tool, in which its server settles it. */
const SETTLING_MS = 10_000;

/** The time within which the server of an invocation settles it. */
export const getLeaseMs = ({ timeout_ms }: OfferedTool) => timeout_ms + SETTLING_MS;

/** The time that a request waits for the end of an invocation if it does not say so. */
export const getWaitMs = (tool: OfferedTool) => (tool.mode === 'background' ? 0 : getLeaseMs(tool));

/** Whether a further request with the same key does no harm. */
export const mayRepeat = ({ idempotent, effect }: OfferedTool) => idempotent || effect === 'read';

type LeasedWork = WorkToSend & Leased;

/** The longest pause between two attempts to settle an invocation. */
const LONGEST_PAUSE_MS = 1_000;

/** The time that a stop leaves for invocations that run, as for the answers to requests. */
const STOP_MS = 5_000;

/** Sends recorded invocations, and settles them. Neither an interruption nor the end of the call stops one. */
@Injectable()
export class ToolSender implements OnModuleDestroy, BeforeApplicationShutdown {
  private readonly logger = new Logger(ToolSender.name);
  private readonly running = new Map<string, Promise<InvocationRow | undefined>>();
  private stopsAt = 0;
  private readonly stopped = new AbortController();

  constructor(
    private readonly invocations: ToolInvocationsRepository,
    private readonly secrets: WebhookSecretsService,
    private readonly requests: ToolRequests,
  ) {}

  /**
   * Begins an invocation, apart from the current request, and returns at once.
   * @returns the settled one; undefined: it is left to the end of its lease
   */
  start(work: LeasedWork): Promise<InvocationRow | undefined> {
    const settled = leaveRequest(() => this.run(work))
      .catch((error: unknown) => {
        this.logger.warn(
          { err: error, invocationId: work.id },
          'An invocation of a tool could not be settled',
        );
        return undefined;
      })
      .finally(() => {
        // The same process may have it again by now.
        if (this.running.get(work.id) === settled) this.running.delete(work.id);
      });
    this.running.set(work.id, settled);
    return settled;
  }

  onModuleDestroy(): void {
    this.stopsAt = performance.now() + STOP_MS;
  }

  /** Waits for the invocations that run. Later ones are left to the end of their lease. */
  async beforeApplicationShutdown(): Promise<void> {
    await settleWithin(Math.max(0, this.stopsAt - performance.now()), Promise.all(this.running.values()));
    this.stopped.abort();
  }

  /** The end of an invocation that this process has begun. */
  findRunning(id: string): Promise<InvocationRow | undefined> | undefined {
    return this.running.get(id);
  }

  /** Settles an invocation whose tool may not be asked again, or is gone. */
  async giveUp({ id, workspaceId, callId, leaseUntil }: Leased, state: ToolOutcome['state']): Promise<void> {
    await this.invocations.settle({
      ...{ id, workspaceId, callId, leaseUntil, state, result: null, variables: {}, attempts: 0 },
      error: 'the server that had sent it was ended before the answer',
    });
  }

  private async run(work: LeasedWork): Promise<InvocationRow | undefined> {
    const { id, workspaceId, callId, leaseUntil } = work;
    const leaseOver = AbortSignal.timeout(getLeaseMs(work.tool));
    const signing = work.signingSecrets ?? [(await this.secrets.find(workspaceId)).secret];
    const sent = await this.send(work, signing);
    if (!sent) return undefined;
    const { outcome, attempts } = sent;
    const { state, error, result } = outcome;
    const isDone = state === INVOCATION_STATE.done;
    const settlement = {
      ...{ id, workspaceId, callId, leaseUntil, state, error, attempts },
      result: result === null ? null : JSON.stringify(result),
      variables: isDone ? findResults(work.tool.results, result) : {},
    };
    return this.settle(settlement, leaseOver);
  }

  /** Settles it, again and again while Postgres or the row of the call is busy: what came of it must not be lost. */
  private async settle(
    settlement: Leased & Settlement,
    leaseOver: AbortSignal,
  ): Promise<InvocationRow | undefined> {
    return retry(() => runForWorkspace(settlement.workspaceId, () => this.invocations.settle(settlement)), {
      ...{ maxAttempts: Infinity, longestPauseMs: LONGEST_PAUSE_MS, shouldRetry: () => true },
      signal: AbortSignal.any([leaseOver, this.stopped.signal]),
    });
  }

  private async send(
    work: WorkToSend,
    signing: string[],
  ): Promise<{ outcome: ToolOutcome; attempts: number } | undefined> {
    const { tool } = work;
    const end = performance.now() + tool.timeout_ms;
    let isUnclear = work.wasSent;
    for (let attempts = 1; ; attempts += 1) {
      const left = Math.max(1, Math.round(end - performance.now()));
      const answer = await this.requests.send(work, signing, left);
      if (!answer) return undefined;
      const outcome = toOutcome(answer);
      const { state, retryAfterMs } = outcome;
      const isOver = state === INVOCATION_STATE.done || state === INVOCATION_STATE.refused;
      const pauseMs = Math.max(retryAfterMs, FIRST_PAUSE_MS * 2 ** (attempts - 1));
      const hasTime = performance.now() + pauseMs < end;
      if (isOver || !mayRepeat(tool) || attempts === MAX_ATTEMPTS || !hasTime)
        return { outcome: { ...outcome, state: judge(state, isUnclear, tool) }, attempts };
      isUnclear ||= state === INVOCATION_STATE.unknown;
      await pause(pauseMs);
    }
  }
}

/** After an attempt without an answer, a refusal or a failure proves nothing. Nothing that only reads is unknown. */
function judge(
  state: ToolOutcome['state'],
  isUnclear: boolean,
  { effect }: OfferedTool,
): ToolOutcome['state'] {
  if (state === INVOCATION_STATE.done) return state;
  const isUnknown = isUnclear || state === INVOCATION_STATE.unknown;
  if (!isUnknown) return state;
  return effect === 'read' ? INVOCATION_STATE.failed : INVOCATION_STATE.unknown;
}

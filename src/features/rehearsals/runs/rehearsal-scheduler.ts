import { Inject, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { CONFIG, type Config } from '../../../config';
import { BackgroundLoops } from '../../../platform/background/background-loops';
import { leaveRequest } from '../../../platform/http/request-context';
import { MessageBroker } from '../../../platform/messaging/message-broker';
import { TOPOLOGY, type Topology } from '../../../platform/messaging/topology';
import { MESSAGE_TYPES } from '../../../platform/messaging/wire';
import { AgentVersionsService, toConfiguration } from '../../agents/agent-versions.service';
import { type OfferedRehearsal, RehearsalPlaysRepository } from './rehearsal-plays.repository';
import { DELETED_RUNS, RehearsalRunsRepository } from './rehearsal-runs.repository';
import { RunReportsService } from './run-reports.service';
import { createRehearsalStart } from './rehearsal-start.message';

const PAUSE_MS = 2_000;
const DELETION_PAUSE_MS = 5 * 60_000;

export type RunsEndedListener = (workspaceId: string) => Promise<void>;

/**
 * Offers the calls of runs to runtimes, as many at once as a workspace may play. Any process may do it, after
 * each change; the loop finds what a process that was killed has left.
 */
@Injectable()
export class RehearsalScheduler implements OnApplicationBootstrap {
  private readonly logger = new Logger(RehearsalScheduler.name);
  private readonly endListeners: RunsEndedListener[] = [];
  /** The last look at the runs of a workspace, while it goes on. */
  private readonly looks = new Map<string, Promise<unknown>>();
  /** The look that follows it, with the ends of the runs that it finds complete. */
  private readonly due = new Map<string, Promise<void>>();
  private readonly ending = new Set<string>();

  constructor(
    private readonly plays: RehearsalPlaysRepository,
    private readonly runs: RehearsalRunsRepository,
    private readonly reports: RunReportsService,
    private readonly versions: AgentVersionsService,
    private readonly broker: MessageBroker,
    private readonly loops: BackgroundLoops,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(TOPOLOGY) private readonly topology: Topology,
  ) {}

  onApplicationBootstrap(): void {
    this.loops.start(
      () => this.advanceAll(),
      PAUSE_MS,
      'Rehearsals could not be offered; the next attempt follows',
    );
    this.loops.start(
      async () => {
        await this.loops.inBatches(DELETED_RUNS, () => this.runs.deleteOld(this.config.REHEARSAL_DAYS));
        await this.runs.deleteExcess();
      },
      DELETION_PAUSE_MS,
      'Old rehearsal runs could not be deleted; the next attempt follows',
    );
  }

  /** Registers a listener of a feature that waits for runs. It must not throw. */
  onRunsEnded(listener: RunsEndedListener): void {
    this.endListeners.push(listener);
  }

  /** Tells the listeners that runs of a workspace have ended. */
  async announceEnds(workspaceId: string): Promise<void> {
    for (const listener of this.endListeners) await listener(workspaceId);
  }

  /**
   * Goes on with the runs of a workspace. One look at them takes place at a time in a process. Calls during a look share
   * the next one, and wait for its end. A failure is logged; the loop looks again.
   */
  advance(workspaceId: string): Promise<void> {
    return this.due.get(workspaceId) ?? leaveRequest(() => this.lookAgain(workspaceId));
  }

  private lookAgain(workspaceId: string): Promise<void> {
    const look = (this.looks.get(workspaceId) ?? Promise.resolve()).then(() => {
      this.due.delete(workspaceId);
      return this.log(workspaceId, () => this.offer(workspaceId));
    });
    const done = look.then(async (complete = []) => {
      if (this.looks.get(workspaceId) === look) this.looks.delete(workspaceId);
      await this.endRuns(workspaceId, complete);
    });
    this.looks.set(workspaceId, look);
    this.due.set(workspaceId, done);
    return done;
  }

  /** @returns the runs that are to be ended */
  private async offer(workspaceId: string): Promise<string[]> {
    const { offered, complete } = await this.plays.advance(workspaceId, this.limits);
    await Promise.all(offered.map((rehearsal) => this.publish(rehearsal)));
    return complete;
  }

  /** Reading the report of a large run takes seconds, in which other runs go on, and find that it is complete. */
  private async endRuns(workspaceId: string, complete: string[]): Promise<void> {
    const ended = complete.filter((runId) => !this.ending.has(runId));
    for (const runId of ended) this.ending.add(runId);
    for (const runId of ended) {
      await this.log(workspaceId, async () =>
        this.plays.endRun(workspaceId, runId, await this.reports.hash(workspaceId, runId)),
      );
      this.ending.delete(runId);
    }
    if (ended.length > 0) await this.log(workspaceId, () => this.announceEnds(workspaceId));
  }

  private async log<Result>(workspaceId: string, work: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await work();
    } catch (error) {
      this.logger.warn(
        { err: error, workspaceId },
        'Rehearsals could not be offered; the next attempt follows',
      );
      return undefined;
    }
  }

  private async advanceAll(): Promise<void> {
    for (const workspaceId of await this.plays.findWorkspaces()) await this.advance(workspaceId);
  }

  private get limits() {
    const { LEASE_SECONDS, REHEARSAL_TOKENS_PER_DAY, REHEARSAL_CONCURRENCY } = this.config;
    return {
      leaseSeconds: LEASE_SECONDS,
      tokensPerDay: REHEARSAL_TOKENS_PER_DAY,
      concurrency: REHEARSAL_CONCURRENCY,
    };
  }

  private async publish(rehearsal: OfferedRehearsal): Promise<void> {
    const { configuration, ...offered } = rehearsal;
    const start = createRehearsalStart(
      offered,
      configuration ? toConfiguration(configuration) : await this.versions.getConfiguration(offered),
    );
    await this.broker.publish({
      exchange: this.topology.calls,
      // No queue of calls has this key, so no runtime that calls people gets a rehearsal.
      routingKey: `call.rehearsal.${rehearsal.workspaceId}.${start.channel}.${rehearsal.agentId}`,
      type: MESSAGE_TYPES.callStart,
      messageId: rehearsal.id,
      body: start,
      expirationMs: Math.max(1, rehearsal.leftMs),
    });
  }
}

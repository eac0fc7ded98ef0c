import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleInit } from '@nestjs/common';
import { writeAuditEntry } from '../../accounts/audit/audit-trail.repository';
import { BackgroundLoops } from '../../platform/background/background-loops';
import { Database, type Transaction } from '../../platform/database/database';
import { leaveRequest } from '../../platform/http/request-context';
import { AgentsService } from '../agents/agents.service';
import { RUN_STATUS } from '../rehearsals/runs/rehearsal-run.entity';
import { RehearsalRunsService } from '../rehearsals/runs/rehearsal-runs.service';
import { RehearsalScheduler } from '../rehearsals/runs/rehearsal-scheduler';
import { describeFailure } from './describe-failure';
import { type DeployingAgent, PublishingRepository } from './publishing.repository';

const PAUSE_MS = 2_000;

const FAILED = 'Agents could not be published; the next attempt follows';

/**
 * Has the newest versions of gated agents rehearsed, and lets calls use those that pass. Any process may do it, after
 * each change; the loop finds what a process that was killed has left.
 */
@Injectable()
export class Deployer implements OnModuleInit, OnApplicationBootstrap {
  private readonly logger = new Logger(Deployer.name);

  constructor(
    private readonly publishing: PublishingRepository,
    private readonly agents: AgentsService,
    private readonly runs: RehearsalRunsService,
    private readonly scheduler: RehearsalScheduler,
    private readonly loops: BackgroundLoops,
    private readonly database: Database,
  ) {}

  onModuleInit(): void {
    this.scheduler.onRunsEnded((workspaceId) => this.advance(workspaceId));
  }

  onApplicationBootstrap(): void {
    this.loops.start(
      async () => {
        for (const workspaceId of await this.publishing.findWorkspaces()) await this.advance(workspaceId);
      },
      PAUSE_MS,
      FAILED,
    );
  }

  /** Goes on with agents of a workspace, or all. A failure is logged: the loop goes on with them. */
  async advance(workspaceId: string, ids: string[] | null = null): Promise<void> {
    try {
      await leaveRequest(async () => {
        let isFull = false;
        for (const agent of await this.publishing.findDeploying(workspaceId, ids)) {
          const waits = agent.runId === null && agent.isRehearsed;
          if (!(isFull && waits)) isFull = (await this.tryAgent(agent)) === 'later' || isFull;
        }
      });
    } catch (error) {
      this.logger.warn({ err: error, workspaceId }, FAILED);
    }
  }

  private async tryAgent(agent: DeployingAgent): Promise<'later' | void> {
    try {
      return await this.advanceAgent(agent);
    } catch (error) {
      const { workspaceId, id: agentId } = agent;
      this.logger.warn({ err: error, workspaceId, agentId }, FAILED);
    }
  }

  /** @returns `later`: too many runs of the workspace are open */
  private async advanceAgent(agent: DeployingAgent): Promise<'later' | void> {
    const { id, workspaceId, runId, runStatus } = agent;
    const hasFailed = runId !== null && runStatus !== RUN_STATUS.passed;
    const failure = hasFailed ? describeFailure((await this.runs.get(workspaceId, runId)).results) : null;
    return this.database.transaction(async (transaction) => {
      await this.agents.lockSome(workspaceId, [id], transaction);
      // Another process may have been first, or a newer version.
      const [current] = await this.publishing.findDeploying(workspaceId, [id], transaction);
      if (current?.version !== agent.version || current.runId !== runId) return;
      if (failure !== null) return this.fail(agent, failure, transaction);
      return runId === null ? this.begin(agent, transaction) : this.succeed(agent, transaction);
    });
  }

  private async begin(agent: DeployingAgent, transaction: Transaction): Promise<'later' | void> {
    const started = await this.runs.startToPublish(agent, transaction);
    if (started === 'later') return started;
    if (started === 'none') return this.succeed(agent, transaction);
    await this.publishing.noteRun(agent.workspaceId, agent.id, started.runId, transaction);
  }

  private async succeed(agent: DeployingAgent, transaction: Transaction): Promise<void> {
    await this.publishing.activate(agent.workspaceId, agent.id, transaction, { isRehearsed: true });
    await this.record('agent.published', agent, transaction);
  }

  private async fail(agent: DeployingAgent, failure: string, transaction: Transaction): Promise<void> {
    await this.publishing.fail(agent.workspaceId, agent.id, failure, transaction);
    await this.record('agent.publish_failed', agent, transaction);
  }

  private record(
    action: 'agent.published' | 'agent.publish_failed',
    { workspaceId, id, name, version, by, runId }: DeployingAgent,
    transaction: Transaction,
  ): Promise<void> {
    const actor = by ?? SERVER;
    const details = { version, ...(runId !== null && { run_id: runId }) };
    return writeAuditEntry({ workspaceId, actor, action, id, name, details }, transaction);
  }
}

/** A version that an earlier release or the server itself has made. */
const SERVER = { kind: 'operator', id: 'server', name: 'server' } as const;

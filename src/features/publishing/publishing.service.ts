import { Injectable, type OnModuleInit } from '@nestjs/common';
import { IdempotencyService } from '../../accounts/idempotency/idempotency.service';
import type { PublishMode } from '../../accounts/workspaces/publish-modes';
import { QuotasService } from '../../accounts/workspaces/quotas.service';
import { workspaceNotFound } from '../../accounts/workspaces/workspaces.errors';
import { Database, type Transaction } from '../../platform/database/database';
import { validationFailed } from '../../platform/http/errors';
import { DEPLOYMENT_STATUS } from '../agents/agent-types';
import type { RestoredVersionDto } from '../agents/agent-versions.dto';
import { AgentVersionsService } from '../agents/agent-versions.service';
import { agentNotFound } from '../agents/agents.errors';
import { AgentsService } from '../agents/agents.service';
import { RUN_CAUSE } from '../rehearsals/runs/rehearsal-run.entity';
import { RehearsalRunsService } from '../rehearsals/runs/rehearsal-runs.service';
import { Deployer } from './deployer';
import type { AgentDeploymentDto, PublishDto, WorkspacePublishingDto } from './publishing.dto';
import { nothingToRollBack } from './publishing.errors';
import { type FoundDeployment, PublishingRepository } from './publishing.repository';

/** Decides which version of each agent calls use. */
@Injectable()
export class PublishingService implements OnModuleInit {
  private readonly deploying = new WeakMap<Transaction, Set<string>>();

  constructor(
    private readonly publishing: PublishingRepository,
    private readonly agents: AgentsService,
    private readonly versions: AgentVersionsService,
    private readonly runs: RehearsalRunsService,
    private readonly deployer: Deployer,
    private readonly quotas: QuotasService,
    private readonly idempotency: IdempotencyService,
    private readonly database: Database,
  ) {}

  onModuleInit(): void {
    this.versions.onStored(async (workspaceId, ids, step, transaction) => {
      if (step === 'activate') {
        for (const id of ids) await this.activate(workspaceId, id, transaction);
        return;
      }
      const gated = await this.publishing.moveOn(workspaceId, ids, step, transaction);
      if (gated.length === 0) return;
      await this.cancelRuns(workspaceId, gated, transaction);
      this.deployLater(workspaceId, gated, transaction);
    });
  }

  /** @throws 404 */
  async getOfWorkspace(workspaceId: string): Promise<WorkspacePublishingDto> {
    const publish = await this.publishing.findWorkspaceSetting(workspaceId);
    if (!publish) throw workspaceNotFound(workspaceId);
    return { publish };
  }

  async setOfWorkspace(workspaceId: string, publish: PublishMode): Promise<WorkspacePublishingDto> {
    return this.database.transaction(async (transaction) => {
      // A new agent is stored before, and found, or reads the new setting.
      await this.quotas.lock(workspaceId, 'agents', transaction);
      const isChanged = await this.publishing.setOfWorkspace(workspaceId, publish, transaction);
      transaction.change = isChanged ? { agents: await this.followSettings(workspaceId, transaction) } : null;
      return { publish };
    });
  }

  /** @throws 404 */
  async get(workspaceId: string, agentId: string): Promise<AgentDeploymentDto> {
    return presentDeployment(await this.find(workspaceId, agentId));
  }

  /** @throws 404 */
  async setOfAgent(
    workspaceId: string,
    agentId: string,
    publish: PublishMode | null,
  ): Promise<AgentDeploymentDto> {
    await this.database.transaction(async (transaction) => {
      await this.quotas.lock(workspaceId, 'agents', transaction);
      const { id, name } = await this.agents.lock(workspaceId, agentId, transaction);
      transaction.targetName = name;
      transaction.change = (await this.change(workspaceId, id, publish, transaction))
        ? { changed: ['publish'], publish }
        : null;
    });
    return this.get(workspaceId, agentId);
  }

  /**
   * Changes the setting of an agent. The caller has locked the number of agents and the agent.
   * @returns whether it was another one before
   */
  async change(
    workspaceId: string,
    id: string,
    publish: PublishMode | null,
    transaction: Transaction,
  ): Promise<boolean> {
    if (!(await this.publishing.setOfAgent(workspaceId, id, publish, transaction))) return false;
    await this.followSettings(workspaceId, transaction);
    return true;
  }

  /** Publishes the newest version, unless calls use it or its rehearsals are under way. @throws 404, 400 */
  async publish(
    workspaceId: string,
    agentId: string,
    { force, reason }: PublishDto,
  ): Promise<AgentDeploymentDto> {
    if (force && reason === undefined)
      throw validationFailed([{ field: 'body.reason', message: 'reason is required with force' }]);
    await this.database.transaction(async (transaction) => {
      const { id } = await this.agents.lock(workspaceId, agentId, transaction);
      const { name, status, version } = await this.find(workspaceId, id, transaction);
      transaction.targetName = name;
      // Unless it is forced, its end is recorded, not its beginning.
      transaction.change = null;
      if (!force) return this.versions.store(workspaceId, [id], transaction, { step: 'publish' });
      if (status === DEPLOYMENT_STATUS.active) return;
      await this.activate(workspaceId, id, transaction);
      transaction.change = { version, reason: reason ?? '' };
    });
    return this.get(workspaceId, agentId);
  }

  /** Lets calls use a copy of the version that they used before, at once. @throws 404, 409 */
  rollBack(workspaceId: string, agentId: string): Promise<RestoredVersionDto> {
    return this.idempotency.transaction(async (transaction) => {
      await this.agents.lockAll(workspaceId, transaction);
      const { id } = await this.agents.lock(workspaceId, agentId, transaction);
      const { previousVersion } = await this.find(workspaceId, id, transaction);
      if (previousVersion === null) throw nothingToRollBack();
      return this.agents.restoreVersion(workspaceId, id, previousVersion, transaction, 'activate');
    });
  }

  /** One transaction may make versions of many agents, several times. */
  private deployLater(workspaceId: string, ids: string[], transaction: Transaction): void {
    const known = this.deploying.get(transaction);
    const all = known ?? new Set<string>();
    for (const id of ids) all.add(id);
    if (known) return;
    this.deploying.set(transaction, all);
    transaction.afterCommit.push(() => this.deployer.advance(workspaceId, [...all]));
  }

  /** Lets calls use the newest version without its rehearsals. */
  private async activate(workspaceId: string, id: string, transaction: Transaction): Promise<void> {
    await this.publishing.activate(workspaceId, id, transaction, { isRehearsed: false });
    await this.cancelRuns(workspaceId, [id], transaction);
  }

  private async followSettings(workspaceId: string, transaction: Transaction): Promise<number> {
    const changed = await this.publishing.followSettings(workspaceId, transaction);
    if (changed.length > 0) await this.cancelRuns(workspaceId, changed, transaction);
    return changed.length;
  }

  private cancelRuns(workspaceId: string, ids: string[], transaction: Transaction): Promise<void> {
    return this.runs.cancelOfAgents(workspaceId, ids, [RUN_CAUSE.publish], transaction);
  }

  private async find(
    workspaceId: string,
    agentId: string,
    transaction?: Transaction,
  ): Promise<FoundDeployment> {
    const found = await this.publishing.find(workspaceId, agentId, transaction);
    if (!found) throw agentNotFound();
    return found;
  }
}

const presentDeployment = (found: FoundDeployment): AgentDeploymentDto => ({
  publish: found.publish,
  publish_own: found.publishOwn,
  status: found.status,
  version: found.version,
  active_version: found.activeVersion,
  deployed_at: found.deployedAt,
  error: found.error,
  run_id: found.runId,
});

import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Caller } from '../common/access';
import { containing } from '../database/containing';
import { InjectScoped, pageOf, WorkspaceScopedRepository } from '../database/workspace-scoped.repository';
import { Paginated } from '../common/pagination';
import type { Attempt } from '../idempotency/attempt';
import { KnowledgeBaseAssignments } from '../knowledge-base/knowledge-base-assignments';
import { PhoneNumbersService } from '../phone-numbers/phone-numbers.service';
import { QuotasService } from '../workspaces/quotas.service';
import { WorkspacesService } from '../workspaces/workspaces.service';
import { applyChanges, initialConfig, initialDeployment } from './agent-changes';
import type { AgentType } from './agent-types';
import { Agent } from './agent.entity';
import type { AgentFields, CreateAgentDto, ListAgentsQuery } from './agents.dto';
import { agentNotFound, noActiveSubscription } from './agents.errors';
import { presentAgent, presentCreated, presentSummary, presentUpdated } from './agents.presenter';
import { PromptTemplatesService } from './prompt-templates.service';

const phoneNumberTypeOf = (type: AgentType) => (type === 'outbound' ? 'outbound' : 'inbound');

@Injectable()
export class AgentsService {
  constructor(
    @InjectScoped(Agent) private readonly agents: WorkspaceScopedRepository<Agent>,
    private readonly templates: PromptTemplatesService,
    private readonly workspaces: WorkspacesService,
    private readonly phoneNumbers: PhoneNumbersService,
    private readonly knowledgeBases: KnowledgeBaseAssignments,
    private readonly quotas: QuotasService,
    private readonly dataSource: DataSource,
  ) {}

  async create({ workspaceId, userId }: Caller, body: CreateAgentDto, attempt?: Attempt) {
    const workspace = await this.workspaces.get(workspaceId);
    if (workspace.subscriptionStatus !== 'active') throw noActiveSubscription();
    const { templateId, ...fields } = body;
    const template = templateId === undefined ? undefined : await this.templates.get(workspaceId, templateId);
    const config = initialConfig(
      template
        ? {
            greeting: template.greeting,
            prompt: template.prompt,
            dynamic_variables: template.dynamicVariables,
          }
        : {},
      fields,
    );
    const values = {
      userId,
      type: body.type,
      name: body.name ?? template?.name ?? `New ${body.type} agent`,
      category: body.category ?? template?.category ?? [],
      status: body.status ?? true,
      config,
      deployment: initialDeployment(body.deployment),
      endedCalls: { total: 0, successful: 0, seconds: 0, lastAt: null },
    };
    return this.dataSource.transaction(async (manager) => {
      const { knowledgeBases = [] } = body;
      if (knowledgeBases.length > 0) await this.knowledgeBases.lock(manager, workspaceId);
      await this.quotas.assertRoom(manager, workspaceId, 'agents');
      const agent = await this.agents.insert(workspaceId, values, manager);
      await this.knowledgeBases.replace(manager, workspaceId, agent.id, knowledgeBases);
      const created = presentCreated(agent);
      await attempt?.record(manager, created);
      return created;
    });
  }

  async list(workspaceId: string, query: ListAgentsQuery) {
    const { category, search, type, status, start_date, end_date } = query;
    const rows = this.agents.query(workspaceId, 'agent');
    if (category !== undefined) rows.andWhere(':category = ANY(agent.category)', { category });
    if (search !== undefined) rows.andWhere('agent.name ILIKE :search', { search: containing(search) });
    if (type !== undefined) rows.andWhere('agent.type = :type', { type });
    if (status !== undefined) rows.andWhere('agent.status = :status', { status });
    if (start_date) rows.andWhere('agent.createdAt >= :start_date', { start_date });
    if (end_date) rows.andWhere('agent.createdAt <= :end_date', { end_date });
    const direction = query.sortOrder === 'asc' ? 'ASC' : 'DESC';
    rows.orderBy(`agent.${query.sortBy}`, direction).addOrderBy('agent.id', direction);

    const { data: agents, pagination } = await pageOf(rows, query, (agent) => agent);
    const numbers = await this.phoneNumbers.ofAgents(
      workspaceId,
      agents.map(({ id }) => id),
    );
    const summaries = agents.map((agent) => presentSummary(agent, numbers.get(agent.id) ?? ''));
    return new Paginated(summaries, pagination);
  }

  /** @throws 404 */
  async find(workspaceId: string, agentId: string): Promise<Agent> {
    const agent = await this.agents.find(workspaceId, agentId);
    if (!agent) throw agentNotFound();
    return agent;
  }

  async get(workspaceId: string, agentId: string) {
    const agent = await this.find(workspaceId, agentId);
    return [presentAgent(agent, await this.knowledgeBases.ofAgent(agent.id))];
  }

  async update(workspaceId: string, agentId: string, body: AgentFields) {
    const { knowledgeBases } = body;
    return this.withLocked(workspaceId, agentId, knowledgeBases !== undefined, async (agent, manager) => {
      const reassigned =
        knowledgeBases !== undefined &&
        (await this.knowledgeBases.replace(manager, workspaceId, agent.id, knowledgeBases));
      applyChanges(agent, body, reassigned);
      await manager.save(agent);
      await this.phoneNumbers.setType(manager, workspaceId, agent.id, phoneNumberTypeOf(agent.type));
      return presentUpdated(agent);
    });
  }

  async remove(workspaceId: string, agentId: string): Promise<void> {
    await this.withLocked(workspaceId, agentId, false, async (agent, manager) => {
      await manager.softRemove(agent);
      await this.phoneNumbers.release(manager, workspaceId, agent.id);
      await this.knowledgeBases.release(manager, agent.id);
    });
  }

  async assignPhoneNumber(workspaceId: string, agentId: string, number: string) {
    return this.withLocked(workspaceId, agentId, false, async ({ id, type }, manager) => {
      await this.phoneNumbers.assign(manager, workspaceId, number, id, phoneNumberTypeOf(type));
      return { agent_id: id, phone_number: number, assignment_status: 'assigned' };
    });
  }

  /**
   * Does something to an agent and to what belongs to it, in one transaction and after what others do to it;
   * `reassigns` where it changes the agent's knowledge bases.
   * @throws 404
   */
  private async withLocked<T>(
    workspaceId: string,
    agentId: string,
    reassigns: boolean,
    work: (agent: Agent, manager: EntityManager) => Promise<T>,
  ): Promise<T> {
    return this.dataSource.transaction(async (manager) => {
      if (reassigns) await this.knowledgeBases.lock(manager, workspaceId);
      const agent = await this.agents.findLocked(manager, workspaceId, agentId);
      if (!agent) throw agentNotFound();
      return work(agent, manager);
    });
  }
}

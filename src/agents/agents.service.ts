import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { isDeepStrictEqual } from 'node:util';
import { DataSource, type EntityManager } from 'typeorm';
import type { Caller } from '../http/access';
import { likePattern } from '../database/like-pattern';
import { Sql } from '../database/sql';
import { InjectScoped, pageOf, WorkspaceScopedRepository } from '../database/workspace-scoped.repository';
import { Paginated } from '../http/pagination';
import { Transaction } from '../database/database';
import { IdempotencyService } from '../idempotency/idempotency.service';
import { PhoneNumbersService } from '../phone-numbers/phone-numbers.service';
import { QuotasService } from '../workspaces/quotas.service';
import { WorkspacesService } from '../workspaces/workspaces.service';
import { applyChanges, initialConfig, initialDeployment } from './agent-changes';
import type { AgentType } from './agent-types';
import { Agent, type NarrowAgent } from './agent.entity';
import { FIND_VARIABLES, FIND_VOICE_ENGINES } from './agents.sql';
import { assertModestSize } from './agent-size';
import { PLACEHOLDER } from './agent-texts';
import type { AgentFields, CreateAgentDto, ListAgentsQuery } from './agents.dto';
import { agentNotFound, noActiveSubscription } from './agents.errors';
import { presentAgent, presentCreated, presentSummary, presentUpdated } from './agents.presenter';
import { KnowledgeBaseAssignmentsService } from './knowledge-base-assignments.service';
import { PromptTemplatesService } from './prompt-templates.service';

const phoneNumberTypeOf = (type: AgentType) => (type === 'outbound' ? 'outbound' : 'inbound');

/** A list reads no more: what is not shown, such as the categories, may be wide too. */
const SHOWN_IN_LIST = ['id', 'name', 'type', 'status', 'updatedAt'] as const satisfies (keyof Agent)[];

@Injectable()
export class AgentsService {
  constructor(
    private readonly idempotency: IdempotencyService,
    @InjectScoped(Agent) private readonly agents: WorkspaceScopedRepository<Agent, 'config'>,
    private readonly templates: PromptTemplatesService,
    private readonly workspaces: WorkspacesService,
    private readonly phoneNumbers: PhoneNumbersService,
    private readonly knowledgeBases: KnowledgeBaseAssignmentsService,
    private readonly quotas: QuotasService,
    private readonly dataSource: DataSource,
    private readonly sql: Sql,
  ) {}

  async create({ workspaceId, userId }: Caller, body: CreateAgentDto) {
    const workspace = await this.workspaces.get(workspaceId);
    if (workspace.subscriptionStatus !== 'active') throw noActiveSubscription();
    const { templateId, ...fields } = body;
    const template =
      templateId === undefined ? undefined : await this.templates.find(workspaceId, templateId);
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
    assertModestSize(config);
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
    return this.idempotency.transaction(async (transaction) => {
      const { manager } = transaction;
      const { knowledgeBases = [] } = body;
      if (knowledgeBases.length > 0) await this.knowledgeBases.lock(workspaceId, transaction);
      await this.quotas.assertRoom(workspaceId, 'agents', transaction);
      const agent = await this.agents.insert(workspaceId, values, manager);
      await this.knowledgeBases.replace(workspaceId, agent.id, knowledgeBases, transaction);
      return presentCreated(agent);
    });
  }

  async list(workspaceId: string, query: ListAgentsQuery) {
    const { category, search, type, status, start_date, end_date } = query;
    const rows = this.agents.query(workspaceId, 'agent');
    if (category !== undefined) rows.andWhere(':category = ANY(agent.category)', { category });
    if (search !== undefined) rows.andWhere('agent.name ILIKE :search', { search: likePattern(search) });
    if (type !== undefined) rows.andWhere('agent.type = :type', { type });
    if (status !== undefined) rows.andWhere('agent.status = :status', { status });
    if (start_date) rows.andWhere('agent.createdAt >= :start_date', { start_date });
    if (end_date) rows.andWhere('agent.createdAt <= :end_date', { end_date });
    const direction = query.sortOrder === 'asc' ? 'ASC' : 'DESC';
    rows.select(SHOWN_IN_LIST.map((column) => `agent.${column}`));
    rows.orderBy(`agent.${query.sortBy}`, direction).addOrderBy('agent.id', direction);

    const { data: agents, pagination } = await pageOf(rows, query, (agent) => agent);
    const ids = agents.map(({ id }) => id);
    const numbers = await this.phoneNumbers.ofAgents(workspaceId, ids);
    const engines = await this.voiceEngines(workspaceId, ids);
    const summaries = agents.map((agent) =>
      presentSummary(agent, {
        phoneNumber: numbers.get(agent.id) ?? '',
        voiceEngine: engines.get(agent.id) ?? '',
      }),
    );
    return new Paginated(summaries, pagination);
  }

  /** @throws 404 */
  async find(workspaceId: string, agentId: string): Promise<NarrowAgent> {
    const agent = await this.agents.find(workspaceId, agentId);
    if (!agent) throw agentNotFound();
    return agent;
  }

  async get(workspaceId: string, agentId: string) {
    const agent = await this.agents.findWhole(workspaceId, agentId);
    if (!agent) throw agentNotFound();
    return [presentAgent(agent, await this.knowledgeBases.listByAgent(agent.id))];
  }

  /**
   * An agent's id, and the names of its variables as it declares them and as its texts have them.
   * @throws 404
   */
  async findVariables(workspaceId: string, agentId: string): Promise<{ id: string; names: string[] }> {
    const [found] = isUUID(agentId)
      ? await this.sql.run<{ id: string; declared: string[]; prompt: string; greeting: string }>(
          FIND_VARIABLES,
          [workspaceId, agentId],
        )
      : [];
    if (!found) throw agentNotFound();
    const placeholders = `${found.prompt}\n${found.greeting}`.matchAll(PLACEHOLDER);
    return {
      id: found.id,
      names: [...found.declared, ...[...placeholders].map(([, name]) => name as string)],
    };
  }

  async update(workspaceId: string, agentId: string, body: AgentFields) {
    const { knowledgeBases } = body;
    return this.withLocked(workspaceId, agentId, knowledgeBases !== undefined, async ({ id }, manager) => {
      const agent = await this.agents.findWhole(workspaceId, id, manager);
      if (!agent) throw agentNotFound();
      const before = structuredClone({ ...agent });
      const reassigned =
        knowledgeBases !== undefined &&
        (await this.knowledgeBases.replace(
          workspaceId,
          agent.id,
          knowledgeBases,
          await Transaction.of(manager),
        ));
      applyChanges(agent, body, reassigned);
      assertModestSize(agent.config, before.config);
      // A wide column counts as changed for TypeORM, which would move updatedAt.
      if (!isDeepStrictEqual(before, structuredClone({ ...agent }))) await manager.save(agent);
      await this.phoneNumbers.setType(
        workspaceId,
        agent.id,
        phoneNumberTypeOf(agent.type),
        await Transaction.of(manager),
      );
      return presentUpdated(agent);
    });
  }

  async remove(workspaceId: string, agentId: string): Promise<void> {
    await this.withLocked(workspaceId, agentId, false, async (agent, manager) => {
      await manager.softRemove(agent);
      await this.phoneNumbers.release(workspaceId, agent.id, await Transaction.of(manager));
      await this.knowledgeBases.release(agent.id, await Transaction.of(manager));
    });
  }

  async assignPhoneNumber(workspaceId: string, agentId: string, number: string) {
    return this.withLocked(workspaceId, agentId, false, async ({ id, type }, manager) => {
      const assigned = { agentId: id, type: phoneNumberTypeOf(type) } as const;
      await this.phoneNumbers.assign(workspaceId, number, assigned, await Transaction.of(manager));
      return { agent_id: id, phone_number: number, assignment_status: 'assigned' };
    });
  }

  private async voiceEngines(workspaceId: string, ids: string[]): Promise<Map<string, string>> {
    const rows = await this.sql.run<{ id: string; voiceEngine: string }>(FIND_VOICE_ENGINES, [
      workspaceId,
      ids,
    ]);
    return new Map(rows.map(({ id, voiceEngine }) => [id, voiceEngine]));
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
    work: (agent: NarrowAgent, manager: EntityManager) => Promise<T>,
  ): Promise<T> {
    return this.dataSource.transaction(async (manager) => {
      if (reassigns) await this.knowledgeBases.lock(workspaceId, await Transaction.of(manager));
      const agent = await this.agents.findLocked(manager, workspaceId, agentId);
      if (!agent) throw agentNotFound();
      return work(agent, manager);
    });
  }
}

import { Injectable } from '@nestjs/common';
import type { Caller } from '../common/access';
import { InjectScoped, pageOf, WorkspaceScopedRepository } from '../database/workspace-scoped.repository';
import { Paginated } from '../common/pagination';
import { PhoneNumbersService } from '../phone-numbers/phone-numbers.service';
import { WorkspacesService } from '../workspaces/workspaces.service';
import { applyChanges, initialConfig } from './agent-changes';
import type { AgentType } from './agent-types';
import { Agent } from './agent.entity';
import type { AgentFields, CreateAgentDto, ListAgentsQuery } from './agents.dto';
import { agentNotFound, knowledgeBaseNotFound, noActiveSubscription } from './agents.errors';
import { presentAgent, presentCreated, presentSummary, presentUpdated } from './agents.presenter';
import { PromptTemplatesService } from './prompt-templates.service';

const phoneNumberTypeOf = (type: AgentType) => (type === 'outbound' ? 'outbound' : 'inbound');

const escapeLike = (text: string) => text.replace(/[\\%_]/g, '\\$&');

@Injectable()
export class AgentsService {
  constructor(
    @InjectScoped(Agent) private readonly agents: WorkspaceScopedRepository<Agent>,
    private readonly templates: PromptTemplatesService,
    private readonly workspaces: WorkspacesService,
    private readonly phoneNumbers: PhoneNumbersService,
  ) {}

  async create({ workspaceId, userId }: Caller, body: CreateAgentDto) {
    const workspace = await this.workspaces.get(workspaceId);
    if (workspace.subscriptionStatus !== 'active') throw noActiveSubscription();
    refuseUnknownKnowledgeBases(body);
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
    const agent = await this.agents.insert(workspaceId, {
      userId,
      type: body.type,
      name: body.name ?? template?.name ?? `New ${body.type} agent`,
      category: body.category ?? template?.category ?? [],
      status: body.status ?? true,
      config,
      deployment: {
        status: body.deployment?.status ?? 'draft',
        version: body.deployment?.version ?? 1,
        deployedAt: body.deployment?.deployedAt ?? null,
        lastUpdated: body.deployment?.lastUpdated ?? new Date(),
        error: body.deployment?.error ?? null,
      },
      endedCalls: { total: 0, successful: 0, seconds: 0, lastAt: null },
    });
    return presentCreated(agent);
  }

  async list(workspaceId: string, query: ListAgentsQuery) {
    const { category, search, type, status, start_date, end_date } = query;
    const rows = this.agents.query(workspaceId, 'agent');
    if (category !== undefined) rows.andWhere(':category = ANY(agent.category)', { category });
    if (search !== undefined)
      rows.andWhere('agent.name ILIKE :search', { search: `%${escapeLike(search)}%` });
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
    return [presentAgent(await this.find(workspaceId, agentId), [])];
  }

  async update(workspaceId: string, agentId: string, body: AgentFields) {
    refuseUnknownKnowledgeBases(body);
    const agent = await this.agents.update(workspaceId, agentId, (row) => applyChanges(row, body));
    if (!agent) throw agentNotFound();
    await this.phoneNumbers.setType(workspaceId, agentId, phoneNumberTypeOf(agent.type));
    return presentUpdated(agent);
  }

  async remove(workspaceId: string, agentId: string): Promise<void> {
    if (!(await this.agents.remove(workspaceId, agentId))) throw agentNotFound();
    await this.phoneNumbers.release(workspaceId, agentId);
  }

  async assignPhoneNumber(workspaceId: string, agentId: string, number: string) {
    const agent = await this.find(workspaceId, agentId);
    await this.phoneNumbers.assign(workspaceId, number, agentId, phoneNumberTypeOf(agent.type));
    return { agent_id: agentId, phone_number: number, assignment_status: 'assigned' };
  }
}

function refuseUnknownKnowledgeBases({ knowledgeBases = [] }: AgentFields) {
  if (knowledgeBases.length > 0) throw knowledgeBaseNotFound();
}

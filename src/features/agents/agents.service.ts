import { Injectable } from '@nestjs/common';
import { listPlaceholders } from '@parley/worker';
import { isDeepStrictEqual } from 'node:util';
import { Database, type Transaction } from '../../platform/database/database';
import type { Caller } from '../../platform/http/access';
import { paginate } from '../../platform/http/pagination';
import { IdempotencyService } from '../../accounts/idempotency/idempotency.service';
import { readTransferNumber, TransferNumbers } from '../do-not-call/transfer-numbers';
import { PHONE_NUMBER_TYPE } from '../phone-numbers/phone-number.entity';
import { PhoneNumbersService } from '../phone-numbers/phone-numbers.service';
import { QuotasService } from '../../accounts/workspaces/quotas.service';
import { SUBSCRIPTION_STATUS } from '../../accounts/workspaces/workspace.entity';
import { WorkspacesService } from '../../accounts/workspaces/workspaces.service';
import { type AgentUpdate, applyChanges, applySnapshot, newAgent, type NewAgent } from './agent-changes';
import { assertSize } from './agent-size';
import { AGENT_TYPE, type AgentType, DEPLOYMENT_STATUS } from './agent-types';
import type { Agent, NarrowAgent } from './agent.entity';
import { changedValues } from '../../accounts/audit/changed-values';
import { changedFields } from './changed-fields';
import type { AgentFields, DeploymentDto } from './agent-fields.dto';
import type { CreateAgentDto, ListAgentsQuery } from './agents.dto';
import type { RestoredVersionDto } from './agent-versions.dto';
import { agentNotFound, noActiveSubscription, transfersNotAllowed } from './agents.errors';
import { presentAgent, presentCreatedAgent, presentSummary, presentUpdated } from './agents.presenter';
import type { PinnedConfiguration } from './agent-version.entity';
import { AgentVersionsService, type NextStep } from './agent-versions.service';
import { AgentToolsService } from './agent-tools.service';
import { AgentsRepository } from './agents.repository';
import { KnowledgeBaseAssignmentsService } from './knowledge-base-assignments.service';
import { PromptTemplatesService } from './prompt-templates.service';

const getPhoneNumberType = (type: AgentType) =>
  type === AGENT_TYPE.outbound ? PHONE_NUMBER_TYPE.outbound : PHONE_NUMBER_TYPE.inbound;

/** The variables to which the texts of an agent refer. */
export interface AgentVariables {
  id: string;
  /** The variables that the agent declares, and the placeholders, as the texts spell them. */
  names: string[];
  placeholders: string[];
  greeting: string;
}

/** The next step of a new version, as the client asks for it with the status of the deployment. */
function toNextStep(deployment: Partial<DeploymentDto> = {}): NextStep {
  const { draft, active } = DEPLOYMENT_STATUS;
  if (deployment.status === active) return 'publish';
  return deployment.status === draft ? 'draft' : 'rehearse';
}

export interface AgentPreview {
  /** The version that has other values. */
  version: number;
  configuration: PinnedConfiguration;
  /** The names of the fields that would change. */
  changed: string[];
}

/** Runs in the transaction that deletes an agent, whose row stays. */
export type AgentDeletionListener = (
  workspaceId: string,
  agentId: string,
  transaction: Transaction,
) => Promise<void>;

@Injectable()
export class AgentsService {
  private readonly deletionListeners: AgentDeletionListener[] = [];

  constructor(
    private readonly agents: AgentsRepository,
    private readonly versions: AgentVersionsService,
    private readonly assignments: KnowledgeBaseAssignmentsService,
    private readonly tools: AgentToolsService,
    private readonly templates: PromptTemplatesService,
    private readonly phoneNumbers: PhoneNumbersService,
    private readonly transferNumbers: TransferNumbers,
    private readonly workspaces: WorkspacesService,
    private readonly quotas: QuotasService,
    private readonly idempotency: IdempotencyService,
    private readonly database: Database,
  ) {}

  /** Registers a listener of a feature that refers to agents. This feature must not import it. */
  onDeletion(listener: AgentDeletionListener): void {
    this.deletionListeners.push(listener);
  }

  async create({ workspaceId, userId }: Caller, body: CreateAgentDto) {
    await this.assertSubscribed(workspaceId);
    const { templateId, knowledgeBases = [], ...fields } = body;
    const template =
      templateId === undefined ? undefined : await this.templates.find(workspaceId, templateId);
    const values = newAgent(userId, fields, template);
    assertSize(values.config);
    const step = toNextStep(fields.deployment);
    return this.idempotency.transaction(async (transaction) =>
      presentCreatedAgent(await this.insert(workspaceId, values, knowledgeBases, transaction, step)),
    );
  }

  /** @throws 403 */
  async assertSubscribed(workspaceId: string): Promise<void> {
    const workspace = await this.workspaces.get(workspaceId);
    if (workspace.subscriptionStatus !== SUBSCRIPTION_STATUS.active) throw noActiveSubscription();
  }

  /** Stores a new agent of a workspace with a subscription. @throws 400, 403, 404 */
  async insert(
    workspaceId: string,
    values: NewAgent,
    knowledgeBases: string[],
    transaction: Transaction,
    step?: NextStep,
  ): Promise<Agent> {
    const { actions } = values.config;
    if (knowledgeBases.length > 0) await this.assignments.lock(workspaceId, transaction);
    if (actions.length > 0) await this.tools.lock(workspaceId, transaction);
    await this.assertTransfersAllowed(workspaceId, actions, transaction);
    await this.quotas.assertWithinQuota(workspaceId, 'agents', transaction);
    const agent = await this.agents.insert(workspaceId, values, transaction);
    await this.assignments.replace(workspaceId, agent.id, knowledgeBases, transaction);
    await this.versions.store(workspaceId, [agent.id], transaction, { step });
    return agent;
  }

  async list(workspaceId: string, query: ListAgentsQuery) {
    const { rows, total } = await this.agents.list(workspaceId, query);
    const ids = rows.map(({ id }) => id);
    const numbers = await this.phoneNumbers.ofAgents(workspaceId, ids);
    const engines = await this.agents.findVoiceEngines(workspaceId, ids);
    const summaries = rows.map((agent) =>
      presentSummary(agent, {
        phoneNumber: numbers.get(agent.id) ?? '',
        voiceEngine: engines.get(agent.id) ?? '',
      }),
    );
    return paginate(summaries, query, total);
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
    const totals = await this.agents.findCallTotals(agent.id);
    return [presentAgent(agent, await this.assignments.listByAgent(agent.id), totals)];
  }

  /**
   * Returns the names of an agent's variables: those that it declares, and those in its texts.
   * @throws 404
   */
  async findVariables(workspaceId: string, agentId: string): Promise<AgentVariables> {
    const texts = await this.agents.findTexts(workspaceId, agentId);
    if (!texts) throw agentNotFound();
    const { id, declared, greeting } = texts;
    const placeholders = [...new Set(listPlaceholders(texts.texts))];
    return { id, names: [...declared, ...placeholders], placeholders, greeting };
  }

  /** @throws 404, 400 */
  async update(workspaceId: string, agentId: string, fields: AgentFields) {
    return this.database.transaction(async (transaction) =>
      presentUpdated(await this.change(workspaceId, agentId, fields, transaction)),
    );
  }

  /** Changes the fields that are given, with one new version if calls depend on one of them. @throws 404, 400 */
  async change(
    workspaceId: string,
    agentId: string,
    fields: AgentUpdate,
    transaction: Transaction,
  ): Promise<Agent> {
    const { knowledgeBases, actions } = fields;
    if (knowledgeBases !== undefined) await this.assignments.lock(workspaceId, transaction);
    if (actions !== undefined) await this.tools.lock(workspaceId, transaction);
    const { id } = await this.lock(workspaceId, agentId, transaction);
    const agent = await this.agents.findWhole(workspaceId, id, transaction);
    if (!agent) throw agentNotFound();
    await this.assertTransfersAllowed(workspaceId, actions, transaction, { known: agent.config.actions });
    const before = structuredClone({ ...agent });
    const isReassigned =
      knowledgeBases !== undefined &&
      (await this.assignments.replace(workspaceId, id, knowledgeBases, transaction));
    const hasEndedCalls = (await this.agents.findCallTotals(id, transaction)) !== null;
    applyChanges(agent, fields, { isReassigned, hasEndedCalls });
    assertSize(agent.config, before.config);
    const changed = changedFields(before, agent, isReassigned);
    transaction.change =
      changed.length > 0
        ? {
            changed,
            version: agent.deployment.version,
            previous_version: before.deployment.version,
            ...changedValues(changed, { ...before, ...before.config }, { ...agent, ...agent.config }),
          }
        : null;
    const step = toNextStep(fields.deployment);
    // TypeORM always considers the config changed, and would move updatedAt.
    const isChanged = !isDeepStrictEqual(before, structuredClone({ ...agent }));
    if (isChanged) await this.agents.save(agent, transaction);
    if (isChanged || step === 'publish') await this.versions.store(workspaceId, [id], transaction, { step });
    await this.phoneNumbers.setType(workspaceId, id, getPhoneNumberType(agent.type), transaction);
    return agent;
  }

  /**
   * Returns what calls would be started with if a version had other fields. The agent does not change.
   * @param version the newest one if left out
   * @throws 404, 400
   */
  async preview(
    workspaceId: string,
    agentId: string,
    fields: Partial<AgentFields>,
    version?: number,
  ): Promise<AgentPreview> {
    return this.database.rehearse(async (transaction) => {
      if (version !== undefined) await this.restoreVersion(workspaceId, agentId, version, transaction);
      const { id, deployment } = await this.change(workspaceId, agentId, fields, transaction);
      const made = deployment.version;
      const configuration = await this.versions.find(workspaceId, id, made, transaction);
      const { changed = [], previous_version: before = made } = (transaction.change ?? {}) as {
        changed?: string[];
        previous_version?: number;
      };
      return { version: version ?? before, changed, configuration };
    });
  }

  /**
   * Makes a new version that is a copy of an old one. Knowledge bases that have been deleted since are left out.
   * @throws 404
   */
  async restore(workspaceId: string, agentId: string, version: number): Promise<RestoredVersionDto> {
    return this.idempotency.transaction((transaction) =>
      this.restoreVersion(workspaceId, agentId, version, transaction),
    );
  }

  /**
   * @param step of the new version
   * @throws 404
   */
  async restoreVersion(
    workspaceId: string,
    agentId: string,
    version: number,
    transaction: Transaction,
    step?: NextStep,
  ): Promise<RestoredVersionDto> {
    await this.assignments.lock(workspaceId, transaction);
    await this.tools.lock(workspaceId, transaction);
    const { id } = await this.lock(workspaceId, agentId, transaction);
    const agent = await this.agents.findWhole(workspaceId, id, transaction);
    if (!agent) throw agentNotFound();
    const found = await this.versions.find(workspaceId, id, version, transaction);
    const { snapshot } = found;
    const { knowledgeBases = [], actions } = snapshot as { knowledgeBases?: string[]; actions?: string[] };
    await this.assertTransfersAllowed(workspaceId, actions, transaction, {
      known: agent.config.actions,
      field: 'snapshot.actions',
    });
    const missing = await this.assignments.restore(workspaceId, id, knowledgeBases, transaction);
    applySnapshot(agent, snapshot);
    agent.analysis = found.analysis;
    assertSize(agent.config);
    await this.agents.save(agent, transaction);
    await this.versions.store(workspaceId, [id], transaction, { restoredFrom: version, step });
    await this.phoneNumbers.setType(workspaceId, id, getPhoneNumberType(agent.type), transaction);
    transaction.targetName = agent.name;
    return {
      agent_id: id,
      version: agent.deployment.version,
      restored_from: version,
      missing_knowledge_bases: missing,
    };
  }

  /** @throws 404 */
  async remove(workspaceId: string, agentId: string): Promise<void> {
    await this.database.transaction((transaction) => this.delete(workspaceId, agentId, transaction));
  }

  /** @throws 404 */
  async delete(workspaceId: string, agentId: string, transaction: Transaction): Promise<NarrowAgent> {
    const agent = await this.lock(workspaceId, agentId, transaction);
    await this.agents.delete(agent, transaction);
    await this.phoneNumbers.detach(workspaceId, agent.id, transaction);
    await this.assignments.unassignAll(agent.id, transaction);
    for (const listener of this.deletionListeners) await listener(workspaceId, agent.id, transaction);
    return agent;
  }

  /** @throws 404, 400 */
  async assignPhoneNumber(workspaceId: string, agentId: string, number: string) {
    return this.database.transaction(async (transaction) => {
      const { id, type, name } = await this.lock(workspaceId, agentId, transaction);
      transaction.targetName = name;
      const agent = { agentId: id, type: getPhoneNumberType(type) } as const;
      await this.phoneNumbers.assign(workspaceId, number, agent, transaction);
      return { agent_id: id, phone_number: number, assignment_status: 'assigned' };
    });
  }

  /**
   * Refuses numbers that must not be called. A call asks again before it connects the person: that may change.
   * @param known actions that the agent has, and keeps
   * @throws 400
   */
  private async assertTransfersAllowed(
    workspaceId: string,
    actions: string[] = [],
    transaction: Transaction,
    { known = [], field }: { known?: string[]; field?: string } = {},
  ): Promise<void> {
    const numbers = actions.map((action) =>
      known.includes(action) ? undefined : readTransferNumber(action),
    );
    const added = numbers.filter((number) => number !== undefined);
    const problems = await this.transferNumbers.findProblems(workspaceId, added, transaction);
    if (problems.size > 0)
      throw transfersNotAllowed(
        numbers.map((number) => problems.get(number ?? '')),
        field,
      );
  }

  /**
   * Locks what agents are made of: the assignments and the tools of the workspace, and the number of its agents. It comes
   * before {@link lockSome}.
   */
  async lockAll(workspaceId: string, transaction: Transaction): Promise<void> {
    await this.assignments.lock(workspaceId, transaction);
    await this.tools.lock(workspaceId, transaction);
    await this.quotas.lock(workspaceId, 'agents', transaction);
  }

  /** Locks those of the agents that exist until the transaction ends. @param ids each once */
  async lockSome(workspaceId: string, ids: string[], transaction: Transaction): Promise<void> {
    await this.agents.lock(workspaceId, ids, transaction);
  }

  /** @param ids each once @throws 404 if the workspace does not have all of them */
  async assertExist(workspaceId: string, ids: string[], transaction: Transaction): Promise<void> {
    if (!(await this.agents.lock(workspaceId, ids, transaction))) throw agentNotFound();
  }

  /** Locks an agent until the transaction ends. @throws 404 */
  async lock(workspaceId: string, agentId: string, transaction: Transaction): Promise<NarrowAgent> {
    const agent = await this.agents.findLocked(workspaceId, agentId, transaction);
    if (!agent) throw agentNotFound();
    return agent;
  }
}

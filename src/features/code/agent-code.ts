import { Injectable } from '@nestjs/common';
import { validationFailed } from '../../platform/http/errors';
import { toBody } from '../../platform/http/to-dto';
import { newAgent, toStoredAnalysis } from '../agents/agent-changes';
import { assertSize } from '../agents/agent-size';
import { PublishingService } from '../publishing/publishing.service';
import { AgentsService } from '../agents/agents.service';
import { findAnalysisProblems } from '../agents/analysis-rules';
import { AgentDefinitionDto } from './code.dto';
import type { Applying, ChangedResource, CodeOfKind, KnowledgeByName } from './code-of-kind';
import type { LocatedResource } from './code.repository';
import type { Definition } from './definition';
import { type AgentContent, completeAgent, describeAgent } from './describe-agent';

@Injectable()
export class AgentCode implements CodeOfKind<AgentDefinitionDto, AgentContent> {
  readonly describe = describeAgent;

  constructor(
    private readonly agents: AgentsService,
    private readonly publishing: PublishingService,
  ) {}

  async read(_: string, definition: Definition): Promise<AgentDefinitionDto> {
    const body = await toBody(AgentDefinitionDto, definition);
    const given = JSON.parse(JSON.stringify(body)) as AgentDefinitionDto;
    const problems = findAnalysisProblems(completeAgent(given, []).analysis, 'body.analysis');
    if (problems.length > 0) throw validationFailed(problems);
    return given;
  }

  describeGiven(given: AgentDefinitionDto, knowledge: KnowledgeByName): Definition {
    const names = findKnowledge(given, knowledge).map(({ name }) => name);
    return describeAgent(completeAgent(given, names));
  }

  async create(slug: string, given: AgentDefinitionDto, applying: Applying): Promise<ChangedResource> {
    const { workspaceId, userId, transaction, knowledge, agentIds } = applying;
    const { analysis, publish } = completeAgent(given, []);
    const values = { ...newAgent(userId, given), slug, publish, analysis: toStoredAnalysis(analysis) };
    assertSize(values.config);
    const ids = findKnowledge(given, knowledge).map(({ id }) => id);
    const { id, name, type } = await this.agents.insert(workspaceId, values, ids, transaction);
    agentIds.set(slug, id);
    return { id, name, details: { type } };
  }

  async change(
    { id }: LocatedResource,
    given: AgentDefinitionDto,
    { workspaceId, transaction, knowledge }: Applying,
  ): Promise<ChangedResource> {
    const { config, knowledge: _, publish, ...own } = completeAgent(given, []);
    const knowledgeBases = findKnowledge(given, knowledge).map((found) => found.id);
    const fields = { ...config, ...own, knowledgeBases };
    // A new version follows the new setting.
    const isMoved = await this.publishing.change(workspaceId, id, publish, transaction);
    const agent = await this.agents.change(workspaceId, id, fields, transaction);
    if (isMoved) {
      const { changed = [], ...details } = transaction.change ?? {};
      transaction.change = { ...details, changed: [...(changed as string[]), 'publish'], publish };
    }
    return agent;
  }

  async delete(
    { id, slug }: LocatedResource,
    { workspaceId, transaction, agentIds }: Applying,
  ): Promise<ChangedResource> {
    agentIds.delete(slug);
    return this.agents.delete(workspaceId, id, transaction);
  }
}

/** @throws 400 on the names that no knowledge base of the workspace has */
function findKnowledge({ knowledge = [] }: AgentDefinitionDto, known: KnowledgeByName) {
  const problems = knowledge.flatMap((name, index) =>
    known.has(name)
      ? []
      : [{ field: `body.knowledge.${index}`, message: `the workspace has no knowledge base ${name}` }],
  );
  if (problems.length > 0) throw validationFailed(problems);
  const found = knowledge.flatMap((name) => known.get(name) ?? []);
  return found.filter(({ id }, index) => found.findIndex((each) => each.id === id) === index);
}

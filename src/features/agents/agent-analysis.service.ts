import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import { validationFailed } from '../../platform/http/errors';
import { type AgentAnalysis, NO_ANALYSIS } from './agent-analysis';
import type { AgentAnalysisDto } from './agent-analysis.dto';
import { agentNotFound } from './agents.errors';
import { AgentsRepository } from './agents.repository';
import { AgentsService } from './agents.service';
import { findAnalysisProblems } from './analysis-rules';

/** Changes what the calls of an agent are to yield. */
@Injectable()
export class AgentAnalysisService {
  constructor(
    private readonly agents: AgentsRepository,
    private readonly changes: AgentsService,
    private readonly database: Database,
  ) {}

  /** The analysis that an agent has now. It is empty if the workspace has no such agent. */
  async find(workspaceId: string, agentId: string): Promise<AgentAnalysis> {
    return (await this.agents.findWhole(workspaceId, agentId))?.analysis ?? NO_ANALYSIS;
  }

  /** @throws 404 */
  async get(workspaceId: string, agentId: string): Promise<AgentAnalysis> {
    const agent = await this.agents.findWhole(workspaceId, agentId);
    if (!agent) throw agentNotFound();
    return agent.analysis ?? NO_ANALYSIS;
  }

  /** @throws 404, 400 */
  async replace(workspaceId: string, agentId: string, body: AgentAnalysisDto): Promise<AgentAnalysis> {
    const analysis = JSON.parse(JSON.stringify(body)) as AgentAnalysis;
    const problems = findAnalysisProblems(analysis, 'body');
    if (problems.length > 0) throw validationFailed(problems);
    return this.database.transaction(async (transaction) => {
      const agent = await this.changes.change(workspaceId, agentId, { analysis }, transaction);
      transaction.targetName = agent.name;
      return agent.analysis ?? NO_ANALYSIS;
    });
  }
}

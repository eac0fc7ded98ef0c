import { Injectable } from '@nestjs/common';
import { isDeepStrictEqual } from 'node:util';
import { Database } from '../../platform/database/database';
import { validationFailed } from '../../platform/http/errors';
import { type AgentAnalysis, NO_ANALYSIS } from './agent-analysis';
import type { AgentAnalysisDto } from './agent-analysis.dto';
import { applyAnalysis } from './agent-changes';
import { AgentVersionsRepository } from './agent-versions.repository';
import { agentNotFound } from './agents.errors';
import { AgentsRepository } from './agents.repository';
import { findAnalysisProblems } from './analysis-rules';

/** Changes what the calls of an agent are to yield. */
@Injectable()
export class AgentAnalysisService {
  constructor(
    private readonly agents: AgentsRepository,
    private readonly versions: AgentVersionsRepository,
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
    const problems = findAnalysisProblems(analysis);
    if (problems.length > 0) throw validationFailed(problems);
    return this.database.transaction(async (transaction) => {
      const locked = await this.agents.findLocked(workspaceId, agentId, transaction);
      const agent = locked && (await this.agents.findWhole(workspaceId, locked.id, transaction));
      if (!agent) throw agentNotFound();
      const before = agent.analysis ?? NO_ANALYSIS;
      const changed = (['fields', 'criteria'] as const).filter(
        (part) => !isDeepStrictEqual(before[part], analysis[part]),
      );
      transaction.targetName = agent.name;
      transaction.change = null;
      if (changed.length === 0) return before;
      const previous_version = agent.deployment.version;
      applyAnalysis(agent, analysis);
      transaction.change = {
        changed: changed.map((part) => `analysis.${part}`),
        version: agent.deployment.version,
        previous_version,
      };
      await this.agents.save(agent, transaction);
      await this.versions.store([agent.id], transaction);
      return analysis;
    });
  }
}

import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Transaction } from '../../platform/database/database';
import { ToolsService } from '../tools/tools.service';
import { AgentVersionsService } from './agent-versions.service';
import { AgentsRepository } from './agents.repository';

/** Raises the versions of the agents that name a tool when the tool changes. */
@Injectable()
export class AgentToolsService implements OnModuleInit {
  constructor(
    private readonly agents: AgentsRepository,
    private readonly versions: AgentVersionsService,
    private readonly tools: ToolsService,
  ) {}

  onModuleInit(): void {
    this.tools.onChange(async (workspaceId, names, transaction) => {
      const ids = await this.agents.listNaming(workspaceId, names, transaction);
      await this.agents.raiseVersions(ids, transaction);
      await this.versions.store(workspaceId, ids, transaction, { step: 'follow' });
    });
  }

  /** Locks the tools of the workspace, before any lock of an agent's row whose actions change. */
  lock(workspaceId: string, transaction: Transaction): Promise<void> {
    return this.tools.lock(workspaceId, transaction);
  }
}

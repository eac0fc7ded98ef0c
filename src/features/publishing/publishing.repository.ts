import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import type { PublishMode } from '../../accounts/workspaces/publish-modes';
import { Database, type Queryable, type Transaction } from '../../platform/database/database';
import type { NextStep } from '../agents/agent-versions.service';
import {
  ACTIVATE,
  type DeployingAgent,
  FAIL,
  FIND_DEPLOYING,
  FIND_DEPLOYMENT,
  FIND_WORKSPACE_PUBLISHING,
  FIND_WORKSPACES_THAT_DEPLOY,
  FOLLOW_SETTINGS,
  type FoundDeployment,
  MOVE_ON,
  NOTE_RUN,
  SET_AGENT_PUBLISHING,
  SET_WORKSPACE_PUBLISHING,
} from './publishing.sql';

export type { DeployingAgent, FoundDeployment };

/** The version of each agent that calls use, and what becomes of the newest one. */
@Injectable()
export class PublishingRepository {
  constructor(private readonly database: Database) {}

  async find(
    workspaceId: string,
    id: string,
    queryable: Queryable = this.database,
  ): Promise<FoundDeployment | undefined> {
    return isUUID(id) ? (await queryable.query(FIND_DEPLOYMENT, { workspaceId, id }))[0] : undefined;
  }

  /** The caller has locked the agents. @returns those that are gated */
  async moveOn(
    workspaceId: string,
    ids: string[],
    step: Exclude<NextStep, 'activate'>,
    transaction: Transaction,
  ): Promise<string[]> {
    const values = {
      ...{ workspaceId, ids, by: transaction.actor },
      ...{ isDraft: step === 'draft', keepsDraft: step === 'follow', isDecided: step !== 'publish' },
    };
    return (await transaction.query(MOVE_ON, values)).map(({ id }) => id);
  }

  /** The caller has locked the agent, which stays as it is unless it is gated. */
  async activate(
    workspaceId: string,
    id: string,
    transaction: Transaction,
    { isRehearsed }: { isRehearsed: boolean },
  ): Promise<void> {
    await transaction.query(ACTIVATE, { workspaceId, id, isRehearsed });
  }

  async fail(workspaceId: string, id: string, error: string, transaction: Transaction): Promise<void> {
    await transaction.query(FAIL, { workspaceId, id, error });
  }

  async noteRun(workspaceId: string, id: string, runId: string, transaction: Transaction): Promise<void> {
    await transaction.query(NOTE_RUN, { workspaceId, id, runId });
  }

  /** Finds the agents whose newest versions can go on. @param ids null: all */
  findDeploying(
    workspaceId: string,
    ids: string[] | null = null,
    queryable: Queryable = this.database,
  ): Promise<DeployingAgent[]> {
    return queryable.query(FIND_DEPLOYING, { workspaceId, ids });
  }

  async findWorkspaces(): Promise<string[]> {
    const rows = await this.database.query(FIND_WORKSPACES_THAT_DEPLOY, {});
    return rows.map(({ workspaceId }) => workspaceId);
  }

  async findWorkspaceSetting(workspaceId: string): Promise<PublishMode | undefined> {
    return (await this.database.query(FIND_WORKSPACE_PUBLISHING, { workspaceId }))[0]?.publish;
  }

  /** @returns whether it has changed */
  async setOfWorkspace(
    workspaceId: string,
    publish: PublishMode,
    transaction: Transaction,
  ): Promise<boolean> {
    return (await transaction.query(SET_WORKSPACE_PUBLISHING, { workspaceId, publish })).length > 0;
  }

  /** The caller has locked the agent. @returns whether it has changed */
  async setOfAgent(
    workspaceId: string,
    id: string,
    publish: PublishMode | null,
    transaction: Transaction,
  ): Promise<boolean> {
    const values = { workspaceId, id, publish, updatedBy: transaction.actor };
    return (await transaction.query(SET_AGENT_PUBLISHING, values)).length > 0;
  }

  /** @returns the agents that have become gated, or automatic */
  async followSettings(workspaceId: string, transaction: Transaction): Promise<string[]> {
    return (await transaction.query(FOLLOW_SETTINGS, { workspaceId })).map(({ id }) => id);
  }
}

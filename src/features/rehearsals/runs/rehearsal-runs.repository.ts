import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { In, type QueryDeepPartialEntity } from 'typeorm';
import { Database, type Transaction } from '../../../platform/database/database';
import { type Page, readPage, WorkspaceRepository } from '../../../platform/database/workspace.repository';
import { DELETED_RUNS, FIND_EXCESS_RUNS, FIND_OLD_RUNS } from './play-rehearsals.sql';
import { RehearsalResult } from './rehearsal-result.entity';
import { RehearsalRun, type RunCause, type RunCounts } from './rehearsal-run.entity';
import type { ListRunsQuery } from './rehearsal-runs.dto';
import {
  COUNT_OPEN_RUNS,
  COUNT_RUNS,
  FIND_RUNS_OF_PERSON,
  FORGET_FAILURES,
  LIST_RESULTS,
  type ListedResult,
  LOCK_OPEN_RUNS_OF_AGENTS,
  LOCK_RUNS,
  READ_RESULTS,
  REPORTED_RESULTS,
  type ReportedResult,
} from './rehearsal-runs.sql';

export { DELETED_RUNS };
export type { ListedResult, ReportedResult };

const INSERTED_ROWS = 100;

/** A run without what it plays in the place of its version. */
export type NarrowRun = Omit<RehearsalRun, 'configuration'>;

/** A call that is to be played. */
export type NewResult = Omit<Partial<RehearsalResult>, 'run'>;

/** The runs of agents, with the calls in them. */
@Injectable()
export class RehearsalRunsRepository extends WorkspaceRepository<RehearsalRun, 'configuration'> {
  constructor(database: Database) {
    super(database, RehearsalRun);
  }

  /** Lists runs, newest first. */
  list(workspaceId: string, query: ListRunsQuery): Promise<Page<NarrowRun>> {
    const { agent_id: agentId, status, cause } = query;
    const rows = this.withAgent(workspaceId);
    if (agentId !== undefined) rows.andWhere('run.agentId = :agentId', { agentId });
    if (status !== undefined) rows.andWhere('run.status = :status', { status });
    if (cause !== undefined) rows.andWhere('run.cause = :cause', { cause });
    return readPage(rows.orderBy('run.createdAt', 'DESC').addOrderBy('run.id', 'DESC'), query);
  }

  /** Finds a run with the name of its agent, which may have been deleted. */
  async findWithAgent(workspaceId: string, id: string): Promise<NarrowRun | null> {
    return isUUID(id) ? this.withAgent(workspaceId).andWhere('run.id = :id', { id }).getOne() : null;
  }

  async countOpen(workspaceId: string, transaction: Transaction): Promise<number> {
    const [{ count } = { count: 0 }] = await transaction.query(COUNT_OPEN_RUNS, { workspaceId });
    return count;
  }

  /** Locks the runs of agents that go on. @returns their ids */
  async lockOpenOfAgents(
    workspaceId: string,
    agentIds: string[],
    causes: readonly RunCause[],
    transaction: Transaction,
  ): Promise<string[]> {
    const open = await transaction.query(LOCK_OPEN_RUNS_OF_AGENTS, { workspaceId, agentIds, causes });
    return open.map(({ id }) => id);
  }

  /** Finds some runs that have played what was made of calls of a person. @returns their ids */
  async findOfPerson(workspaceId: string, phoneNumber: string, transaction: Transaction): Promise<string[]> {
    const runs = await transaction.query(FIND_RUNS_OF_PERSON, { workspaceId, phoneNumber });
    return runs.map(({ id }) => id);
  }

  /**
   * Locks runs that are to be deleted, and agents that could not be published because of them. Their errors no longer
   * say what was seen. Agents come first, as wherever a transaction ends runs.
   */
  async lockForgotten(workspaceId: string, runIds: string[], transaction: Transaction): Promise<void> {
    await transaction.query(FORGET_FAILURES, { workspaceId, runIds });
    await transaction.query(LOCK_RUNS, { workspaceId, runIds });
  }

  async deleteRuns(workspaceId: string, ids: string[], { manager }: Transaction): Promise<void> {
    await manager.delete(RehearsalRun, { workspaceId, id: In(ids) });
  }

  /** Counts the calls of runs that go on, and reads the counts of the others. */
  async count(workspaceId: string, runIds: string[]): Promise<Map<string, RunCounts>> {
    const counted = await this.database.query(COUNT_RUNS, { workspaceId, runIds });
    return new Map(counted.map(({ runId, counts }) => [runId, counts]));
  }

  /** The calls of a run in their order, without what was said. */
  listResults(workspaceId: string, runId: string): Promise<ListedResult[]> {
    return this.database.query(LIST_RESULTS, { workspaceId, runId });
  }

  /** The calls of a run in their order, some at a time, each with what was said. */
  async *readResults(workspaceId: string, runId: string): AsyncGenerator<ReportedResult[], void> {
    for (let after = -1; ;) {
      const results = await this.database.query(READ_RESULTS, { workspaceId, runId, after });
      const last = results.at(-1);
      if (!last) return;
      yield results;
      if (results.length < REPORTED_RESULTS) return;
      after = last.position;
    }
  }

  findResult(
    workspaceId: string,
    runId: string,
    { name, repeat, against }: Pick<RehearsalResult, 'name' | 'repeat' | 'against'>,
  ): Promise<RehearsalResult | null> {
    const row = { workspaceId, runId, name, repeat, against };
    return this.database.manager.findOneBy(RehearsalResult, row);
  }

  async insertResults(results: NewResult[], { manager }: Transaction): Promise<void> {
    // TypeORM takes most of a second for 2,000 rows.
    for (let at = 0; at < results.length; at += INSERTED_ROWS)
      await manager.insert(
        RehearsalResult,
        results.slice(at, at + INSERTED_ROWS) as QueryDeepPartialEntity<RehearsalResult>[],
      );
  }

  /** Deletes some runs that ended before. @returns their number */
  async deleteOld(days: number): Promise<number> {
    return this.deleteAll(await this.database.query(FIND_OLD_RUNS, { days }));
  }

  /** Deletes runs beyond those that a workspace keeps. @returns their number */
  async deleteExcess(): Promise<number> {
    return this.deleteAll(await this.database.query(FIND_EXCESS_RUNS, {}));
  }

  /** An erasure would not find what a run that is gone has left in the error of an agent. */
  private async deleteAll(runs: { id: string; workspaceId: string }[]): Promise<number> {
    for (const workspaceId of new Set(runs.map((run) => run.workspaceId))) {
      const own = runs.filter((run) => run.workspaceId === workspaceId);
      for (let at = 0; at < own.length; at += DELETED_RUNS) {
        const ids = own.slice(at, at + DELETED_RUNS).map(({ id }) => id);
        await this.database.transaction(async (transaction) => {
          await this.lockForgotten(workspaceId, ids, transaction);
          await this.deleteRuns(workspaceId, ids, transaction);
        });
      }
    }
    return runs.length;
  }

  private withAgent(workspaceId: string) {
    return this.select(workspaceId, 'run')
      .withDeleted()
      .innerJoin('run.agent', 'agent')
      .addSelect(['agent.id', 'agent.name']);
  }
}

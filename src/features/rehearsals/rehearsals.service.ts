import { type ExecutionContext, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Response } from 'express';
import { isDeepStrictEqual } from 'node:util';
import { IdempotencyService } from '../../accounts/idempotency/idempotency.service';
import { Database, type Transaction } from '../../platform/database/database';
import { Created } from '../../platform/http/created';
import { type PageQuery, paginate } from '../../platform/http/pagination';
import { StreamedAnswers } from '../../platform/http/streamed-answers';
import { AgentsService } from '../agents/agents.service';
import { CallsToRehearse } from './from-call/calls-to-rehearse';
import { readRehearsal, readRehearsals, type RehearsalValues } from './rehearsal-rules';
import type { Rehearsal } from './rehearsal.entity';
import {
  type ImportedRehearsalsDto,
  type ImportRehearsalsDto,
  MAX_REHEARSALS,
  type RehearsalDto,
  type RehearsalOfCallDto,
  type RehearseCallDto,
  type WriteRehearsalDto,
} from './rehearsals.dto';
import { rehearsalNameTaken, rehearsalNotFound, rehearsalsLimitReached } from './rehearsals.errors';
import { writeRehearsals } from './rehearsals-file';
import { presentRehearsal } from './rehearsals.presenter';
import { RehearsalsRepository } from './rehearsals.repository';

@Injectable()
export class RehearsalsService implements OnModuleInit {
  constructor(
    private readonly rehearsals: RehearsalsRepository,
    private readonly calls: CallsToRehearse,
    private readonly agents: AgentsService,
    private readonly idempotency: IdempotencyService,
    private readonly answers: StreamedAnswers,
    private readonly database: Database,
  ) {}

  onModuleInit(): void {
    this.agents.onDeletion((workspaceId, agentId, transaction) =>
      this.rehearsals.deleteAll(workspaceId, agentId, transaction),
    );
  }

  /** @throws 404, 400, 403, 409 */
  async create(
    workspaceId: string,
    agentId: string,
    body: WriteRehearsalDto,
  ): Promise<Created<RehearsalDto, Rehearsal>> {
    const values = readRehearsal(body, 'body');
    return this.write(body.name, () =>
      this.idempotency.transaction(async (transaction) => {
        const row = await this.insert(workspaceId, agentId, values, transaction);
        return new Created(presentRehearsal(row), `/api/agents/${row.agentId}/rehearsals/${row.id}`, row);
      }),
    );
  }

  /** Stores a rehearsal of a call, which is played only when it is named. @throws 404, 403, 409 */
  async createOfCall(
    workspaceId: string,
    agentId: string,
    { call_id: callId, name }: RehearseCallDto,
  ): Promise<Created<RehearsalOfCallDto, Rehearsal>> {
    return this.write(name, () =>
      this.database.transaction(async (transaction) => {
        const { id } = await this.agents.lock(workspaceId, agentId, transaction);
        const { definition, replaced, personNumber } = await this.calls.read(
          workspaceId,
          id,
          callId,
          transaction,
        );
        const values = { name, enabled: false, definition, personNumber };
        const row = await this.insert(workspaceId, id, values, transaction);
        const shown = { ...presentRehearsal(row), replaced };
        return new Created(shown, `/api/agents/${id}/rehearsals/${row.id}`, row);
      }),
    );
  }

  /** Stores a new rehearsal. @throws 404, 403 */
  async insert(
    workspaceId: string,
    agentId: string,
    values: RehearsalValues & Partial<Pick<Rehearsal, 'personNumber'>>,
    transaction: Transaction,
  ): Promise<Rehearsal> {
    const { id } = await this.agents.lock(workspaceId, agentId, transaction);
    const count = await this.rehearsals.count(workspaceId, id, transaction);
    if (count >= MAX_REHEARSALS) throw rehearsalsLimitReached();
    return this.rehearsals.insert(workspaceId, { ...values, agentId: id }, transaction);
  }

  /** @throws 404 */
  async list(workspaceId: string, agentId: string, query: PageQuery) {
    await this.agents.find(workspaceId, agentId);
    const { rows, total } = await this.rehearsals.list(workspaceId, agentId, query);
    return paginate(rows.map(presentRehearsal), query, total);
  }

  /** @throws 404 */
  async get(workspaceId: string, agentId: string, id: string): Promise<RehearsalDto> {
    const agent = await this.agents.find(workspaceId, agentId);
    return presentRehearsal(ofAgent(agent.id, await this.rehearsals.find(workspaceId, id)));
  }

  /** @throws 404, 400, 409 */
  async replace(
    workspaceId: string,
    agentId: string,
    id: string,
    body: WriteRehearsalDto,
  ): Promise<RehearsalDto> {
    const values = readRehearsal(body, 'body');
    return this.write(body.name, () =>
      this.database.transaction(async (transaction) =>
        presentRehearsal(await this.change(workspaceId, agentId, id, values, transaction)),
      ),
    );
  }

  /** Gives a rehearsal other values. @throws 404 */
  async change(
    workspaceId: string,
    agentId: string,
    id: string,
    values: RehearsalValues,
    transaction: Transaction,
  ): Promise<Rehearsal> {
    const row = await this.lock(workspaceId, agentId, id, transaction);
    const changed = changedParts(row, values);
    transaction.targetName = values.name;
    transaction.change = changed.length > 0 ? { changed } : null;
    if (changed.length > 0) await this.rehearsals.save(Object.assign(row, values), transaction);
    return row;
  }

  /** @throws 404 */
  async remove(workspaceId: string, agentId: string, id: string): Promise<void> {
    await this.database.transaction((transaction) => this.delete(workspaceId, agentId, id, transaction));
  }

  /** @throws 404 */
  async delete(
    workspaceId: string,
    agentId: string,
    id: string,
    transaction: Transaction,
  ): Promise<Rehearsal> {
    const row = await this.lock(workspaceId, agentId, id, transaction);
    transaction.targetName = row.name;
    await this.rehearsals.delete(workspaceId, row.agentId, [row], transaction);
    return row;
  }

  /** Writes all rehearsals of an agent as YAML. @throws 404 */
  async export(
    workspaceId: string,
    agentId: string,
    context: ExecutionContext,
    response: Response,
  ): Promise<void> {
    const { id, slug } = await this.agents.find(workspaceId, agentId);
    const file = writeRehearsals(slug, () => this.rehearsals.listAll(workspaceId, id));
    return this.answers.write(context, response, file);
  }

  /**
   * Stores the rehearsals of a file by their names: all of them, or none.
   * @param replace whether the others of the agent are deleted
   * @throws 404, 400, 403
   */
  async import(
    workspaceId: string,
    agentId: string,
    { rehearsals }: ImportRehearsalsDto,
    { replace }: { replace: boolean },
  ): Promise<ImportedRehearsalsDto> {
    const given = await readRehearsals(rehearsals, 'body.rehearsals');
    return this.database.transaction(async (transaction) => {
      const agent = await this.agents.lock(workspaceId, agentId, transaction);
      const rows = await this.rehearsals.listAll(workspaceId, agent.id, transaction);
      const stored = new Map(rows.map((row) => [row.name, row]));
      const created = given.filter(({ name }) => !stored.has(name));
      const changed = given.flatMap((values) => {
        const row = stored.get(values.name);
        return row && changedParts(row, values).length > 0 ? [Object.assign(row, values)] : [];
      });
      const names = new Set(given.map(({ name }) => name));
      const deleted = replace ? rows.filter(({ name }) => !names.has(name)) : [];
      if (rows.length + created.length - deleted.length > MAX_REHEARSALS) throw rehearsalsLimitReached();
      await this.rehearsals.delete(workspaceId, agent.id, deleted, transaction);
      for (const row of changed) await this.rehearsals.save(row, transaction);
      for (const values of created)
        await this.rehearsals.insert(workspaceId, { ...values, agentId: agent.id }, transaction);
      const counts = {
        created: created.length,
        updated: changed.length,
        unchanged: given.length - created.length - changed.length,
        deleted: deleted.length,
      };
      transaction.targetName = agent.name;
      const isChange = created.length + changed.length + deleted.length > 0;
      transaction.change = isChange ? counts : null;
      return counts;
    });
  }

  /** Locks a rehearsal and its agent until the transaction ends. @throws 404 */
  private async lock(
    workspaceId: string,
    agentId: string,
    id: string,
    transaction: Transaction,
  ): Promise<Rehearsal> {
    const agent = await this.agents.lock(workspaceId, agentId, transaction);
    return ofAgent(agent.id, await this.rehearsals.findLocked(workspaceId, id, transaction));
  }

  private async write<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      throw this.rehearsals.isNameConflict(error) ? rehearsalNameTaken(name) : error;
    }
  }
}

/** @throws 404 */
function ofAgent(agentId: string, row: Rehearsal | null): Rehearsal {
  if (row?.agentId !== agentId) throw rehearsalNotFound();
  return row;
}

/** The names of the parts that a change changes. */
function changedParts(row: RehearsalValues, values: RehearsalValues): string[] {
  const parts = ({ definition, ...others }: RehearsalValues): Record<string, unknown> => ({
    ...others,
    ...definition,
  });
  const [before, after] = [parts(row), parts(values)];
  return Object.keys(after).filter((part) => !isDeepStrictEqual(before[part], after[part]));
}

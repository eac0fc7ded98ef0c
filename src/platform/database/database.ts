import { Injectable } from '@nestjs/common';
import type { Pool, PoolClient } from 'pg';
import { DataSource, type EntityManager } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import type { Actor } from '../http/actor';
import type { AuditDetails, AuditEntry } from '../http/audited';
import { requestContext } from '../http/request-context';
import { auditRows, AuditStatements } from './audit-trail';
import { endOnAbort } from './fair-pool';
import { isConnectionLost, OutcomeUnknownError, RolledBackError } from './outcome-unknown';
import { queryOf, type Statement, statement } from './statement';

/**
 * An executor of the SQL of repositories: the pool, where each statement is its own transaction, or one transaction.
 */
export interface Queryable {
  /** TypeORM's manager is for inserts, look-ups by id and lists with filters. */
  readonly manager: EntityManager;
  query<Parameters extends object, Row extends object>(
    statement: Statement<Parameters, Row>,
    values: Parameters,
  ): Promise<Row[]>;
}

export const LOCK = statement<{ resource: string }>(
  'lock-resource',
  'SELECT pg_advisory_xact_lock(hashtextextended($resource, 0))',
);

/** A transaction. Services begin it, and pass it to the repositories whose changes belong together. */
export class Transaction implements Queryable {
  /**
   * The details that the audit entry of the request adds to its declared details. null: nothing has changed, so there
   * is no entry
   */
  change: AuditDetails | null = {};

  /** The name of what the request changes, for the audit, if the result does not have it. */
  targetName?: string;

  private constructor(
    readonly manager: EntityManager,
    /** The client of the driver, for COPY, which TypeORM does not support. */
    readonly client: PoolClient,
    /** The actor of the changes. null: the server itself */
    readonly actor: Actor | null,
    private readonly auditStatements: AuditStatements,
  ) {}

  static async of(manager: EntityManager, auditStatements: AuditStatements): Promise<Transaction> {
    const client = (await manager.queryRunner?.connect()) as PoolClient;
    return new Transaction(manager, client, requestContext.getStore()?.actor ?? null, auditStatements);
  }

  /** @throws RolledBackError if the connection was lost meanwhile */
  async query<Parameters extends object, Row extends object>(
    statement: Statement<Parameters, Row>,
    values: Parameters,
  ): Promise<Row[]> {
    const query = queryOf(statement, values);
    try {
      return (await this.client.query<Row>(query)).rows;
    } catch (error) {
      throw isConnectionLost(error) ? new RolledBackError(statement.name, error) : error;
    }
  }

  /** Writes an entry of the audit, for a change that no route or command declares. */
  async audit(entry: AuditEntry): Promise<void> {
    await this.query(this.auditStatements.insert, { entries: auditRows([entry]) });
  }

  /** Closes the connection if the signal is aborted, which rolls the transaction back. */
  endOnAbort(signal: AbortSignal): void {
    endOnAbort(this.client, signal);
  }

  /**
   * Waits until no other transaction has this lock, and keeps it to the end of this one.
   * @param resource what it protects, such as `phone numbers of <workspace id>`
   */
  async lock(resource: string): Promise<void> {
    await this.query(LOCK, { resource });
  }
}

/** The database of the application. */
@Injectable()
export class Database implements Queryable {
  constructor(
    private readonly dataSource: DataSource,
    private readonly auditStatements: AuditStatements,
  ) {}

  get manager(): EntityManager {
    return this.dataSource.manager;
  }

  /**
   * Runs one statement, which is its own transaction.
   * @throws OutcomeUnknownError if the connection was lost meanwhile
   */
  async query<Parameters extends object, Row extends object>(
    statement: Statement<Parameters, Row>,
    values: Parameters,
  ): Promise<Row[]> {
    const query = queryOf(statement, values);
    const client = await ((this.dataSource.driver as PostgresDriver).master as Pool).connect();
    try {
      const { rows } = await client.query<Row>(query);
      client.release();
      return rows;
    } catch (error) {
      const isLost = isConnectionLost(error);
      // A statement that Postgres refused leaves its connection usable.
      client.release(isLost ? (error as Error) : undefined);
      throw isLost ? new OutcomeUnknownError(statement.name, error) : error;
    }
  }

  /**
   * Commits what `work` does, or rolls it back when `work` throws. The first transaction of an audited request or
   * command also writes its entry.
   */
  async transaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    const pending = requestContext.getStore()?.audit;
    const result = await this.dataSource.transaction(async (manager) => {
      const transaction = await Transaction.of(manager, this.auditStatements);
      const result = await work(transaction);
      const { change } = transaction;
      if (pending && !pending.isSettled && change) {
        const entry = pending.entryOf(result);
        await transaction.audit({
          name: transaction.targetName,
          ...entry,
          details: { ...entry.details, ...change },
        });
      }
      return result;
    });
    if (pending) pending.isSettled = true;
    return result;
  }
}

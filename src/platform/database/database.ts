import { Injectable } from '@nestjs/common';
import type { Pool, PoolClient } from 'pg';
import { DataSource, type EntityManager } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import type { Actor } from '../http/actor';
import type { ChangeDetails, ChangedPart, Query } from '../http/change-record';
import { requestContext } from '../http/request-context';
import { endOnAbort } from './fair-pool';
import { isConnectionLost, OutcomeUnknownError, RolledBackError } from './outcome-unknown';
import { buildQuery, type Statement, statement } from './statement';
import { statementTimeout } from './statement-timeouts';

/** An executor of statements that only read. */
export interface Reader {
  query<Parameters extends object, Row extends object>(
    statement: Statement<Parameters, Row>,
    values: Parameters,
  ): Promise<Row[]>;
}

/**
 * An executor of the SQL of repositories: the pool, where each statement is its own transaction, or one transaction.
 */
export interface Queryable extends Reader {
  /** TypeORM's manager is for inserts, look-ups by id and lists with filters. */
  readonly manager: EntityManager;
}

export const LOCK = statement<{ resource: string }>(
  'lock-resource',
  'SELECT pg_advisory_xact_lock(hashtextextended($resource, 0))',
);

/** Postgres does not limit how long a commit waits for a synchronous standby that is away. */
const COMMIT_TIMEOUT_MS = 5_000;
/** Postgres ends a statement at its own limit, which does not include its commit. */
const STATEMENT_TIMEOUT_MS = statementTimeout('default') + COMMIT_TIMEOUT_MS;

/**
 * Limits a wait for an outcome. The work that is late goes on and keeps its connection, so that statements that wait do
 * not take ever more of them.
 */
class Deadline {
  private timer: NodeJS.Timeout | undefined;
  private fail: (error: Error) => void;
  private readonly late = new Promise<never>((_, reject) => (this.fail = reject));

  constructor(private readonly name: string) {}

  begin(ms: number): void {
    const expire = () =>
      this.fail(new OutcomeUnknownError(this.name, new Error(`No answer within ${ms} ms`)));
    this.timer = setTimeout(expire, ms);
  }

  /** @throws OutcomeUnknownError when the time is over */
  async limit<Result>(work: Promise<Result>): Promise<Result> {
    try {
      return await Promise.race([work, this.late]);
    } finally {
      clearTimeout(this.timer);
    }
  }
}

/** A transaction. Services begin it, and pass it to the repositories whose changes belong together. */
export class Transaction implements Queryable {
  /**
   * The details that the record of the request adds to its declared details. null: nothing has changed, so no
   * record is written
   */
  change: ChangeDetails | null = {};

  /** The name of what the request changes, for its record, if the result does not have it. */
  targetName?: string;

  /** The changes that get records of their own beside that of the request. */
  readonly parts: ChangedPart[] = [];

  /** The work that begins once this is committed. It must not throw. */
  readonly afterCommit: (() => Promise<void> | void)[] = [];

  private constructor(
    readonly manager: EntityManager,
    /** The client of the driver, for COPY, which TypeORM does not support. */
    readonly client: PoolClient,
    /** The actor of the changes. null: the server itself */
    readonly actor: Actor | null,
  ) {}

  static async of(manager: EntityManager): Promise<Transaction> {
    const client = (await manager.queryRunner?.connect()) as PoolClient;
    return new Transaction(manager, client, requestContext.getStore()?.actor ?? null);
  }

  /** @throws RolledBackError if the connection was lost meanwhile */
  async query<Parameters extends object, Row extends object>(
    statement: Statement<Parameters, Row>,
    values: Parameters,
  ): Promise<Row[]> {
    return this.send(buildQuery(statement, values), statement.name);
  }

  /** @throws RolledBackError if the connection was lost meanwhile */
  async send<Row extends object>(query: Query, name: string): Promise<Row[]> {
    try {
      return (await this.client.query<Row>(query)).rows;
    } catch (error) {
      throw isConnectionLost(error) ? new RolledBackError(name, error) : error;
    }
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
  constructor(private readonly dataSource: DataSource) {}

  get manager(): EntityManager {
    return this.dataSource.manager;
  }

  /**
   * Runs one statement, which is its own transaction.
   * @throws OutcomeUnknownError if the connection was lost meanwhile, or Postgres does not answer in time
   */
  async query<Parameters extends object, Row extends object>(
    statement: Statement<Parameters, Row>,
    values: Parameters,
  ): Promise<Row[]> {
    const query = buildQuery(statement, values);
    const client = await ((this.dataSource.driver as PostgresDriver).master as Pool).connect();
    const deadline = new Deadline(statement.name);
    deadline.begin(STATEMENT_TIMEOUT_MS);
    return deadline.limit(this.run<Row>(client, query, statement.name));
  }

  /** Runs `work` in a transaction that is rolled back, without what it leaves for later. @returns what it returns @throws what it throws */
  async rehearse<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    const rehearsed = Object.assign(new Error('rehearsed'), { result: undefined as Result });
    const done = this.dataSource.transaction(async (manager) => {
      rehearsed.result = await work(await Transaction.of(manager));
      throw rehearsed;
    });
    return done.catch((error: unknown) => {
      if (error !== rehearsed) throw error;
      return rehearsed.result;
    });
  }

  /**
   * Commits what `work` does, or rolls it back when `work` throws. The first transaction of a recorded request or
   * command also writes its record.
   * @throws OutcomeUnknownError if Postgres does not confirm the commit in time
   */
  async transaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    const record = requestContext.getStore()?.record;
    const deadline = new Deadline('COMMIT');
    const next: Transaction['afterCommit'] = [];
    const committed = this.dataSource.transaction(async (manager) => {
      const transaction = await Transaction.of(manager);
      const result = await work(transaction);
      const { change: details, targetName, parts } = transaction;
      if (record && !record.isSettled && details) {
        await transaction.send(record.createQuery({ result, targetName, details, parts }), 'change record');
      }
      next.push(...transaction.afterCommit);
      deadline.begin(COMMIT_TIMEOUT_MS);
      return result;
    });
    const result = await deadline.limit(committed);
    if (record) record.isSettled = true;
    for (const work of next) await work();
    return result;
  }

  private async run<Row extends object>(client: PoolClient, query: Query, name: string): Promise<Row[]> {
    try {
      const { rows } = await client.query<Row>(query);
      client.release();
      return rows;
    } catch (error) {
      const isLost = isConnectionLost(error);
      // A statement that Postgres refused leaves its connection usable.
      client.release(isLost ? (error as Error) : undefined);
      throw isLost ? new OutcomeUnknownError(name, error) : error;
    }
  }
}

import { Injectable } from '@nestjs/common';
import type { Pool, PoolClient } from 'pg';
import { DataSource, type EntityManager } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver';
import { isConnectionLost, OutcomeUnknownError, RolledBackError } from './outcome-unknown';

/** A statement that Postgres parses and plans once a connection, under its name. */
export interface Statement {
  name: string;
  text: string;
}

/** Runs statements: each for itself on the pool, or all in one transaction. */
export interface SqlRunner {
  run<Row extends object>(statement: Statement, values?: unknown[]): Promise<Row[]>;
}

/** Hand-written SQL on the pool that TypeORM uses too: for statements that are an invariant or a hot path. */
@Injectable()
export class Sql implements SqlRunner {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Runs one statement, which is its own transaction.
   * @throws OutcomeUnknownError, and something else where the connection could not even be made
   */
  async run<Row extends object>(statement: Statement, values: unknown[] = []): Promise<Row[]> {
    const pool = (this.dataSource.driver as PostgresDriver).master as Pool;
    const client = await pool.connect();
    try {
      const { rows } = await client.query<Row>({ ...statement, values });
      client.release();
      return rows;
    } catch (error) {
      const isLost = isConnectionLost(error);
      // A statement that Postgres refused leaves its connection usable.
      client.release(isLost ? (error as Error) : undefined);
      throw isLost ? new OutcomeUnknownError(statement.name, error) : error;
    }
  }

  /** Runs all that `work` runs on its runner in one transaction, which is rolled back when `work` throws. */
  transaction<Result>(work: (sql: SqlRunner) => Promise<Result>): Promise<Result> {
    return this.dataSource.transaction(async (manager) => work(await sqlOf(manager)));
  }
}

/** Runs statements in the transaction of a manager. */
export async function sqlOf({ queryRunner }: EntityManager): Promise<SqlRunner> {
  const client = (await queryRunner?.connect()) as PoolClient;
  return {
    run: async <Row extends object>(statement: Statement, values: unknown[] = []) => {
      try {
        return (await client.query<Row>({ ...statement, values })).rows;
      } catch (error) {
        throw isConnectionLost(error) ? new RolledBackError(statement.name, error) : error;
      }
    },
  };
}

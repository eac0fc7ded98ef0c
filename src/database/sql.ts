import { Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver';

/** A statement that Postgres parses and plans once a connection, under its name. */
export interface Statement {
  name: string;
  text: string;
}

/** Hand-written SQL on the pool that TypeORM uses too: for statements that are an invariant or a hot path. */
@Injectable()
export class Sql {
  constructor(private readonly dataSource: DataSource) {}

  /** Runs one statement, which is its own transaction. */
  async run<Row extends object>(statement: Statement, values: unknown[] = []): Promise<Row[]> {
    const pool = (this.dataSource.driver as PostgresDriver).master as Pool;
    const { rows } = await pool.query<Row>({ ...statement, values });
    return rows;
  }
}

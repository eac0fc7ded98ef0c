import { Logger } from '@nestjs/common';
import type { Response } from 'express';
import { DatabaseError } from 'pg';
import type { Database, Reader } from '../database/database';
import type { Statement } from '../database/statement';
import { statementTimeout } from '../database/statement-timeouts';
import { AS_OF } from '../http/as-of';
import { ApiError } from '../http/errors';
import { requestContext } from '../http/request-context';
import type { ReplicaHost } from './replica-host';

const logger = new Logger('Replica');

const QUERY_CANCELED = '57014';

/** A server of the replica has not followed far enough. */
class BehindError extends Error {}

/**
 * Reads what one answer needs. It begins with the replica. From its first failure on, it reads from the primary, so
 * that no later part of an answer is older than the parts before it.
 */
export class ReportReader implements Reader {
  private lastAsOf: Date | undefined;

  /** @param host undefined: the primary */
  constructor(
    private readonly database: Database,
    private host: ReplicaHost | undefined,
    private readonly isFresh: (writtenAt: Date) => boolean,
  ) {}

  /** The last result has everything that was committed by this time. undefined: it is from the primary */
  get asOf(): Date | undefined {
    return this.host && this.lastAsOf;
  }

  /** Reads from the primary from now on. */
  usePrimary(): void {
    this.host = undefined;
  }

  /** Adds the time to the answer, once: later parts of it are never older. */
  setHeader(response: Response): void {
    if (this.asOf && !response.headersSent && !response.hasHeader(AS_OF))
      response.set(AS_OF, this.asOf.toISOString());
  }

  async query<Parameters extends object, Row extends object>(
    statement: Statement<Parameters, Row>,
    values: Parameters,
  ): Promise<Row[]> {
    const found = this.host && (await this.queryReplica(this.host, statement, values));
    return found ?? this.database.query(statement, values);
  }

  /** @returns undefined if the primary must be asked */
  private async queryReplica<Parameters extends object, Row extends object>(
    host: ReplicaHost,
    statement: Statement<Parameters, Row>,
    values: Parameters,
  ): Promise<Row[] | undefined> {
    const begin = performance.now();
    try {
      const { rows, writtenAt } = await host.query(statement, values, (timestamp) =>
        this.assertUsable(timestamp.writtenAt),
      );
      this.lastAsOf = writtenAt;
      return rows;
    } catch (error) {
      if (isFinal(error, host, performance.now() - begin)) throw error;
      this.usePrimary();
      const message = 'A report could not be read from the replica, and is read from the primary';
      logger.warn({ err: error, statement: statement.name }, message);
      return undefined;
    }
  }

  /** @throws BehindError if the server is too far behind, or behind what this answer has already read */
  private assertUsable(writtenAt: Date): void {
    if (this.lastAsOf && writtenAt < this.lastAsOf)
      throw new BehindError('Another server of the replica is behind the one before');
    if (!this.isFresh(writtenAt)) throw new BehindError('The replica is too far behind');
  }
}

/**
 * Whether the primary would not help: the client is gone, the workspace has used its share, or the statement has used
 * its time. After everything else, such as a statement that was cancelled by what the primary has removed, it does.
 */
function isFinal(error: unknown, host: ReplicaHost, elapsedMs: number): boolean {
  if (requestContext.getStore()?.abortSignal?.aborted) return true;
  if (error instanceof ApiError) return !host.isAway;
  const isCancelled = error instanceof DatabaseError && error.code === QUERY_CANCELED;
  return isCancelled && elapsedMs >= statementTimeout('default');
}

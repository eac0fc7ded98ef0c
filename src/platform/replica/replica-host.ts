import { Client, type ClientBase, DatabaseError } from 'pg';
import type { Config } from '../../config';
import { readOnlyPool } from '../database/data-source';
import type { FairPool } from '../database/fair-pool';
import { isConnectionLost, isNeverConnected } from '../database/outcome-unknown';
import { CHECK_TIMEOUT_MS, disconnect, getSocket, isAway } from '../database/primary-client';
import { buildQuery, type Statement } from '../database/statement';
import { type FoundTimestamp, READ_TIMESTAMP } from './replica-timestamp.sql';

async function readTimestamp(client: ClientBase): Promise<FoundTimestamp> {
  const { rows } = await client.query<FoundTimestamp>(buildQuery(READ_TIMESTAMP, {}));
  if (!rows[0]) throw new Error('No server has written the row that the replica is measured by');
  return rows[0];
}

/** One host of the replica, with its pool. */
export class ReplicaHost {
  /** The row that the last check has found, also if the host is away now. */
  timestamp: FoundTimestamp | undefined;
  /** Whether the last check has failed. */
  isAway = true;

  private readonly connected = new Set<ClientBase>();
  private readonly pool: FairPool;

  constructor(
    private readonly url: string,
    config: Pick<Config, 'DATABASE_POOL_SIZE' | 'WORKSPACE_CONNECTIONS'>,
  ) {
    this.pool = readOnlyPool(url, config, (client) => {
      this.connected.add(client);
      client.once('end', () => this.connected.delete(client));
    });
    // An idle connection was cut. The next request makes another one.
    this.pool.on('error', () => undefined);
  }

  /**
   * Reads by a connection that shows first how far its server has followed: the address may lead to several.
   * @param assertUsable throws if it has not followed far enough
   */
  async query<Parameters extends object, Row extends object>(
    statement: Statement<Parameters, Row>,
    values: Parameters,
    assertUsable: (timestamp: FoundTimestamp) => void,
  ): Promise<{ rows: Row[]; writtenAt: Date }> {
    const query = buildQuery(statement, values);
    const client = await this.connect();
    try {
      const timestamp = await readTimestamp(client);
      assertUsable(timestamp);
      const { rows } = await client.query<Row>(query);
      client.release();
      return { rows, writtenAt: timestamp.writtenAt };
    } catch (error) {
      const isReusable = error instanceof DatabaseError && !isConnectionLost(error);
      client.release(isReusable ? undefined : (error as Error));
      throw error;
    }
  }

  /** Reads the row by a connection of its own, and cuts all others if the host does not answer. */
  async check(): Promise<void> {
    const client = new Client({
      connectionString: this.url,
      application_name: 'parley monitor',
      connectionTimeoutMillis: CHECK_TIMEOUT_MS,
      query_timeout: CHECK_TIMEOUT_MS,
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      this.timestamp = await readTimestamp(client);
      this.isAway = false;
      disconnect(client);
    } catch (error) {
      this.isAway = true;
      getSocket(client).destroy();
      // Statements on a host that is frozen or cut off would never end.
      if (isAway(error)) for (const each of this.connected) getSocket(each).destroy();
      throw error;
    }
  }

  close(): Promise<void> {
    return this.pool.end();
  }

  private async connect() {
    try {
      return await this.pool.connect();
    } catch (error) {
      // Other requests do not wait for it until the next check.
      if (isNeverConnected(error)) this.isAway = true;
      throw error;
    }
  }
}

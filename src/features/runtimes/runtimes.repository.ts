import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import { jsonRows } from '../../platform/database/statement';
import { StatementBatcher } from '../../platform/database/statement-batcher';
import { FIND_WORKERS, type Hello, type SeenWorker, STORE_HELLOS } from './runtimes.sql';

export type { Hello, SeenWorker };

/** Runtimes that were seen lately. */
@Injectable()
export class RuntimesRepository {
  // One statement at a time, so that it counts what the one before it has stored.
  private readonly hellos = new StatementBatcher((hellos: Hello[]) => this.storeAll(hellos), {
    maxItemsOfKey: 1,
    maxRunning: 1,
  });

  constructor(private readonly database: Database) {}

  /** Does nothing while too many other runtimes are known. */
  store(hello: Hello): Promise<void> {
    return this.hellos.add(hello.id, hello);
  }

  find(workspaceId: string): Promise<SeenWorker[]> {
    return this.database.query(FIND_WORKERS, { workspaceId });
  }

  private async storeAll(hellos: Hello[]): Promise<void[]> {
    await this.database.query(STORE_HELLOS, { hellos: jsonRows(hellos) });
    return hellos.map(() => undefined);
  }
}

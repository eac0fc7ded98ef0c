import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import { jsonRows } from '../../platform/database/statement';
import { StatementBatcher } from '../../platform/database/statement-batcher';
import { FIND_WORKERS, type Hello, type SeenWorker, STORE_HELLOS } from './runtimes.sql';

export type { Hello, SeenWorker };

/** Stores and finds the runtimes that sent a hello recently. */
@Injectable()
export class RuntimesRepository {
  // The statements run one at a time, so that each counts what the one before it has stored.
  private readonly hellos = new StatementBatcher((hellos: Hello[]) => this.storeAll(hellos), {
    maxItemsOfKey: 1,
    maxRunning: 1,
  });

  constructor(private readonly database: Database) {}

  /** Stores a hello. It does nothing if too many other runtimes are stored. */
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

import { isUUID } from 'class-validator';
import type {
  DeepPartial,
  EntityTarget,
  FindOptionsWhere,
  QueryDeepPartialEntity,
  SelectQueryBuilder,
} from 'typeorm';
import { uuidv7 } from 'uuidv7';
import type { Actor } from '../http/actor';
import type { Database, Queryable, Transaction } from './database';

export interface WorkspaceOwned {
  id: string;
  workspaceId: string;
}

/**
 * The base of a feature's repository: rows that belong to a workspace. Every method takes the workspace first and puts
 * it into the WHERE. A malformed id is treated as one that does not exist.
 * @typeParam Wide the columns with `select: false`, which lists never read
 */
export abstract class WorkspaceRepository<Row extends WorkspaceOwned, Wide extends keyof Row = never> {
  constructor(
    protected readonly database: Database,
    private readonly entity: EntityTarget<Row>,
    /** The unique index of the names, if there is one. */
    private readonly uniqueNames?: string,
  ) {}

  async find(workspaceId: string, id: string): Promise<Omit<Row, Wide> | null> {
    return isUUID(id) ? this.database.manager.findOneBy(this.entity, this.one(workspaceId, id)) : null;
  }

  /** Finds a row with its wide columns. */
  async findWhole(
    workspaceId: string,
    id: string,
    { manager }: Queryable = this.database,
  ): Promise<Row | null> {
    if (!isUUID(id)) return null;
    const wide = manager.connection.getMetadata(this.entity).columns.filter(({ isSelect }) => !isSelect);
    return manager
      .createQueryBuilder(this.entity, 'row')
      .addSelect(wide.map(({ propertyPath }) => `row.${propertyPath}`))
      .where(this.one(workspaceId, id))
      .getOne();
  }

  async insert(
    workspaceId: string,
    values: Omit<DeepPartial<Row>, 'id' | 'workspaceId'>,
    transaction: Transaction,
  ): Promise<Row> {
    const { manager } = transaction;
    const added = { ...values, id: uuidv7(), workspaceId, ...this.stamp(transaction) };
    const row = manager.create(this.entity, added as unknown as DeepPartial<Row>);
    // TypeORM also copies the values that the database generated into `row`.
    await manager.insert(this.entity, row as QueryDeepPartialEntity<Row>);
    return row;
  }

  /** Locks one row until the transaction ends. Rows that refer to it may be inserted meanwhile. */
  async findLocked(
    workspaceId: string,
    id: string,
    { manager }: Transaction,
  ): Promise<Omit<Row, Wide> | null> {
    if (!isUUID(id)) return null;
    const where = this.one(workspaceId, id);
    return manager.findOne(this.entity, { where, lock: { mode: 'for_no_key_update' } });
  }

  /** Saves a row that this transaction has read and changed. */
  async save(row: Omit<Row, Wide>, transaction: Transaction): Promise<void> {
    await transaction.manager.save(
      this.entity,
      Object.assign(row, this.stamp(transaction)) as DeepPartial<Row>,
    );
  }

  /** Whether a change has failed because there is another row of this name. */
  isNameConflict(error: unknown): boolean {
    const { constraint } = error as { constraint?: unknown };
    return constraint !== undefined && constraint === this.uniqueNames;
  }

  /** A query that already names the workspace; narrow it with `andWhere`. */
  protected select(workspaceId: string, alias: string): SelectQueryBuilder<Omit<Row, Wide>> {
    return this.database.manager
      .createQueryBuilder(this.entity, alias)
      .where(`${alias}.workspaceId = :workspaceId`, { workspaceId }) as SelectQueryBuilder<Omit<Row, Wide>>;
  }

  /** The actor of a change, if the table keeps who has changed a row last. */
  private stamp({ manager, actor }: Transaction): { updatedBy?: Actor | null } {
    const { propertiesMap } = manager.connection.getMetadata(this.entity);
    return 'updatedBy' in propertiesMap ? { updatedBy: actor } : {};
  }

  private one(workspaceId: string, id: string) {
    return { workspaceId, id } as FindOptionsWhere<Row>;
  }
}

/** Some rows of a list, and how many the whole list has. */
export interface Page<Row> {
  rows: Row[];
  total: number;
}

/** One page of a query, in its order. @param page counted from 1 */
export async function readPage<Row extends object>(
  query: SelectQueryBuilder<Row>,
  { page, limit }: { page: number; limit: number },
): Promise<Page<Row>> {
  const [rows, total] = await query
    .offset((page - 1) * limit)
    .limit(limit)
    .getManyAndCount();
  return { rows, total };
}

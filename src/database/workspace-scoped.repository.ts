import { Inject } from '@nestjs/common';
import { getRepositoryToken, TypeOrmModule } from '@nestjs/typeorm';
import { isUUID } from 'class-validator';
import type {
  DeepPartial,
  EntityManager,
  FindOptionsWhere,
  QueryDeepPartialEntity,
  Repository,
  SelectQueryBuilder,
} from 'typeorm';
import { uuidv7 } from 'uuidv7';
import { offsetOf, type PageQuery, type Paginated, paginate } from '../http/pagination';

export interface WorkspaceOwned {
  id: string;
  workspaceId: string;
}

/**
 * Rows that belong to a workspace: every method takes the workspace and puts it into the WHERE. An id that is malformed
 * is like one that does not exist.
 * @typeParam Wide the columns with `select: false`, which lists never read
 */
export class WorkspaceScopedRepository<Row extends WorkspaceOwned, Wide extends keyof Row = never> {
  constructor(private readonly rows: Repository<Row>) {}

  async find(workspaceId: string, id: string): Promise<Omit<Row, Wide> | null> {
    return isUUID(id) ? this.rows.findOneBy(this.one(workspaceId, id)) : null;
  }

  /** With its wide columns. */
  async findWhole(workspaceId: string, id: string, manager = this.rows.manager): Promise<Row | null> {
    if (!isUUID(id)) return null;
    const wide = this.rows.metadata.columns.filter(({ isSelect }) => !isSelect);
    return manager
      .createQueryBuilder(this.rows.target, 'row')
      .addSelect(wide.map(({ propertyPath }) => `row.${propertyPath}`))
      .where(this.one(workspaceId, id))
      .getOne();
  }

  async insert(
    workspaceId: string,
    values: Omit<DeepPartial<Row>, 'id' | 'workspaceId'>,
    manager: EntityManager = this.rows.manager,
  ): Promise<Row> {
    const row = this.rows.create({ ...values, id: uuidv7(), workspaceId } as DeepPartial<Row>);
    // Also writes into the row what the database has chosen.
    await manager.insert(this.rows.target, row as QueryDeepPartialEntity<Row>);
    return row;
  }

  /** One row, which nobody else changes before the transaction's end; rows that refer to it may come meanwhile. */
  async findLocked(manager: EntityManager, workspaceId: string, id: string): Promise<Omit<Row, Wide> | null> {
    if (!isUUID(id)) return null;
    const where = this.one(workspaceId, id);
    return manager.findOne(this.rows.target, { where, lock: { mode: 'for_no_key_update' } });
  }

  /** Changes one row under its lock, so that two changes at once come one after the other. Null: there is none. */
  async update(
    workspaceId: string,
    id: string,
    change: (row: Omit<Row, Wide>) => void,
  ): Promise<Omit<Row, Wide> | null> {
    return this.rows.manager.transaction(async (manager) => {
      const row = await this.findLocked(manager, workspaceId, id);
      if (!row) return null;
      change(row);
      return manager.save(row);
    });
  }

  /** A query that already names the workspace; narrow it with `andWhere`. */
  query(workspaceId: string, alias: string): SelectQueryBuilder<Omit<Row, Wide>> {
    return this.rows
      .createQueryBuilder(alias)
      .where(`${alias}.workspaceId = :workspaceId`, { workspaceId }) as SelectQueryBuilder<Omit<Row, Wide>>;
  }

  private one(workspaceId: string, id: string) {
    return { workspaceId, id } as FindOptionsWhere<Row>;
  }
}

/** One page of a query, in its order, each row shown by `present`. */
export async function pageOf<Row extends object, Shown>(
  query: SelectQueryBuilder<Row>,
  page: PageQuery,
  present: (row: Row) => Shown,
): Promise<Paginated<Shown[]>> {
  const [rows, total] = await query.offset(offsetOf(page)).limit(page.limit).getManyAndCount();
  return paginate(rows.map(present), page, total);
}

type EntityClass = new () => WorkspaceOwned;

const tokenOf = (entity: EntityClass) => `WorkspaceScoped${entity.name}Repository`;

export const InjectScoped = (entity: EntityClass) => Inject(tokenOf(entity));

/** Registers an entity and its scoped repository: spread into a module's imports and providers. */
export const scopedRepository = (entity: EntityClass) => ({
  imports: [TypeOrmModule.forFeature([entity])],
  providers: [
    {
      provide: tokenOf(entity),
      useFactory: (rows: Repository<WorkspaceOwned>) => new WorkspaceScopedRepository(rows),
      inject: [getRepositoryToken(entity)],
    },
  ],
});

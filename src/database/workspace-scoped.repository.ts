import { Inject } from '@nestjs/common';
import { getRepositoryToken, TypeOrmModule } from '@nestjs/typeorm';
import { isUUID } from 'class-validator';
import type { DeepPartial, EntityManager, FindOptionsWhere, Repository, SelectQueryBuilder } from 'typeorm';
import { uuidv7 } from 'uuidv7';
import { offsetOf, type PageQuery, type Paginated, paginate } from '../common/pagination';

export interface WorkspaceOwned {
  id: string;
  workspaceId: string;
}

/**
 * The only way to rows that belong to a workspace: every method takes the workspace first and puts it into the
 * WHERE. An id that is malformed is like one that does not exist.
 */
export class WorkspaceScopedRepository<Row extends WorkspaceOwned> {
  constructor(private readonly rows: Repository<Row>) {}

  async find(workspaceId: string, id: string): Promise<Row | null> {
    return isUUID(id) ? this.rows.findOneBy(this.one(workspaceId, id)) : null;
  }

  async insert(
    workspaceId: string,
    values: Omit<DeepPartial<Row>, 'id' | 'workspaceId'>,
    manager: EntityManager = this.rows.manager,
  ): Promise<Row> {
    const row = this.rows.create({ ...values, id: uuidv7(), workspaceId } as DeepPartial<Row>);
    return manager.save(row);
  }

  /** Changes one row under its lock, so that two changes at once come one after the other. Null: there is none. */
  async update(workspaceId: string, id: string, change: (row: Row) => void): Promise<Row | null> {
    if (!isUUID(id)) return null;
    return this.rows.manager.transaction(async (manager) => {
      const row = await manager.findOne(this.rows.target, {
        where: this.one(workspaceId, id),
        lock: { mode: 'pessimistic_write' },
      });
      if (!row) return null;
      change(row);
      return manager.save(row);
    });
  }

  /** Marks a row as deleted where its entity has a deletion date, else deletes it. False: there is none. */
  async remove(workspaceId: string, id: string): Promise<boolean> {
    if (!isUUID(id)) return false;
    const one = this.one(workspaceId, id);
    const { affected } = this.rows.metadata.deleteDateColumn
      ? await this.rows.softDelete(one)
      : await this.rows.delete(one);
    return affected === 1;
  }

  /** A query that already names the workspace; narrow it with `andWhere`. */
  query(workspaceId: string, alias: string): SelectQueryBuilder<Row> {
    return this.rows.createQueryBuilder(alias).where(`${alias}.workspaceId = :workspaceId`, { workspaceId });
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

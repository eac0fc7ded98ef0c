import { Injectable } from '@nestjs/common';
import { Database, type Queryable } from '../../platform/database/database';
import type { Page } from '../../platform/database/workspace.repository';
import { getOffset } from '../../platform/http/pagination';
import { type CodeName, splitSlug } from './code-kinds';
import type { ListCodeQuery } from './code.dto';
import { LIST_CODE, LOCATE_CODE, type LocatedResource, READ_CODE, type StoredResource } from './code.sql';

export type { LocatedResource, StoredResource };

@Injectable()
export class CodeRepository {
  constructor(private readonly database: Database) {}

  async list(workspaceId: string, query: ListCodeQuery): Promise<Page<StoredResource>> {
    const { kind = null, limit } = query;
    const page = { kind, offset: getOffset(query), limit };
    const rows = await this.database.query(LIST_CODE, { workspaceId, ...page });
    const resources = rows.filter((row): row is { total: number } & StoredResource => row.kind !== null);
    return { rows: resources, total: rows[0]?.total ?? 0 };
  }

  /** Finds those that exist, and the agents of rehearsals, whether these exist or not. */
  async locate(
    workspaceId: string,
    names: CodeName[],
    queryable: Queryable = this.database,
  ): Promise<LocatedResource[]> {
    const ofKind = (wanted: string) => names.filter(({ kind }) => kind === wanted).map(({ slug }) => slug);
    const rehearsals = ofKind('rehearsal');
    const agents = [...ofKind('agent'), ...rehearsals.map((slug) => splitSlug(slug).agent)];
    return queryable.query(LOCATE_CODE, { workspaceId, agents, rehearsals, tools: ofKind('tool') });
  }

  /** @returns undefined if it does not exist any more */
  async read(
    workspaceId: string,
    { kind, id }: LocatedResource,
    queryable: Queryable = this.database,
  ): Promise<object | undefined> {
    return (await queryable.query(READ_CODE, { workspaceId, kind, id }))[0]?.content;
  }
}

import { Injectable } from '@nestjs/common';
import type { Caller } from '../http/access';
import { WorkspaceSemaphore } from '../http/workspace-semaphore';
import { Sql } from '../database/sql';
import { searchWords } from '../documents/search-words';
import type { FoundPassageDto, SearchQuery } from './knowledge-base.dto';
import { KnowledgeBaseService } from './knowledge-base.service';
import { type FoundPassage, LIMIT_TIME, SEARCH } from './search.sql';

/** Searches of one workspace at once in this process; a common word in a large knowledge base takes 0.1 s. */
const CONCURRENCY = 3;

const WAIT_SECONDS = 2;

@Injectable()
export class KnowledgeBaseSearch {
  private readonly searches = new WorkspaceSemaphore({
    permits: CONCURRENCY,
    resource: 'search',
    waitSeconds: WAIT_SECONDS,
  });

  constructor(
    private readonly knowledgeBases: KnowledgeBaseService,
    private readonly sql: Sql,
  ) {}

  /** @throws 404, and 503 where it takes too long or too many searches wait */
  async search(caller: Caller, id: string, { query, limit }: SearchQuery): Promise<FoundPassageDto[]> {
    await this.knowledgeBases.findInScope(caller, id);
    const release = await this.searches.acquire(caller.workspaceId);
    try {
      return await this.find(id, query, limit);
    } finally {
      release();
    }
  }

  private async find(id: string, query: string, limit: number): Promise<FoundPassageDto[]> {
    const found = await this.sql.transaction(async (sql) => {
      await sql.run(LIMIT_TIME);
      return sql.run<FoundPassage>(SEARCH, [id, searchWords(query), limit]);
    });
    return found.map(({ text, score, position, sourceId, sourceName, sourceUrl }) => ({
      text,
      score,
      source_id: sourceId,
      source_name: sourceName,
      source_url: sourceUrl,
      position,
    }));
  }
}

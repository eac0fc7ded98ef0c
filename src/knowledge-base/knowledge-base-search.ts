import { Injectable } from '@nestjs/common';
import type { Caller } from '../common/access';
import { Sql } from '../database/sql';
import { searchWords } from './documents/search-words';
import type { FoundPassageDto, SearchQuery } from './knowledge-base.dto';
import { KnowledgeBaseService } from './knowledge-base.service';
import { type FoundPassage, SEARCH } from './search.sql';

@Injectable()
export class KnowledgeBaseSearch {
  constructor(
    private readonly knowledgeBases: KnowledgeBaseService,
    private readonly sql: Sql,
  ) {}

  /** @throws 404 */
  async search(caller: Caller, id: string, { query, limit }: SearchQuery): Promise<FoundPassageDto[]> {
    await this.knowledgeBases.findInScope(caller, id);
    const found = await this.sql.run<FoundPassage>(SEARCH, [id, searchWords(query), limit]);
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

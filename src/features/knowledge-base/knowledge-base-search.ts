import { Injectable } from '@nestjs/common';
import { searchWords } from '../../platform/documents/search-words';
import type { Caller } from '../../platform/http/access';
import { workspaceBusy } from '../../platform/http/workspace-busy';
import { WorkspaceSemaphore } from '../../platform/limits/workspace-semaphore';
import type { FoundPassageDto, SearchQuery } from './knowledge-base-search.dto';
import { presentPassage } from './knowledge-base.presenter';
import { KnowledgeBaseService } from './knowledge-base.service';
import { PassagesRepository } from './passages.repository';

/**
 * The number of concurrent searches of one workspace in this process. A common word in a large knowledge base
 * takes 0.1 s.
 */
const CONCURRENCY = 3;

const WAIT_SECONDS = 2;

@Injectable()
export class KnowledgeBaseSearch {
  private readonly semaphore = new WorkspaceSemaphore({
    permits: CONCURRENCY,
    busy: (seconds) => workspaceBusy('search', seconds),
    waitSeconds: WAIT_SECONDS,
  });

  constructor(
    private readonly knowledgeBases: KnowledgeBaseService,
    private readonly passages: PassagesRepository,
  ) {}

  /** @throws 404, and 503 if it takes too long or too many searches wait */
  // oxlint-disable-next-line no-restricted-properties -- these are words
  async search(caller: Caller, id: string, { query, limit }: SearchQuery): Promise<FoundPassageDto[]> {
    await this.knowledgeBases.findInScope(caller, id);
    const release = await this.semaphore.acquire(caller.workspaceId);
    try {
      const found = await this.passages.search(id, searchWords(query), limit);
      return found.map((passage) => presentPassage(passage, query));
    } finally {
      release();
    }
  }
}

import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../platform/database/database';
import { agentsInScope, type Caller } from '../../platform/http/access';
import { Created } from '../../platform/http/created';
import { type Paginated, paginate } from '../../platform/http/pagination';
import { IdempotencyService } from '../../accounts/idempotency/idempotency.service';
import { QuotasService } from '../../accounts/workspaces/quotas.service';
import { FileRemover } from './file-remover';
import { IndexingJobs } from './indexing-jobs';
import type { CreateKnowledgeBaseDto, KnowledgeBaseDto, ListKnowledgeBasesQuery } from './knowledge-base.dto';
import type { KnowledgeBase } from './knowledge-base.entity';
import { knowledgeBaseNotFound, nameTaken } from './knowledge-base.errors';
import { listLocation, presentKnowledgeBase } from './knowledge-base.presenter';
import { KnowledgeBaseRepository } from './knowledge-base.repository';
import { SourceReader } from './source-reader';
import { type NewSource, SourcesRepository } from './sources.repository';
import { StoredFiles } from './stored-files';

/** Runs in the transaction that deletes a knowledge base, before its rows are deleted. */
export type DeletionListener = (
  workspaceId: string,
  knowledgeBaseId: string,
  transaction: Transaction,
) => Promise<void>;

@Injectable()
export class KnowledgeBaseService {
  private readonly deletionListeners: DeletionListener[] = [];

  constructor(
    private readonly idempotency: IdempotencyService,
    private readonly database: Database,
    private readonly knowledgeBases: KnowledgeBaseRepository,
    private readonly sources: SourcesRepository,
    private readonly reader: SourceReader,
    private readonly indexing: IndexingJobs,
    private readonly files: StoredFiles,
    private readonly fileRemover: FileRemover,
    private readonly quotas: QuotasService,
  ) {}

  /** Registers a listener of a feature that refers to knowledge bases. This feature must not import it. */
  beforeDeletion(listener: DeletionListener): void {
    this.deletionListeners.push(listener);
  }

  async create(
    workspaceId: string,
    body: CreateKnowledgeBaseDto,
    abortSignal: AbortSignal,
  ): Promise<Created<object>> {
    // The name is checked before the sources are read. The unique index decides between two concurrent requests.
    if (await this.knowledgeBases.nameExists(workspaceId, body.name)) throw nameTaken(body.name);
    const { file, baseUrl = '', urls = [] } = body;
    const requester = { workspaceId, abortSignal };
    const sources = file
      ? [await this.reader.fromFile(file, requester)]
      : await this.reader.fromLinks([baseUrl, ...urls], 'baseUrl', requester);
    try {
      return await this.files.keepFor(file, (fileKey) =>
        this.idempotency.transaction(async (transaction) => {
          const row = await this.insert(workspaceId, body, { fileKey, sources }, transaction);
          return new Created({}, listLocation(row.id), row);
        }),
      );
    } catch (error) {
      throw this.knowledgeBases.isNameConflict(error) ? nameTaken(body.name) : error;
    }
  }

  async list(workspaceId: string, query: ListKnowledgeBasesQuery): Promise<Paginated<KnowledgeBaseDto[]>> {
    const { rows, total } = await this.knowledgeBases.list(workspaceId, query);
    const sources = await this.sources.list(
      workspaceId,
      rows.map(({ id }) => id),
    );
    const filterSources = (id: string) => sources.filter(({ knowledgeBaseId }) => knowledgeBaseId === id);
    return paginate(
      rows.map((row) => presentKnowledgeBase(row, filterSources(row.id))),
      query,
      total,
    );
  }

  /** @throws 404 for an id that is unknown, malformed or another workspace's */
  async assertOwned(workspaceId: string, ids: string[], transaction: Transaction): Promise<void> {
    const existing = await this.knowledgeBases.findExisting(workspaceId, ids, transaction);
    if (!ids.every((id) => existing.has(id.toLowerCase()))) throw knowledgeBaseNotFound();
  }

  /** Finds knowledge bases by their names, without regard to case. @param names each once */
  findByNames(
    workspaceId: string,
    names: string[],
    transaction: Transaction,
  ): Promise<Map<string, { id: string; name: string }>> {
    return this.knowledgeBases.findByNames(workspaceId, names, transaction);
  }

  /** Returns the ids that still exist, in their order. */
  async stillOwned(workspaceId: string, ids: string[], transaction: Transaction): Promise<string[]> {
    const existing = await this.knowledgeBases.findExisting(workspaceId, ids, transaction);
    return ids.filter((id) => existing.has(id));
  }

  /**
   * Finds a knowledge base that the caller may search: a credential with scopes reaches those of its agents.
   * @throws 404
   */
  async findInScope(caller: Caller, id: string): Promise<KnowledgeBase> {
    const { workspaceId } = caller;
    const agentIds = agentsInScope(caller);
    const found = agentIds
      ? await this.knowledgeBases.findAssigned(workspaceId, id, agentIds)
      : await this.knowledgeBases.find(workspaceId, id);
    if (!found) throw knowledgeBaseNotFound();
    return found;
  }

  /** @throws 404 */
  async remove(workspaceId: string, id: string): Promise<object> {
    const found = await this.knowledgeBases.find(workspaceId, id);
    if (!found) throw knowledgeBaseNotFound();
    await this.database.transaction(async (transaction) => {
      for (const listener of this.deletionListeners) await listener(workspaceId, id, transaction);
      const fileKeys = await this.sources.listFileKeys(workspaceId, id, transaction);
      if (!(await this.knowledgeBases.delete(workspaceId, id, transaction))) throw knowledgeBaseNotFound();
      await this.fileRemover.schedule(fileKeys, transaction);
      return found;
    });
    return {};
  }

  /** @throws 403 */
  private async insert(
    workspaceId: string,
    { name, description, file }: CreateKnowledgeBaseDto,
    { fileKey, sources }: { fileKey: string | null; sources: NewSource[] },
    transaction: Transaction,
  ): Promise<KnowledgeBase> {
    const bytes = sources.reduce((sum, source) => sum + source.bytes, 0);
    await this.quotas.assertWithinQuota(workspaceId, 'knowledge_bases', transaction);
    await this.quotas.assertWithinQuota(workspaceId, 'knowledge_base_bytes', transaction, bytes);
    const type = file ? 'documents' : 'link';
    const row = await this.knowledgeBases.insert(workspaceId, { name, description, type }, transaction);
    const owner = { knowledgeBaseId: row.id, fileKey };
    const added = await this.sources.insert(workspaceId, owner, sources, transaction);
    for (const { id } of added) await this.indexing.schedule(workspaceId, id, transaction);
    return row;
  }
}

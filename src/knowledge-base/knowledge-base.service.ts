import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { Brackets, DataSource, type EntityManager, In } from 'typeorm';
import { uuidv7 } from 'uuidv7';
import { agentsInScope, type Caller } from '../http/access';
import { Created } from '../http/created';
import { paginate } from '../http/pagination';
import { likePattern } from '../database/like-pattern';
import { isOutcomeUnknown } from '../database/outcome-unknown';
import { InjectScoped, pageOf, WorkspaceScopedRepository } from '../database/workspace-scoped.repository';
import { Transaction } from '../database/database';
import { IdempotencyService } from '../idempotency/idempotency.service';
import { addJob } from '../database/add-job';
import { QuotasService } from '../workspaces/quotas.service';
import { REMOVE_FILES } from './file-remover';
import { StoredFiles } from './stored-files';
import { assignedTo, assignedToAny } from './assigned-to';
import { KnowledgeBase, UNIQUE_NAME } from './knowledge-base.entity';
import type { CreateKnowledgeBaseDto, KnowledgeBaseDto, ListKnowledgeBasesQuery } from './knowledge-base.dto';
import { knowledgeBaseNotFound, nameTaken } from './knowledge-base.errors';
import { presentKnowledgeBase } from './knowledge-base.presenter';
import { KnowledgeBaseSource } from './knowledge-base-source.entity';
import { SourceIndexer } from './source-indexer';
import { type NewSource, SourceReader } from './source-reader';

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
    @InjectScoped(KnowledgeBase) private readonly knowledgeBases: WorkspaceScopedRepository<KnowledgeBase>,
    private readonly dataSource: DataSource,
    private readonly reader: SourceReader,
    private readonly indexer: SourceIndexer,
    private readonly files: StoredFiles,
    private readonly quotas: QuotasService,
  ) {}

  /** For the features that refer to knowledge bases, which this one does not know. */
  beforeDeletion(listener: DeletionListener): void {
    this.deletionListeners.push(listener);
  }

  async create(
    workspaceId: string,
    body: CreateKnowledgeBaseDto,
    { gone }: { gone: AbortSignal },
  ): Promise<Created<object>> {
    // Before the work; two at once are left to the unique index.
    if (await this.isNameTaken(workspaceId, body.name)) throw nameTaken(body.name);
    const sources = await this.reader.sourcesOf(body, { workspaceId, gone });
    const fileKey = body.file && (await this.files.keep(body.file.path));
    const id = uuidv7();
    const type = body.file ? ('documents' as const) : ('link' as const);
    try {
      return await this.idempotency.transaction(async (transaction) => {
        const { manager } = transaction;
        await this.assertRoom(workspaceId, sources, transaction);
        const { name, description } = body;
        await manager.insert(KnowledgeBase, { id, workspaceId, name, description, type });
        await this.addSources(
          manager,
          { workspaceId, knowledgeBaseId: id, fileKey: fileKey ?? null },
          sources,
        );
        return new Created({}, `/api/knowledge-base?kb_id=${id}`);
      });
    } catch (error) {
      // A source that may exist all the same would miss its file; if it does not, the cleaner takes it later.
      if (fileKey && !isOutcomeUnknown(error)) await this.files.remove([fileKey]);
      throw (error as { constraint?: unknown }).constraint === UNIQUE_NAME ? nameTaken(body.name) : error;
    }
  }

  async list(workspaceId: string, query: ListKnowledgeBasesQuery) {
    const { search, kb_id, agent_id, start_date, end_date } = query;
    // An id that is malformed is one that nothing has.
    if ([kb_id, agent_id].some((id) => id !== undefined && !isUUID(id))) {
      return paginate<KnowledgeBaseDto[]>([], query, 0);
    }
    const rows = this.knowledgeBases.query(workspaceId, 'kb');
    if (kb_id !== undefined) rows.andWhere('kb.id = :kb_id', { kb_id });
    if (agent_id !== undefined) rows.andWhere(...assignedTo('kb.id', agent_id));
    if (start_date) rows.andWhere('kb.createdAt >= :start_date', { start_date });
    if (end_date) rows.andWhere('kb.createdAt <= :end_date', { end_date });
    if (search !== undefined) {
      rows.andWhere(
        new Brackets((where) => where.where('kb.name ILIKE :search').orWhere('kb.description ILIKE :search')),
        { search: likePattern(search) },
      );
    }
    const direction = query.sortOrder === 'asc' ? 'ASC' : 'DESC';
    rows.orderBy(`kb.${query.sortBy}`, direction).addOrderBy('kb.id', direction);
    const { data: found, pagination } = await pageOf(rows, query, (row) => row);
    const sources = await this.sourcesOf(workspaceId, found);
    const shown = found.map((row) => presentKnowledgeBase(row, sources.get(row.id) ?? []));
    return paginate(shown, query, pagination.total);
  }

  /** @throws 404 */
  async find(workspaceId: string, id: string): Promise<KnowledgeBase> {
    const found = await this.knowledgeBases.find(workspaceId, id);
    if (!found) throw knowledgeBaseNotFound();
    return found;
  }

  /** @throws 404 for an id that is unknown, malformed or another workspace's */
  async assertOwned(workspaceId: string, ids: string[], { manager }: Transaction): Promise<void> {
    const uniqueIds = [...new Set(ids.map((id) => id.toLowerCase()))];
    if (!uniqueIds.every((id) => isUUID(id))) throw knowledgeBaseNotFound();
    const found = await manager.countBy(KnowledgeBase, { workspaceId, id: In(uniqueIds) });
    if (found !== uniqueIds.length) throw knowledgeBaseNotFound();
  }

  /**
   * One that the caller may search: where its credential has scopes, one of its agents must have it.
   * @throws 404
   */
  async findInScope(caller: Caller, id: string): Promise<KnowledgeBase> {
    const { workspaceId } = caller;
    const agentIds = agentsInScope(caller);
    if (agentIds === undefined) return this.find(workspaceId, id);
    if (!isUUID(id)) throw knowledgeBaseNotFound();
    const found = await this.knowledgeBases
      .query(workspaceId, 'kb')
      .andWhere('kb.id = :id', { id })
      .andWhere(...assignedToAny('kb.id', workspaceId, agentIds))
      .getOne();
    if (!found) throw knowledgeBaseNotFound();
    return found;
  }

  async remove(workspaceId: string, id: string): Promise<object> {
    await this.find(workspaceId, id);
    await this.dataSource.transaction(async (manager) => {
      const transaction = await Transaction.of(manager);
      for (const listener of this.deletionListeners) await listener(workspaceId, id, transaction);
      const sources = await manager.find(KnowledgeBaseSource, {
        select: { id: true, fileKey: true },
        where: { workspaceId, knowledgeBaseId: id },
      });
      const { affected } = await manager.delete(KnowledgeBase, { workspaceId, id });
      if (affected !== 1) throw knowledgeBaseNotFound();
      const keys = sources.flatMap(({ fileKey }) => fileKey ?? []);
      if (keys.length > 0) await addJob(manager, { name: REMOVE_FILES, payload: { keys } });
    });
    return {};
  }

  /** @throws 403 */
  private async assertRoom(
    workspaceId: string,
    sources: NewSource[],
    transaction: Transaction,
  ): Promise<void> {
    const bytes = sources.reduce((sum, source) => sum + source.bytes, 0);
    await this.quotas.assertRoom(workspaceId, 'knowledge_bases', transaction);
    await this.quotas.assertRoom(workspaceId, 'knowledge_base_bytes', transaction, bytes);
  }

  private async isNameTaken(workspaceId: string, name: string): Promise<boolean> {
    return this.knowledgeBases
      .query(workspaceId, 'kb')
      .andWhere('lower(kb.name) = lower(:name)', { name })
      .getExists();
  }

  private async addSources(
    manager: EntityManager,
    owner: Pick<KnowledgeBaseSource, 'workspaceId' | 'knowledgeBaseId' | 'fileKey'>,
    sources: NewSource[],
  ): Promise<void> {
    const rows = sources.map(({ bytes, ...source }, position) => ({
      id: uuidv7(),
      ...owner,
      ...source,
      bytes: String(bytes),
      position,
    }));
    await manager.insert(KnowledgeBaseSource, rows);
    for (const { id } of rows) await this.indexer.add(manager, owner.workspaceId, id);
  }

  /** In their order, by knowledge base. */
  private async sourcesOf(
    workspaceId: string,
    owners: KnowledgeBase[],
  ): Promise<Map<string, KnowledgeBaseSource[]>> {
    const rows = await this.dataSource.manager.find(KnowledgeBaseSource, {
      where: { workspaceId, knowledgeBaseId: In(owners.map(({ id }) => id)) },
      order: { position: 'ASC' },
    });
    const sources = new Map<string, KnowledgeBaseSource[]>(owners.map(({ id }) => [id, []]));
    for (const row of rows) sources.get(row.knowledgeBaseId)?.push(row);
    return sources;
  }
}

import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../platform/database/database';
import { Created } from '../../platform/http/created';
import { IdempotencyService } from '../../accounts/idempotency/idempotency.service';
import { QuotasService } from '../../accounts/workspaces/quotas.service';
import { FileRemover } from './file-remover';
import { IndexingJobs } from './indexing-jobs';
import type { SourceDto } from './knowledge-base.dto';
import {
  fileMissing,
  knowledgeBaseNotFound,
  lastSource,
  linkWithFile,
  sourceNotFound,
  sourcesLimitReached,
} from './knowledge-base.errors';
import type { KnowledgeBaseSource } from './knowledge-base-source.entity';
import { listLocation, presentSource } from './knowledge-base.presenter';
import { KnowledgeBaseRepository } from './knowledge-base.repository';
import { SourceReader } from './source-reader';
import type { AddSourcesDto, ReplaceSourceDto } from './sources.dto';
import { type NewSource, SourcesRepository } from './sources.repository';
import { StoredFiles } from './stored-files';

/** The number of sources of one knowledge base. Each list of knowledge bases shows all of their sources. */
export const MAX_SOURCES = 100;

const QUOTA = 'knowledge_base_bytes';

/**
 * Changes the sources of existing knowledge bases. A search finds the old content of a source until the new one is
 * complete.
 */
@Injectable()
export class SourcesService {
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

  /**
   * Adds a file or links.
   * @throws 403, 404, and what the reader refuses
   */
  async add(
    workspaceId: string,
    knowledgeBaseId: string,
    { file, name, urls = [] }: AddSourcesDto,
    abortSignal: AbortSignal,
  ): Promise<Created<SourceDto[]>> {
    // The knowledge base is looked up before the sources are read. The transaction checks it again.
    if (!(await this.knowledgeBases.find(workspaceId, knowledgeBaseId))) throw knowledgeBaseNotFound();
    const { count } = await this.sources.count(workspaceId, knowledgeBaseId);
    assertRoom(count, file ? 1 : new Set(urls).size);
    const requester = { workspaceId, abortSignal };
    const sources = file
      ? [await this.reader.fromFile(file, requester, name)]
      : await this.reader.fromLinks(urls, 'urls', requester);
    return this.files.keepFor(file, (fileKey) =>
      this.idempotency.transaction(async (transaction) => {
        const owner = { knowledgeBaseId, fileKey };
        const added = await this.insert(workspaceId, owner, sources, transaction);
        return new Created(
          added.map((source) => presentSource(source)),
          listLocation(knowledgeBaseId),
          undefined,
        );
      }),
    );
  }

  /**
   * Reads a new file, or the same or another link, and replaces the content of the source. A later replacement
   * ends an earlier one that is not complete.
   * @throws 400 if the source is of the other kind, 403, 404, and what the reader refuses
   */
  async replace(
    workspaceId: string,
    { knowledgeBaseId, sourceId }: { knowledgeBaseId: string; sourceId: string },
    { file, name, url }: ReplaceSourceDto,
    abortSignal: AbortSignal,
  ): Promise<SourceDto> {
    const replaced = await this.find(workspaceId, knowledgeBaseId, sourceId);
    const requester = { workspaceId, abortSignal };
    const source = await this.readReplacement(replaced, { file, name, url }, requester);
    return this.files.keepFor(file, (fileKey) =>
      this.idempotency.transaction(async (transaction) => {
        // The quota is locked before the rows, as by a creation and by the completion of a job.
        await this.quotas.lock(workspaceId, QUOTA, transaction);
        await this.lock(workspaceId, knowledgeBaseId, transaction);
        const current = await this.sources.find(workspaceId, knowledgeBaseId, sourceId, transaction);
        if (!current) throw sourceNotFound();
        const superseded = { knowledgeBaseId, publicId: sourceId, onlyReplacement: true };
        const fileKeys = await this.sources.delete(workspaceId, superseded, transaction);
        await this.fileRemover.schedule(fileKeys ?? [], transaction);
        await this.quotas.assertWithinQuota(workspaceId, QUOTA, transaction, source.bytes);
        const replacement = await this.sources.insertReplacement(current, source, fileKey, transaction);
        await this.indexing.schedule(workspaceId, replacement.id, transaction);
        transaction.change = { sources: [current.publicId] };
        return presentSource(current, replacement);
      }),
    );
  }

  /**
   * Deletes a source with its file and its passages.
   * @throws 404, and 409 for the last one
   */
  async remove(workspaceId: string, knowledgeBaseId: string, sourceId: string): Promise<object> {
    await this.database.transaction(async (transaction) => {
      await this.lock(workspaceId, knowledgeBaseId, transaction);
      const { count } = await this.sources.count(workspaceId, knowledgeBaseId, transaction);
      const source = { knowledgeBaseId, publicId: sourceId, onlyReplacement: false };
      const fileKeys = await this.sources.delete(workspaceId, source, transaction);
      if (!fileKeys) throw sourceNotFound();
      if (count === 1) throw lastSource();
      await this.fileRemover.schedule(fileKeys, transaction);
      transaction.change = { sources: [sourceId.toLowerCase()] };
    });
    return {};
  }

  private async find(
    workspaceId: string,
    knowledgeBaseId: string,
    sourceId: string,
  ): Promise<KnowledgeBaseSource> {
    const found = await this.sources.find(workspaceId, knowledgeBaseId, sourceId);
    if (found) return found;
    throw (await this.knowledgeBases.find(workspaceId, knowledgeBaseId))
      ? sourceNotFound()
      : knowledgeBaseNotFound();
  }

  private async readReplacement(
    replaced: KnowledgeBaseSource,
    { file, name, url = replaced.url }: ReplaceSourceDto,
    requester: { workspaceId: string; abortSignal: AbortSignal },
  ): Promise<NewSource> {
    if (replaced.type === 'link') {
      if (file) throw linkWithFile();
      const [source] = await this.reader.fromLinks([url], 'url', requester);
      return source as NewSource;
    }
    if (!file) throw fileMissing();
    return this.reader.fromFile(file, requester, name);
  }

  private async insert(
    workspaceId: string,
    owner: { knowledgeBaseId: string; fileKey: string | null },
    sources: NewSource[],
    transaction: Transaction,
  ): Promise<KnowledgeBaseSource[]> {
    const bytes = sources.reduce((sum, source) => sum + source.bytes, 0);
    await this.quotas.assertWithinQuota(workspaceId, QUOTA, transaction, bytes);
    await this.lock(workspaceId, owner.knowledgeBaseId, transaction);
    const { count, nextPosition } = await this.sources.count(workspaceId, owner.knowledgeBaseId, transaction);
    assertRoom(count, sources.length);
    const positioned = { ...owner, firstPosition: nextPosition };
    const added = await this.sources.insert(workspaceId, positioned, sources, transaction);
    for (const { id } of added) await this.indexing.schedule(workspaceId, id, transaction);
    transaction.change = { sources: added.map(({ publicId }) => publicId) };
    return added;
  }

  /** @throws 404 */
  private async lock(workspaceId: string, knowledgeBaseId: string, transaction: Transaction): Promise<void> {
    const name = await this.sources.lock(workspaceId, knowledgeBaseId, transaction);
    if (name === undefined) throw knowledgeBaseNotFound();
    transaction.targetName = name;
  }
}

/** @throws 403 */
function assertRoom(count: number, wanted: number): void {
  if (count + wanted > MAX_SOURCES) throw sourcesLimitReached(MAX_SOURCES, count, wanted);
}

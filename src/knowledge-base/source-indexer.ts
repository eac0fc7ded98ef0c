import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { JobHelpers } from 'graphile-worker';
import { DataSource, type EntityManager } from 'typeorm';
import { addJob } from '../jobs/add-job';
import { JobRunner } from '../jobs/job-runner';
import { QuotasService } from '../workspaces/quotas.service';
import { DocumentReader } from './documents/document-reader';
import { MEDIA_TYPES } from './documents/document-kind';
import { ReaderFailure } from './documents/reader-failure';
import type { Passage } from './documents/reader.protocol';
import { overQuota } from './knowledge-base.errors';
import { KnowledgeBase } from './knowledge-base.entity';
import { KnowledgeBasePassage } from './knowledge-base-passage.entity';
import { KnowledgeBaseSource } from './knowledge-base-source.entity';
import { KnowledgeBaseWord } from './knowledge-base-word.entity';
import { ADD_PASSAGES, COUNT_WORDS } from './passages.sql';
import { SourceReader } from './source-reader';
import { Unavailable, Unreadable } from './unreadable';

/** The job that makes a source's text searchable. */
const INDEX_SOURCE = 'knowledge-base.index-source';

/** Of this kind of job alone: it may wait for a slow link or for its turn with a reader, and no other waits for it. */
const CONCURRENCY = 4;

/** With the library's pauses half an hour: most of what passes has passed by then, and nobody waits in vain for days. */
const MAX_ATTEMPTS = 8;

const SERVER_FAILED = 'the server failed on it';

/** One statement's worth, so that a long text meets no time limit. */
const BATCH = 500;

/** Works on sources in the background: gets the text of a link, splits it and puts its passages in, all or none. */
@Injectable()
export class SourceIndexer implements OnModuleInit {
  constructor(
    private readonly jobs: JobRunner,
    private readonly dataSource: DataSource,
    private readonly sources: SourceReader,
    private readonly documents: DocumentReader,
    private readonly quotas: QuotasService,
  ) {}

  onModuleInit(): void {
    this.jobs.register(
      INDEX_SOURCE,
      ({ sourceId }: { sourceId: string }, { job }: JobHelpers) => this.index(sourceId, job.attempts),
      { concurrency: CONCURRENCY },
    );
  }

  /** Adds the job for a source, inside the transaction that adds the source. */
  async add(manager: EntityManager, sourceId: string): Promise<void> {
    await addJob(manager, {
      name: INDEX_SOURCE,
      payload: { sourceId },
      // One more, for what an attempt leaves behind in whose midst the server was killed.
      maxAttempts: MAX_ATTEMPTS + 1,
    });
  }

  /**
   * May be done again after a crash at any point: a source that is completed, failed or deleted is left alone.
   * @throws what will perhaps go better in another attempt
   */
  async index(sourceId: string, attempt: number): Promise<void> {
    const source = await this.begin(sourceId);
    if (!source) return;
    if (attempt > MAX_ATTEMPTS) return this.fail(sourceId, SERVER_FAILED);
    try {
      const { text, fileType } = await this.textOf(source);
      // The text of a file or of the first link was counted when it was read.
      const added = source.text === null ? Buffer.byteLength(text) : 0;
      await this.complete(
        source,
        { fileType, added },
        await this.documents.split(text, { workspaceId: source.workspaceId }),
      );
    } catch (error) {
      if (error instanceof Unreadable && !(error instanceof Unavailable)) {
        return this.fail(sourceId, error.message);
      }
      if (attempt === MAX_ATTEMPTS) await this.fail(sourceId, reasonOf(error));
      throw error;
    }
  }

  private async begin(sourceId: string): Promise<KnowledgeBaseSource | null> {
    const rows = this.dataSource.getRepository(KnowledgeBaseSource).createQueryBuilder('source');
    const { affected } = await rows
      .update({ status: 'processing' })
      .where(`id = :sourceId AND status IN ('pending', 'processing')`, { sourceId })
      .execute();
    if (affected !== 1) return null;
    return rows.addSelect('source.text').where('source.id = :sourceId', { sourceId }).getOne();
  }

  private async textOf(source: KnowledgeBaseSource): Promise<{ text: string; fileType: string }> {
    const { text, url, fileType, workspaceId } = source;
    if (text !== null) return { text, fileType };
    const read = await this.sources.readLink(url, { workspaceId });
    return { text: read.text, fileType: MEDIA_TYPES[read.kind] };
  }

  /** @throws Unreadable where the workspace has no room for the bytes that its text adds */
  private async complete(
    { id, workspaceId, knowledgeBaseId }: KnowledgeBaseSource,
    { fileType, added }: { fileType: string; added: number },
    passages: Passage[],
  ): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      // Before the rows, as in creating a knowledge base.
      if (added > 0) await this.assertRoom(manager, workspaceId, added);
      // First, in the order in which deleting takes the rows.
      await manager.update(KnowledgeBase, { id: knowledgeBaseId }, { updatedAt: new Date() });
      // Of two jobs for one source, the second finds it completed; a source that was deleted meanwhile stays so.
      const { affected } = await manager.update(
        KnowledgeBaseSource,
        { id, status: 'processing' },
        {
          status: 'completed',
          fileType,
          text: null,
          passages: passages.length,
          bytes: () => `bytes + ${added}`,
        },
      );
      if (affected !== 1) return;
      await manager.delete(KnowledgeBasePassage, { sourceId: id });
      await manager.delete(KnowledgeBaseWord, { sourceId: id });
      for (let start = 0; start < passages.length; start += BATCH) {
        const batch = passages.slice(start, start + BATCH);
        const [texts, words] = [batch.map(({ text }) => text), batch.map(({ words }) => words)];
        await manager.query(ADD_PASSAGES, [id, knowledgeBaseId, start, texts, words]);
      }
      await manager.query(COUNT_WORDS, [id]);
    });
  }

  private async assertRoom(manager: EntityManager, workspaceId: string, added: number): Promise<void> {
    const { limit, used } = await this.quotas.roomFor(manager, workspaceId, 'knowledge_base_bytes');
    if (used + added > limit) throw new Unreadable(overQuota(limit, added));
  }

  private async fail(id: string, reason: string): Promise<void> {
    await this.dataSource.manager.update(
      KnowledgeBaseSource,
      { id, status: 'processing' },
      { status: 'failed', reason, text: null, bytes: () => `bytes - octet_length(COALESCE(text, ''))` },
    );
  }
}

/** What is told of a failure: not what went wrong within the server, which its log has. */
const reasonOf = (error: unknown) =>
  error instanceof Unavailable || error instanceof ReaderFailure ? error.message : SERVER_FAILED;

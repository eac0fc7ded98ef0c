import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { JobHelpers } from 'graphile-worker';
import { DataSource } from 'typeorm';
import { JobRunner } from '../jobs/job-runner';
import { DocumentReader } from './documents/document-reader';
import { MEDIA_TYPES } from './documents/document-kind';
import type { Passage } from './documents/reader.protocol';
import { KnowledgeBase } from './knowledge-base.entity';
import { KnowledgeBasePassage } from './knowledge-base-passage.entity';
import { KnowledgeBaseSource } from './knowledge-base-source.entity';
import { KnowledgeBaseWord } from './knowledge-base-word.entity';
import { ADD_PASSAGES, COUNT_WORDS } from './passages.sql';
import { SourceReader } from './source-reader';
import { Unreadable } from './unreadable';

/** The job that makes a source's text searchable. */
export const INDEX_SOURCE = 'knowledge-base.index-source';

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
  ) {}

  onModuleInit(): void {
    this.jobs.register(INDEX_SOURCE, ({ sourceId }: { sourceId: string }, { job }: JobHelpers) =>
      this.index(sourceId, job.attempts >= job.max_attempts),
    );
  }

  /** May be done again after a crash at any point: a source that is completed, failed or deleted is left alone. */
  async index(sourceId: string, isLastAttempt: boolean): Promise<void> {
    const source = await this.begin(sourceId);
    if (!source) return;
    try {
      const { text, fileType } = await this.textOf(source);
      await this.complete(source, fileType, await this.documents.split(text));
    } catch (error) {
      if (error instanceof Unreadable) return this.fail(sourceId, error.message);
      if (isLastAttempt) await this.fail(sourceId, 'the server failed on it');
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

  private async textOf({
    text,
    url,
    fileType,
  }: KnowledgeBaseSource): Promise<{ text: string; fileType: string }> {
    if (text !== null) return { text, fileType };
    const read = await this.sources.readLink(url);
    return { text: read.text, fileType: MEDIA_TYPES[read.kind] };
  }

  private async complete(source: KnowledgeBaseSource, fileType: string, passages: Passage[]): Promise<void> {
    const { id, knowledgeBaseId } = source;
    await this.dataSource.transaction(async (manager) => {
      // First, in the order in which deleting takes the rows.
      await manager.update(KnowledgeBase, { id: knowledgeBaseId }, { updatedAt: new Date() });
      // Of two jobs for one source, the second finds it completed; a source that was deleted meanwhile stays so.
      const { affected } = await manager.update(
        KnowledgeBaseSource,
        { id, status: 'processing' },
        { status: 'completed', fileType, text: null, passages: passages.length },
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

  private async fail(id: string, reason: string): Promise<void> {
    await this.dataSource.manager.update(
      KnowledgeBaseSource,
      { id, status: 'processing' },
      { status: 'failed', reason, text: null },
    );
  }
}

import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { JobHelpers } from 'graphile-worker';
import { randomUUID } from 'node:crypto';
import { DataSource, type EntityManager } from 'typeorm';
import { Sql, sqlOf } from '../database/sql';
import { Transaction } from '../database/database';
import { addJob } from '../database/add-job';
import { JobRunner } from '../background/job-runner';
import { WorkspaceConcurrencyLimiter } from '../background/workspace-concurrency-limiter';
import { QuotasService } from '../workspaces/quotas.service';
import { DocumentReader } from '../documents/document-reader';
import { ReaderFailure } from '../documents/reader-failure';
import type { Passage } from '../documents/reader.protocol';
import { overQuota } from './knowledge-base.errors';
import type { KnowledgeBaseSource } from './knowledge-base-source.entity';
import {
  ADD_PASSAGES,
  BEGIN_INDEXING,
  COMPLETE_INDEXING,
  FAIL_INDEXING,
  REMOVE_FAILED_PASSAGES,
  REMOVE_PASSAGES,
} from './passages.sql';
import { SourceReader } from './source-reader';
import { UnreadableDocumentError } from '../documents/unreadable-document.error';
import { OutboundRequestError } from '../outbound-http/outbound-request.error';

/** The job that makes a source's text searchable. */
const INDEX_SOURCE = 'knowledge-base.index-source';

/** Of this kind of job alone, since one may wait for a slow link. */
const CONCURRENCY = 4;

/** A small document never waits for another workspace's large ones. */
const MOST_OF_A_WORKSPACE = 1;

const POSTPONE_SECONDS = 1;

/** With the library's pauses half an hour: most of what passes has passed by then, and nobody waits in vain for days. */
const MAX_ATTEMPTS = 8;

const SERVER_FAILED = 'the server failed on it';

/** Passages of one statement. Deleting their knowledge base waits for it, and it has a time limit. */
const BATCH = 1_000;

interface IndexingJob {
  workspaceId: string;
  sourceId: string;
  /** Those of the jobs that it was postponed from. */
  attempts: number;
}

type IndexedSource = Pick<
  KnowledgeBaseSource,
  'id' | 'workspaceId' | 'knowledgeBaseId' | 'url' | 'text' | 'fileType'
>;

/**
 * Works on sources in the background: gets the text of a link, splits it and stores its passages batch by batch. A
 * search finds them once the source is completed.
 */
@Injectable()
export class SourceIndexer implements OnModuleInit {
  private readonly places = new WorkspaceConcurrencyLimiter(CONCURRENCY, MOST_OF_A_WORKSPACE);

  constructor(
    private readonly jobs: JobRunner,
    private readonly dataSource: DataSource,
    private readonly sql: Sql,
    private readonly sources: SourceReader,
    private readonly documents: DocumentReader,
    private readonly quotas: QuotasService,
  ) {}

  onModuleInit(): void {
    this.jobs.register(
      INDEX_SOURCE,
      (job: IndexingJob, { job: { attempts } }: JobHelpers) => this.run(job, attempts),
      { concurrency: CONCURRENCY, skip: () => this.places.saturated },
    );
  }

  /** Adds the job for a source, inside the transaction that adds the source. */
  add(manager: EntityManager, workspaceId: string, sourceId: string): Promise<void> {
    return this.addJob(manager, { workspaceId, sourceId, attempts: 0 });
  }

  private addJob(manager: EntityManager, payload: IndexingJob, delaySeconds = 0): Promise<void> {
    return addJob(manager, {
      name: INDEX_SOURCE,
      payload,
      flags: [payload.workspaceId],
      delaySeconds,
      // One more, to settle what an attempt left behind when its server was killed.
      maxAttempts: MAX_ATTEMPTS + 1,
    });
  }

  private async run(job: IndexingJob, attempts: number): Promise<void> {
    const attempt = job.attempts + attempts;
    // Jobs of a full workspace are left alone, but several may be taken at the same moment.
    if (!this.places.tryAcquire(job.workspaceId)) {
      return this.addJob(this.dataSource.manager, { ...job, attempts: attempt - 1 }, POSTPONE_SECONDS);
    }
    try {
      await this.index(job.sourceId, attempt);
    } finally {
      this.places.release(job.workspaceId);
    }
  }

  /**
   * May be done again after a crash at any point: a source that is completed, failed or deleted is left alone.
   * @throws what may succeed in another attempt
   */
  async index(sourceId: string, attempt: number): Promise<void> {
    const run = randomUUID();
    const [source] = await this.sql.run<IndexedSource>(BEGIN_INDEXING, [sourceId, run]);
    if (!source) return;
    if (attempt > MAX_ATTEMPTS) return this.fail(sourceId, run, SERVER_FAILED);
    try {
      const { text, fileType } = await this.textOf(source);
      const passages = await this.documents.split(text, { workspaceId: source.workspaceId });
      await this.store(sourceId, run, passages);
      // The text of a file or of the first link was counted when it was read.
      const addedBytes = source.text === null ? Buffer.byteLength(text) : 0;
      await this.complete(source, run, { fileType, passages: passages.length, addedBytes });
    } catch (error) {
      const { reason, isTemporary } = failureOf(error);
      if (!isTemporary) return this.fail(sourceId, run, reason);
      if (attempt === MAX_ATTEMPTS) await this.fail(sourceId, run, reason);
      throw error;
    }
  }

  private async textOf(source: IndexedSource): Promise<{ text: string; fileType: string }> {
    const { text, url, fileType, workspaceId } = source;
    if (text !== null) return { text, fileType };
    const read = await this.sources.readLink(url, { workspaceId });
    return { text: read.text, fileType: read.mediaType };
  }

  /** Stops where the source was deleted or another run has begun. */
  private async store(sourceId: string, run: string, passages: Passage[]): Promise<void> {
    await this.sql.run(REMOVE_PASSAGES, [sourceId, run]);
    for (let start = 0; start < passages.length; start += BATCH) {
      const batch = passages.slice(start, start + BATCH);
      const [texts, words] = [batch.map(({ text }) => text), batch.map(({ words }) => words)];
      const added = await this.sql.run(ADD_PASSAGES, [sourceId, run, start, texts, words]);
      if (added.length === 0) return;
    }
  }

  /** @throws Unreadable where the workspace has no room for the bytes that its text adds */
  private async complete(
    { id, workspaceId }: IndexedSource,
    run: string,
    { fileType, passages, addedBytes }: { fileType: string; passages: number; addedBytes: number },
  ): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      // Its lock comes before those of the rows, as in creating a knowledge base.
      if (addedBytes > 0) await this.assertRoom(manager, workspaceId, addedBytes);
      const sql = await sqlOf(manager);
      await sql.run(COMPLETE_INDEXING, [id, run, fileType, passages, addedBytes]);
    });
  }

  private async assertRoom(manager: EntityManager, workspaceId: string, added: number): Promise<void> {
    const { limit, used } = await this.quotas.roomFor(
      workspaceId,
      'knowledge_base_bytes',
      await Transaction.of(manager),
    );
    if (used + added > limit) throw new UnreadableDocumentError(overQuota(limit, added));
  }

  private async fail(id: string, run: string, reason: string): Promise<void> {
    await this.sql.run(FAIL_INDEXING, [id, run, reason]);
    await this.sql.run(REMOVE_FAILED_PASSAGES, [id]);
  }
}

/** The reason is shown to users, so an error of the server itself is only in its log. */
function failureOf(error: unknown): { reason: string; isTemporary: boolean } {
  if (error instanceof UnreadableDocumentError) return { reason: error.message, isTemporary: false };
  if (error instanceof OutboundRequestError) return { reason: error.message, isTemporary: error.isTemporary };
  return { reason: error instanceof ReaderFailure ? error.message : SERVER_FAILED, isTemporary: true };
}

import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { Database } from '../../platform/database/database';
import { DocumentReader } from '../../platform/documents/document-reader';
import { ReaderError } from '../../platform/documents/reader.error';
import type { Passage } from '../../platform/documents/reader.protocol';
import { UnreadableDocumentError } from '../../platform/documents/unreadable-document.error';
import { OutboundRequestError } from '../../platform/outbound-http/outbound-request.error';
import { QuotasService } from '../../accounts/workspaces/quotas.service';
import { FileRemover } from './file-remover';
import { overQuota } from './knowledge-base.errors';
import { PassagesRepository } from './passages.repository';
import { SourceReader } from './source-reader';
import { type IndexedSource, type IndexingRun, SourcesRepository } from './sources.repository';

/** The runs take half an hour with graphile-worker's backoff: most temporary failures are over by then. */
export const MAX_RUNS = 8;

/** The number of passages of one statement. Deleting their knowledge base waits for it, and has a time limit. */
const BATCH = 1_000;

const SERVER_FAILED = 'the server failed on it';

/** The text of a link exceeds the quota of its workspace. */
class QuotaExceededError extends Error {}

interface SourceText {
  text: string;
  fileType: string;
  /** The bytes that it adds to the quota; the text of a file or of the first link was counted when it was read. */
  addedBytes: number;
}

/** Fetches a source's text, splits it and stores the passages, which become searchable when all are stored. */
@Injectable()
export class SourceIndexer {
  constructor(
    private readonly database: Database,
    private readonly sources: SourcesRepository,
    private readonly passages: PassagesRepository,
    private readonly reader: SourceReader,
    private readonly documents: DocumentReader,
    private readonly quotas: QuotasService,
    private readonly fileRemover: FileRemover,
  ) {}

  /**
   * Indexes a source. It can be repeated after a crash at any point. A source that is completed, failed or deleted
   * is not changed.
   * @throws an error after which another run may succeed
   */
  async index(sourceId: string, runNumber: number): Promise<void> {
    const run = { sourceId, runId: randomUUID() };
    const source = await this.sources.beginIndexing(run);
    if (!source) return;
    if (runNumber > MAX_RUNS) return this.fail(run, SERVER_FAILED);
    try {
      const text = await this.readText(source);
      const passages = await this.documents.split(text.text, { workspaceId: source.workspaceId });
      await this.store(run, passages);
      await this.complete(run, source.workspaceId, text, passages.length);
    } catch (error) {
      const { reason, isTemporary } = toFailure(error);
      if (!isTemporary) return this.fail(run, reason);
      if (runNumber === MAX_RUNS) await this.fail(run, reason);
      throw error;
    }
  }

  private async readText({ text, url, fileType, workspaceId }: IndexedSource): Promise<SourceText> {
    if (text !== null) return { text, fileType, addedBytes: 0 };
    const read = await this.reader.readLink(url, { workspaceId });
    return { text: read.text, fileType: read.mediaType, addedBytes: Buffer.byteLength(read.text) };
  }

  /** Stores the passages. It stops if the run has ended. */
  private async store(run: IndexingRun, passages: Passage[]): Promise<void> {
    await this.passages.deletePrevious(run);
    for (let start = 0; start < passages.length; start += BATCH) {
      const batch = passages.slice(start, start + BATCH);
      if (!(await this.passages.insert(run, start, batch))) return;
    }
  }

  /** @throws QuotaExceededError */
  private async complete(
    run: IndexingRun,
    workspaceId: string,
    { fileType, addedBytes }: SourceText,
    passages: number,
  ): Promise<void> {
    await this.database.transaction(async (transaction) => {
      // Locks the quota before the rows, in the order of creating a knowledge base; otherwise both could deadlock.
      if (addedBytes > 0) {
        const { limit, used } = await this.quotas.lockedUsage(
          workspaceId,
          'knowledge_base_bytes',
          transaction,
        );
        if (used + addedBytes > limit) throw new QuotaExceededError(overQuota(limit, addedBytes));
      }
      const result = { fileType, passages, addedBytes };
      const replacedFiles = await this.sources.completeIndexing(run, result, transaction);
      await this.fileRemover.schedule(replacedFiles, transaction);
    });
  }

  /** Sets the status first: deleting the passages can take longer, and no search finds them. */
  private async fail(run: IndexingRun, reason: string): Promise<void> {
    await this.sources.failIndexing(run, reason);
    await this.passages.deleteFailed(run.sourceId);
  }
}

/** The reason is shown to users, so an error of the server itself is only in its log. */
function toFailure(error: unknown): { reason: string; isTemporary: boolean } {
  if (error instanceof UnreadableDocumentError || error instanceof QuotaExceededError) {
    return { reason: error.message, isTemporary: false };
  }
  if (error instanceof OutboundRequestError) return { reason: error.message, isTemporary: error.isTemporary };
  return { reason: error instanceof ReaderError ? error.message : SERVER_FAILED, isTemporary: true };
}

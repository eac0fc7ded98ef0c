import { Logger, type OnApplicationShutdown } from '@nestjs/common';
import { FairSemaphore } from '../limits/fair-semaphore';
import { ProcessPool } from '../background/process-pool';
import type { InputDocument, ReadDocument } from './formats/read-document';
import { ReaderError } from './reader.error';
import { type ProcessLimits, ReaderProcess } from './reader-process';
import type { Passage, ReaderReply, ReaderTask, ReaderTasks } from './reader.protocol';
import { ForwardingPageError } from './forwarding-page.error';
import { UnreadableDocumentError } from './unreadable-document.error';

/** The number of documents that are read at the same time; the others wait. */
const MAX_PROCESSES = 3;

interface ReaderLimits extends ProcessLimits {
  /** The time that a request waits for a process. */
  waitMs: number;
  /** Makes the error of a request that has waited too long. */
  busy: (seconds: number) => Error;
}

const READER_LIMITS: ReaderLimits = {
  timeoutMs: 30_000,
  heapMegabytes: 512,
  waitMs: 20_000,
  busy: (seconds) => new ReaderError(`no process was free to read it within ${seconds} s`),
};

/** The workspace and the request for which a document is read. */
export interface ReadRequester {
  workspaceId: string;
  /** Aborted when the client closes its connection; undefined for a background job. */
  abortSignal?: AbortSignal;
}

/**
 * Reads the text of documents and splits texts into passages, in separate processes. The formats are in
 * `formats/formats.ts`, which only those processes load.
 */
export class DocumentReader implements OnApplicationShutdown {
  private readonly logger = new Logger(DocumentReader.name);
  private readonly limits: ReaderLimits;
  private readonly semaphore = new FairSemaphore({ permits: MAX_PROCESSES });
  private readonly processes = new ProcessPool(() => this.start());

  constructor(limits: Partial<ReaderLimits> = {}) {
    this.limits = { ...READER_LIMITS, ...limits };
  }

  /**
   * @param open gets the document once a process is free, so that waiting documents take no memory
   * @throws UnreadableDocumentError, such as ForwardingPageError, or ReaderError
   * @throws what the limit `busy` makes if a request has waited too long
   */
  read(open: () => Promise<InputDocument>, requester: ReadRequester): Promise<ReadDocument> {
    return this.withPermit(requester, async () => this.run('read', await open()));
  }

  /** Splits a text into passages. Throws like {@link read}. */
  split(text: string, requester: ReadRequester): Promise<Passage[]> {
    return this.withPermit(requester, () => this.run('split', { text }));
  }

  onApplicationShutdown(): void {
    this.processes.endAll();
  }

  private async withPermit<Result>(requester: ReadRequester, work: () => Promise<Result>): Promise<Result> {
    const release = await this.acquire(requester);
    try {
      return await work();
    } finally {
      release();
    }
  }

  private acquire({ workspaceId, abortSignal }: ReadRequester): Promise<() => void> {
    if (!abortSignal) return this.semaphore.acquire('job', workspaceId);
    const { waitMs, busy } = this.limits;
    return this.semaphore.acquireForRequest(workspaceId, { abortSignal, waitMs, busy });
  }

  private run<Name extends keyof ReaderTasks>(
    name: Name,
    task: ReaderTasks[Name]['task'],
  ): Promise<ReaderTasks[Name]['result']> {
    return this.processes.use(async (reader) =>
      this.toResult(await reader.run({ name, task } as ReaderTask)),
    );
  }

  private toResult(reply: ReaderReply): ReadDocument | Passage[] {
    if ('result' in reply) return reply.result;
    if ('forwardsTo' in reply) throw new ForwardingPageError(reply.forwardsTo);
    if ('unreadable' in reply) throw new UnreadableDocumentError(reply.unreadable);
    // An unexpected error of a parser would come again, so the document is refused rather than tried again.
    this.logger.error(`A document could not be read: ${reply.error}`);
    throw new UnreadableDocumentError('it cannot be read');
  }

  private start(): ReaderProcess {
    try {
      return new ReaderProcess(this.limits);
    } catch (error) {
      throw new ReaderError(`no process can be started to read it: ${(error as Error).message}`);
    }
  }
}

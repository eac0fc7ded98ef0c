import { Logger, type OnApplicationShutdown } from '@nestjs/common';
import { ProcessPool } from '../background/process-pool';
import { FairSemaphore } from '../background/fair-semaphore';
import { readersBusy } from './documents.errors';
import { UnreadableDocumentError } from './unreadable-document.error';
import type { GivenDocument, ReadDocument } from './read-document';
import { ReaderFailure } from './reader-failure';
import { type ProcessLimits, ReaderProcess } from './reader-process';
import type { Passage, ReaderReply, ReaderTask, ReaderTasks } from './reader.protocol';

/** Documents read at once; the others wait. */
const MAX_PROCESSES = 3;

interface ReaderLimits extends ProcessLimits {
  /** How long a caller waits for its turn. */
  waitMs: number;
}

const READER_LIMITS: ReaderLimits = { timeoutMs: 30_000, heapMegabytes: 512, waitMs: 20_000 };

/** For whom a document is read. */
export interface ReadRequester {
  workspaceId: string;
  /** Aborted when the caller who waits is gone; background work has none. */
  gone?: AbortSignal;
}

/** Reads and splits documents in a few processes of their own, started when there is something to read. */
export class DocumentReader implements OnApplicationShutdown {
  private readonly logger = new Logger(DocumentReader.name);
  private readonly limits: ReaderLimits;
  private readonly turns = new FairSemaphore(MAX_PROCESSES);
  private readonly processes = new ProcessPool(() => this.start());

  constructor(limits: Partial<ReaderLimits> = {}) {
    this.limits = { ...READER_LIMITS, ...limits };
  }

  /**
   * @param open gets the document when its turn has come, so that those which wait take no memory
   * @throws Unreadable
   * @throws ReaderFailure
   * @throws 503 where a caller has waited too long
   */
  read(open: () => Promise<GivenDocument>, asker: ReadRequester): Promise<ReadDocument> {
    return this.inTurn(asker, async () => this.run('read', await open()));
  }

  /** Passages of a text that has been read. */
  split(text: string, asker: ReadRequester): Promise<Passage[]> {
    return this.inTurn(asker, () => this.run('split', { text }));
  }

  onApplicationShutdown(): void {
    this.processes.endAll();
  }

  private async inTurn<Result>(asker: ReadRequester, work: () => Promise<Result>): Promise<Result> {
    const giveBack = await this.turnOf(asker);
    try {
      return await work();
    } finally {
      giveBack();
    }
  }

  private turnOf({ workspaceId, gone }: ReadRequester): Promise<() => void> {
    if (!gone) return this.turns.acquire('job', workspaceId);
    return this.turns.acquireForRequest(workspaceId, {
      abortSignal: gone,
      waitMs: this.limits.waitMs,
      busy: readersBusy,
    });
  }

  private run<Name extends keyof ReaderTasks>(
    name: Name,
    task: ReaderTasks[Name]['task'],
  ): Promise<ReaderTasks[Name]['result']> {
    return this.processes.use(async (reader) =>
      this.resultOf(await reader.run({ name, task } as ReaderTask)),
    );
  }

  private resultOf(reply: ReaderReply): ReadDocument | Passage[] {
    if ('result' in reply) return reply.result;
    if ('unreadable' in reply) throw new UnreadableDocumentError(reply.unreadable);
    // A parser stumbled in a way that nobody foresaw, and would again: another time or another process change nothing.
    this.logger.error(`A document could not be read: ${reply.fault}`);
    throw new UnreadableDocumentError('it can not be read');
  }

  private start(): ReaderProcess {
    try {
      return new ReaderProcess(this.limits);
    } catch (error) {
      throw new ReaderFailure(`no process can be started to read it: ${(error as Error).message}`);
    }
  }
}

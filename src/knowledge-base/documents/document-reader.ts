import { Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Turns } from '../../common/turns';
import { readersBusy } from '../knowledge-base.errors';
import { Unreadable } from '../unreadable';
import type { GivenDocument, ReadDocument } from './read-document';
import { ReaderFailure } from './reader-failure';
import { type ProcessLimits, ReaderProcess } from './reader-process';
import type { Passage, ReaderReply, ReaderTask, ReaderTasks } from './reader.protocol';

/** Documents read at once; the others wait. */
const MAX_PROCESSES = 3;

/** A process without work for so long is ended. */
const IDLE_MS = 30_000;

interface ReaderLimits extends ProcessLimits {
  /** How long a caller waits for its turn. */
  waitMs: number;
}

const READER_LIMITS: ReaderLimits = { timeoutMs: 30_000, heapMegabytes: 512, waitMs: 20_000 };

/** For whom a document is read. */
export interface Asker {
  workspaceId: string;
  /** Aborted when the caller who waits is gone; background work has none. */
  gone?: AbortSignal;
}

/** Reads and splits documents in a few processes of their own, started when there is something to read. */
export class DocumentReader implements OnApplicationShutdown {
  private readonly logger = new Logger(DocumentReader.name);
  private readonly limits: ReaderLimits;
  private readonly turns = new Turns(MAX_PROCESSES);
  private readonly idle: { reader: ReaderProcess; timer: NodeJS.Timeout }[] = [];
  private readonly working = new Set<ReaderProcess>();

  constructor(limits: Partial<ReaderLimits> = {}) {
    this.limits = { ...READER_LIMITS, ...limits };
  }

  /**
   * @param open gets the document when its turn has come, so that those which wait take no memory
   * @throws Unreadable
   * @throws ReaderFailure
   * @throws 503 where a caller has waited too long
   */
  read(open: () => Promise<GivenDocument>, asker: Asker): Promise<ReadDocument> {
    return this.inTurn(asker, async () => this.run('read', await open()));
  }

  /** Passages of a text that has been read. */
  split(text: string, asker: Asker): Promise<Passage[]> {
    return this.inTurn(asker, () => this.run('split', { text }));
  }

  onApplicationShutdown(): void {
    for (const { reader, timer } of this.idle.splice(0)) {
      clearTimeout(timer);
      reader.end();
    }
    for (const reader of this.working) reader.end();
  }

  private async inTurn<Result>(asker: Asker, work: () => Promise<Result>): Promise<Result> {
    const giveBack = await this.turnOf(asker);
    try {
      return await work();
    } finally {
      giveBack();
    }
  }

  private turnOf({ workspaceId, gone }: Asker): Promise<() => void> {
    if (!gone) return this.turns.take('job', workspaceId);
    return this.turns.takeAsCaller({ workspaceId, gone }, this.limits.waitMs, readersBusy);
  }

  private async run<Name extends keyof ReaderTasks>(
    name: Name,
    task: ReaderTasks[Name]['task'],
  ): Promise<ReaderTasks[Name]['result']> {
    const reader = this.take();
    try {
      return this.resultOf(await reader.run({ name, task } as ReaderTask));
    } finally {
      this.putAway(reader);
    }
  }

  private resultOf(reply: ReaderReply): ReadDocument | Passage[] {
    if ('result' in reply) return reply.result;
    if ('unreadable' in reply) throw new Unreadable(reply.unreadable);
    // A parser stumbled in a way that nobody foresaw, and would again: another time or another process change nothing.
    this.logger.error(`A document could not be read: ${reply.fault}`);
    throw new Unreadable('it can not be read');
  }

  private take(): ReaderProcess {
    const kept = this.idle.pop();
    clearTimeout(kept?.timer);
    const reader = kept?.reader.isAlive ? kept.reader : this.start();
    this.working.add(reader);
    return reader;
  }

  private start(): ReaderProcess {
    try {
      return new ReaderProcess(this.limits);
    } catch (error) {
      throw new ReaderFailure(`no process can be started to read it: ${(error as Error).message}`);
    }
  }

  private putAway(reader: ReaderProcess): void {
    this.working.delete(reader);
    if (!reader.isAlive) return;
    const entry = { reader, timer: setTimeout(() => this.drop(reader), IDLE_MS).unref() };
    this.idle.push(entry);
  }

  private drop(reader: ReaderProcess): void {
    const index = this.idle.findIndex((entry) => entry.reader === reader);
    if (index >= 0) this.idle.splice(index, 1);
    reader.end();
  }
}

import { Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Unreadable } from '../unreadable';
import type { GivenDocument, ReadDocument } from './read-document';
import { ReaderProcess } from './reader-process';
import type { Passage, ReaderTask, ReaderTasks } from './reader.protocol';

/** Documents read at once; the others wait. */
const MAX_PROCESSES = 2;

/** A process without work for so long is ended. */
const IDLE_MS = 30_000;

/** For one document; a PDF of a thousand pages takes some ten. */
const TIMEOUT_MS = 30_000;

/** Reads and splits documents in a few processes of their own, started when there is something to read. */
export class DocumentReader implements OnApplicationShutdown {
  private readonly logger = new Logger(DocumentReader.name);
  private readonly idle: { reader: ReaderProcess; timer: NodeJS.Timeout }[] = [];
  private readonly waiting: (() => void)[] = [];
  private readonly working = new Set<ReaderProcess>();
  private running = 0;

  constructor(private readonly timeoutMs = TIMEOUT_MS) {}

  /** @throws Unreadable */
  read(document: GivenDocument): Promise<ReadDocument> {
    return this.run('read', document);
  }

  /** Passages of a text that has been read. */
  split(text: string): Promise<Passage[]> {
    return this.run('split', { text });
  }

  onApplicationShutdown(): void {
    for (const { reader, timer } of this.idle.splice(0)) {
      clearTimeout(timer);
      reader.end();
    }
    for (const reader of this.working) reader.end();
  }

  private async run<Name extends keyof ReaderTasks>(
    name: Name,
    task: ReaderTasks[Name]['task'],
  ): Promise<ReaderTasks[Name]['result']> {
    await this.turn();
    const reader = this.take();
    try {
      return (await reader.run({ name, task } as ReaderTask)) as ReaderTasks[Name]['result'];
    } catch (error) {
      if (error instanceof Unreadable) throw error;
      this.logger.error(error);
      throw new Unreadable('it can not be read');
    } finally {
      this.giveBack(reader);
    }
  }

  private async turn(): Promise<void> {
    if (this.running >= MAX_PROCESSES) await new Promise<void>((resolve) => this.waiting.push(resolve));
    this.running++;
  }

  private take(): ReaderProcess {
    const kept = this.idle.pop();
    clearTimeout(kept?.timer);
    const reader = kept?.reader.isAlive ? kept.reader : new ReaderProcess(this.timeoutMs);
    this.working.add(reader);
    return reader;
  }

  private giveBack(reader: ReaderProcess): void {
    this.working.delete(reader);
    this.running--;
    this.waiting.shift()?.();
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

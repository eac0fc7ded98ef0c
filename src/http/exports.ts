import { Injectable, Logger, Module } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { Response } from 'express';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { abortSignalOf } from './client-abort-signal';
import { ApiError } from './errors';
import type { ExportFormat, ExportWriters } from './export-formats';
import { GracefulClose } from './graceful-close';
import { WorkspaceSemaphore } from './workspace-semaphore';

/** Exports of one workspace at once, in this process. */
const MAX_EXPORTS = 2;

const WAIT_SECONDS = 5;

/** A reader that takes nothing for so long is gone. */
const IDLE_MS = 60_000;

interface Export<Item> {
  /** Of the file, without its extension. */
  name: string;
  format: ExportFormat;
  writers: ExportWriters<Item>;
  /** Reads the next batch when it is asked for. It holds nothing in between. */
  batches: AsyncGenerator<Item[], void>;
}

/** Writes files of any size to responses, as fast as their readers take them. */
@Injectable()
export class Exports {
  private readonly logger = new Logger(Exports.name);
  private readonly running = new WorkspaceSemaphore({
    permits: MAX_EXPORTS,
    resource: 'export',
    waitSeconds: WAIT_SECONDS,
  });

  constructor(private readonly providers: ModuleRef) {}

  /**
   * Returns when the response has ended. A failure after its beginning cuts the connection, so that the reader does not
   * take what has arrived for the whole.
   * @throws 503 if the workspace has too many exports
   */
  async write<Item>(workspaceId: string, response: Response, file: Export<Item>): Promise<void> {
    const abortSignal = () => abortSignalOf(response);
    const release = await this.running.acquire(workspaceId, { abortSignal });
    try {
      const first = await file.batches.next();
      const { format, name, writers } = file;
      response.set({
        'Content-Type': writers[format].contentType,
        'Content-Disposition': `attachment; filename="${name}.${format}"`,
        'Cache-Control': 'no-store',
      });
      if (response.req.method === 'HEAD') {
        response.end();
        return;
      }
      // While nothing is written, the server may be looking for the next line: that is not the reader's fault.
      response.setTimeout(IDLE_MS, () => {
        if (response.writableNeedDrain) response.destroy();
        else response.setTimeout(IDLE_MS);
      });
      const http = this.providers.get(GracefulClose, { strict: false });
      await http.streaming(response, () =>
        pipeline(Readable.from(textOf(file, first), { objectMode: false }), response),
      );
    } catch (error) {
      if (response.headersSent && !(error instanceof ApiError) && !isReaderGone(error))
        this.logger.error({ err: error, workspaceId }, 'An export was cut');
      throw error;
    } finally {
      release();
    }
  }
}

const isReaderGone = (error: unknown) => (error as { code?: unknown }).code === 'ERR_STREAM_PREMATURE_CLOSE';

/** One batch is in memory at a time: the next one is read when the reader has taken this one. */
async function* textOf<Item>(
  { writers, format, batches }: Export<Item>,
  first: IteratorResult<Item[], void>,
): AsyncGenerator<string> {
  const writer = writers[format];
  if (writer.head) yield writer.head;
  for (let batch = first; !batch.done; batch = await batches.next()) {
    const text = writer.lines(batch.value);
    if (text) yield text;
  }
}

/** One instance for all features, so that a workspace has one bound. */
@Module({ providers: [Exports], exports: [Exports] })
export class ExportsModule {}

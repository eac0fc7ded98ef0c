import { Injectable, Logger } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { Response } from 'express';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Caller } from '../http/access';
import { abortSignalOf } from '../http/client-abort-signal';
import { ApiError } from '../http/errors';
import { GracefulClose } from '../http/graceful-close';
import { WorkspaceSemaphore } from '../http/workspace-semaphore';
import { callFilterOf } from './call-filter';
import { EXPORT_WRITERS } from './call-export-formats';
import { CallExportRepository, type ExportBatch } from './call-export.repository';
import type { ExportCallsQuery, ExportFormat } from './call-filter.dto';
import { presentCall } from './call-records.presenter';

/** Exports of one workspace at once, in this process. */
const MAX_EXPORTS = 2;

const WAIT_SECONDS = 5;

/** A reader that takes nothing for so long is gone. */
const IDLE_MS = 60_000;

/** Writes all calls that match to a response, as fast as its reader takes them. */
@Injectable()
export class CallExportService {
  private readonly logger = new Logger(CallExportService.name);
  private readonly exports = new WorkspaceSemaphore({
    permits: MAX_EXPORTS,
    resource: 'export',
    waitSeconds: WAIT_SECONDS,
  });

  constructor(
    private readonly calls: CallExportRepository,
    private readonly providers: ModuleRef,
  ) {}

  /**
   * Returns when the response has ended. A failure after its beginning cuts the connection, so that the reader does not
   * take what has arrived for the whole.
   * @throws 503 if the workspace has too many exports
   */
  async write(caller: Caller, { format, ...query }: ExportCallsQuery, response: Response): Promise<void> {
    const abortSignal = () => abortSignalOf(response);
    const release = await this.exports.acquire(caller.workspaceId, { abortSignal });
    try {
      const filter = callFilterOf(caller, query);
      const areFew = await this.calls.areFew(filter);
      const first = await this.calls.readBatch(filter, areFew, undefined);
      response.set({
        'Content-Type': EXPORT_WRITERS[format].contentType,
        'Content-Disposition': `attachment; filename="calls.${format}"`,
        'Cache-Control': 'no-store',
      });
      if (response.req.method === 'HEAD') {
        response.end();
        return;
      }
      response.setTimeout(IDLE_MS, () => response.destroy());
      const readNext = ({ next }: ExportBatch) => this.calls.readBatch(filter, areFew, next);
      const http = this.providers.get(GracefulClose, { strict: false });
      await http.streaming(response, () =>
        pipeline(Readable.from(linesOf(format, first, readNext), { objectMode: false }), response),
      );
    } catch (error) {
      if (response.headersSent && !(error instanceof ApiError) && !isReaderGone(error))
        this.logger.error({ err: error, workspaceId: caller.workspaceId }, 'An export was cut');
      throw error;
    } finally {
      release();
    }
  }
}

const isReaderGone = (error: unknown) => (error as { code?: unknown }).code === 'ERR_STREAM_PREMATURE_CLOSE';

/** One batch is in memory at a time: the next one is read when the reader has taken this one. */
async function* linesOf(
  format: ExportFormat,
  first: ExportBatch,
  readNext: (batch: ExportBatch) => Promise<ExportBatch>,
): AsyncGenerator<string> {
  const writer = EXPORT_WRITERS[format];
  if (writer.head) yield writer.head;
  for (let batch = first; ; batch = await readNext(batch)) {
    const text = writer.lines(batch.calls.map(presentCall));
    if (text) yield text;
    if (!batch.next) return;
  }
}

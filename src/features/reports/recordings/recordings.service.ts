import { type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { QuotasService } from '../../../accounts/workspaces/quotas.service';
import { CONFIG, type Config, getPublicUrl } from '../../../config';
import { Database } from '../../../platform/database/database';
import { isOutcomeUnknown } from '../../../platform/database/outcome-unknown';
import { FileStorage } from '../../../platform/files/file-storage';
import type { Caller } from '../../../platform/http/access';
import { clientClosedRequest } from '../../../platform/http/client-abort-signal';
import { validationFailed } from '../../../platform/http/errors';
import { uploadsFolder } from '../../../platform/http/multipart';
import { StreamedAnswers } from '../../../platform/http/streamed-answers';
import { callNotFound } from '../../calls/model/calls.errors';
import { toCallId } from '../filter/call-filter';
import { RECORDING_TYPES, type RecordingType } from './recording-file.entity';
import { recordingExists, recordingNotFound, recordingTooLarge } from './recordings.errors';
import { RecordingsRepository } from './recordings.repository';

const BYTES_PER_MB = 1024 * 1024;

/** Stores the recordings that runtimes upload, and reads them. */
@Injectable()
export class RecordingsService {
  constructor(
    private readonly recordings: RecordingsRepository,
    private readonly files: FileStorage,
    private readonly quotas: QuotasService,
    private readonly answers: StreamedAnswers,
    private readonly database: Database,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Stores a recording. Its bytes count for the quota before they arrive, so that several uploads cannot exceed it
   * together.
   * @throws 400, 404, 409 if the call has a recording, 413, 403 if the quota is reached
   */
  async handIn(caller: Caller, callId: string, request: Request): Promise<{ recording_url: string }> {
    const { workspaceId } = caller;
    const id = callId.toLowerCase();
    if (await this.recordings.has(id)) throw recordingExists();
    const key = randomUUID();
    const contentType = request.is([...RECORDING_TYPES]) as RecordingType;
    const bytes = this.getMaxSize(request);
    await this.database.transaction(async (transaction) => {
      await this.quotas.assertWithinQuota(workspaceId, 'recording_bytes', transaction, bytes);
      await this.recordings.addUpload({ key, workspaceId, contentType, bytes }, transaction);
    });
    const path = join(uploadsFolder(this.config), key);
    try {
      const written = await this.receive(request, path);
      await this.files.keep(key, path);
      const url = `${getPublicUrl(this.config)}/api/calls/${id}/recording`;
      await this.database.transaction(async (transaction) => {
        if (!(await this.recordings.lockCall(workspaceId, id, transaction))) throw callNotFound();
        if (await this.recordings.has(id, transaction)) throw recordingExists();
        if (!(await this.recordings.keep({ key, callId: id, url, bytes: written }, transaction)))
          throw clientClosedRequest();
      });
      return { recording_url: url };
    } catch (error) {
      await rm(path, { force: true });
      // A recording may exist after an unknown outcome; without one, the cleaner removes the file.
      if (!isOutcomeUnknown(error)) await this.remove(key);
      throw error;
    }
  }

  /** Writes the recording, or the part of it that the request asks for. @throws 404 */
  async write(
    caller: Caller,
    callId: string,
    context: ExecutionContext,
    { request, response }: { request: Request; response: Response },
  ): Promise<void> {
    const found = await this.recordings.find(toCallId(caller, callId));
    if (!found) throw recordingNotFound();
    const size = Number(found.bytes);
    const ranges = request.range(size, { combine: true });
    response.set('Accept-Ranges', 'bytes');
    if (ranges === -1) {
      response.status(416).set('Content-Range', `bytes */${size}`).end();
      return;
    }
    // Several ranges are answered with the whole, as RFC 9110 allows.
    const range =
      Array.isArray(ranges) && ranges.type === 'bytes' && ranges.length === 1 ? ranges[0] : undefined;
    const { start, end } = range ?? { start: 0, end: size - 1 };
    const stream = await this.files.read(found.key, { start, end });
    if (!stream) throw recordingNotFound();
    if (range) response.status(206).set('Content-Range', `bytes ${start}-${end}/${size}`);
    const headers = { 'Content-Type': found.contentType, 'Content-Length': `${end - start + 1}` };
    try {
      await this.answers.write(context, response, { kind: 'recording', headers, parts: readParts(stream) });
    } finally {
      stream.destroy();
    }
  }

  /** Removes a file and its row. It can be repeated after a crash at any point. */
  async remove(key: string): Promise<void> {
    await this.files.remove(key);
    await this.recordings.delete(key);
  }

  /**
   * Returns the largest size that the recording can have.
   * @throws 413
   */
  private getMaxSize({ headers }: Request): number {
    const max = this.config.RECORDING_MAX_MB * BYTES_PER_MB;
    const bytes = headers['content-length'] === undefined ? max : Number(headers['content-length']);
    if (bytes > max) throw recordingTooLarge(this.config.RECORDING_MAX_MB);
    return bytes;
  }

  /** Writes the body to the disk as it arrives. @returns its size @throws 400 if it is empty, 413, 499 */
  private async receive(request: Request, path: string): Promise<number> {
    const max = this.config.RECORDING_MAX_MB * BYTES_PER_MB;
    const tooLarge = () => recordingTooLarge(this.config.RECORDING_MAX_MB);
    let bytes = 0;
    const limited = new Transform({
      transform(chunk: Buffer, _, done) {
        bytes += chunk.length;
        if (bytes > max) done(tooLarge());
        else done(null, chunk);
      },
    });
    await mkdir(uploadsFolder(this.config), { recursive: true, mode: 0o700 });
    if (request.destroyed) throw clientClosedRequest();
    const file = createWriteStream(path, { mode: 0o600 });
    try {
      // The request itself stays open, so that a refusal can be answered.
      request.once('close', () => {
        if (!request.readableEnded) limited.destroy(clientClosedRequest());
      });
      await pipeline(request.pipe(limited), file);
    } catch (error) {
      request.unpipe(limited);
      throw error;
    }
    if (bytes === 0) throw validationFailed([{ field: 'body', message: 'body must not be empty' }]);
    return bytes;
  }
}

async function* readParts(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  yield* stream;
}

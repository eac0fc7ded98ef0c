import { type ExecutionContext, Injectable, Logger } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { Response } from 'express';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { AuthenticatedRequest } from './access';
import { getAbortSignal } from './client-abort-signal';
import { cutResponse } from './cut-response';
import { ApiError } from './errors';
import { GracefulClose } from './graceful-close';
import { LastingAccess } from './lasting-access';
import { IDLE_MS, UnreadAnswers } from './unread-answers';
import { workspaceBusy } from './workspace-busy';
import { WorkspaceSemaphore } from '../limits/workspace-semaphore';

/** The number of streams of one kind and workspace at once, in this process. */
const MAX_STREAMS = 2;

/** A player asks for several parts of a recording at once. */
const MAX_RECORDINGS = 20;

const WAIT_SECONDS = 5;

/** The longest time of a stream, however slowly its client reads. */
const MAX_MINUTES = 60;

/** A response has the listeners of the server to its end, and those of a pipeline: more than the default of 10. */
const MAX_LISTENERS = 20;

/** The size of a piece that is written to a socket at once. */
const PIECE_BYTES = 16 * 1024;

export interface StreamedAnswer {
  /** The kind is named in the message of a refusal. */
  kind: 'export' | 'transcript' | 'recording';
  headers: Record<string, string>;
  /** The body in parts, each of which is made when the one before has been taken. */
  parts: AsyncGenerator<string | Buffer, void>;
}

/** Writes answers of any size, as fast as their readers take them. */
@Injectable()
export class StreamedAnswers {
  private readonly logger = new Logger(StreamedAnswers.name);
  private readonly running = {
    export: permitsFor('export'),
    transcript: permitsFor('transcript'),
    recording: permitsFor('recording', MAX_RECORDINGS),
  };

  constructor(
    private readonly answers: UnreadAnswers,
    private readonly access: LastingAccess,
    private readonly providers: ModuleRef,
  ) {}

  /**
   * Returns when the response has ended. A failure after its beginning, the end of its credential and the time
   * limit cut the connection, so that the reader does not take what has arrived for the whole.
   * @throws 503 if the workspace has too many streams of the kind, and what reading the first part throws
   */
  async write(
    context: ExecutionContext,
    response: Response,
    { kind, headers, parts }: StreamedAnswer,
  ): Promise<void> {
    const { workspaceId } = context.switchToHttp().getRequest<AuthenticatedRequest>().user;
    const release = await this.running[kind].acquire(workspaceId, {
      abortSignal: () => getAbortSignal(response),
    });
    try {
      const first = await parts.next();
      response.set({ ...headers, 'Cache-Control': 'no-store' });
      if (response.req.method === 'HEAD') return void response.end();
      const ends = [this.access.watch(context, () => cutResponse(response)), limitTime(response)];
      try {
        const body = Readable.from(this.toPieces(workspaceId, first, parts), { objectMode: false });
        response.setMaxListeners(MAX_LISTENERS);
        const http = this.providers.get(GracefulClose, { strict: false });
        await http.streaming(response, () => pipeline(body, response));
      } finally {
        for (const end of ends) end();
      }
    } catch (error) {
      if (response.headersSent && !(error instanceof ApiError) && !isReaderGone(error))
        this.logger.error({ err: error, workspaceId }, `The stream of a response was cut: ${kind}`);
      throw error;
    } finally {
      release();
    }
  }

  /** One part is in memory at a time. */
  private async *toPieces(
    workspaceId: string,
    first: IteratorResult<string | Buffer, void>,
    parts: AsyncGenerator<string | Buffer, void>,
  ): AsyncGenerator<Buffer, void> {
    for (let part = first; !part.done; part = await parts.next()) {
      const bytes = typeof part.value === 'string' ? Buffer.from(part.value) : part.value;
      const release = this.answers.hold(workspaceId, bytes.length);
      try {
        for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
      } finally {
        release();
      }
    }
  }
}

/**
 * Cuts a response at the time limit, and earlier if its reader takes nothing.
 * @returns the function that ends the limit
 */
function limitTime(response: Response): () => void {
  let hasMoved = false;
  response.on('drain', () => (hasMoved = true));
  const looks = setInterval(() => {
    // If all bytes are sent, the server may be reading the next ones.
    if (!hasMoved && response.writableLength > 0) cutResponse(response);
    hasMoved = false;
  }, IDLE_MS);
  const limit = setTimeout(() => cutResponse(response), MAX_MINUTES * 60_000);
  return () => {
    clearInterval(looks);
    clearTimeout(limit);
  };
}

const permitsFor = (resource: string, permits = MAX_STREAMS) =>
  new WorkspaceSemaphore({
    permits,
    waitSeconds: WAIT_SECONDS,
    busy: (seconds) => workspaceBusy(resource, seconds),
  });

const isReaderGone = (error: unknown) => (error as { code?: unknown }).code === 'ERR_STREAM_PREMATURE_CLOSE';

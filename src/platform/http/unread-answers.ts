import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Request, Response } from 'express';
import type { Server } from 'node:http';
import type { Caller } from './access';
import { getAbortSignal } from './client-abort-signal';
import { cutResponse } from './cut-response';
import { getClientNetwork } from './client-network';
import { validationFailed } from './errors';
import { pauseReads } from './paused-reads';
import { isSafeMethod } from './safe-methods';
import { answersFull, workspaceBusy } from './workspace-busy';
import { WorkspaceSemaphore } from '../limits/workspace-semaphore';

const MEGABYTE = 1024 * 1024;

/** A workspace with this many unread bytes gets no other answer before some are read. */
const FULL_BYTES = 32 * MEGABYTE;

/** The limit with the answers to requests that were in progress by then. Above it, an answer is refused or cut. */
const MAX_BYTES = 64 * MEGABYTE;

/** The same for all answers of public routes to one client network. */
const MAX_PUBLIC_BYTES = 8 * MEGABYTE;

/** Smaller answers are not counted. */
const SMALL_BYTES = 64 * 1024;

const WAIT_SECONDS = 5;

/** A reader that takes nothing for this time is gone. */
export const IDLE_MS = 30_000;

/** A text of this length may have more bytes than a small answer. */
const SMALL_LENGTH = SMALL_BYTES / 3;

const getUser = (request: Request) => (request as Request & { user?: Caller }).user;

const tooLarge = () =>
  validationFailed([
    {
      field: 'query.limit',
      message: `limit makes an answer of more than ${MAX_BYTES / MEGABYTE} MB. Ask for fewer items`,
    },
  ]);

/**
 * Bounds the memory of the answers that have been made and not been read, for each workspace and for each client of
 * public routes. Every answer is measured when it ends, and cut if its client stops reading.
 */
@Injectable()
export class UnreadAnswers implements OnModuleInit {
  private readonly room = new WorkspaceSemaphore({
    permits: FULL_BYTES,
    busy: (seconds) => workspaceBusy('memory for the answer', seconds),
    waitSeconds: WAIT_SECONDS,
  });

  constructor(private readonly adapter: HttpAdapterHost) {}

  onModuleInit(): void {
    const server = this.adapter.httpAdapter.getHttpServer() as Server;
    server.prependListener('request', (request: Request, response: Response) => {
      response.once('prefinish', () => this.count(request, response));
    });
  }

  isFull(workspaceId: string): boolean {
    return this.room.countFree(workspaceId) <= 0;
  }

  /** Waits until the workspace may get another answer. @throws 503, 499 */
  async waitForRoom(workspaceId: string, response: Response): Promise<void> {
    const release = await this.room.acquire(workspaceId, { abortSignal: () => getAbortSignal(response) });
    release();
  }

  /**
   * Refuses to send an answer that exceeds the limit. An answer about a change is always sent.
   * @throws 503, 400 if it always exceeds the limit
   */
  assertRoom(request: Request, text: string): void {
    const workspaceId = getUser(request)?.workspaceId;
    if (text.length < SMALL_LENGTH || workspaceId === undefined || !isSafeMethod(request.method)) return;
    const bytes = Buffer.byteLength(text);
    if (bytes > MAX_BYTES) throw tooLarge();
    if (this.heldBy(workspaceId) + bytes > MAX_BYTES) throw answersFull(MAX_BYTES / MEGABYTE);
  }

  /**
   * Counts the bytes that a workspace has in memory for a reader.
   * @returns the function that ends it, to be called once
   */
  hold(workspaceId: string, bytes: number): () => void {
    return this.room.take(workspaceId, bytes);
  }

  private heldBy(owner: string): number {
    return FULL_BYTES - this.room.countFree(owner);
  }

  /** The bytes that the socket could not send at once stay in memory until the client has read them. */
  private count(request: Request, response: Response): void {
    const bytes = response.writableLength;
    if (bytes <= SMALL_BYTES) return;
    const workspaceId = getUser(request)?.workspaceId;
    const owner = workspaceId ?? `network ${getClientNetwork(request)}`;
    if (this.heldBy(owner) + bytes > (workspaceId === undefined ? MAX_PUBLIC_BYTES : MAX_BYTES))
      return void cutResponse(response);
    const release = this.hold(owner, bytes);
    // Data that the client sends meanwhile is no progress, and would restart the timer.
    const resumeReads = pauseReads(request.socket);
    response.once('close', () => {
      resumeReads();
      release();
    });
    response.setTimeout(IDLE_MS, () => cutResponse(response));
  }
}

import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { AuthenticatedRequest } from './access';
import { getAbortSignal } from './client-abort-signal';
import { hasBody, isMultipart, MAX_BODY_BYTES } from './json-body';
import { UnreadAnswers } from './unread-answers';
import { tooManyRequestsInProgress, workspaceBusy } from './workspace-busy';
import { WorkspaceSemaphore } from '../limits/workspace-semaphore';

/** The number of requests of one workspace in progress at once in this process. */
const MAX_REQUESTS = 1_000;

/** The size of the bodies of one workspace in memory at once; a parsed body uses several times its size. */
const MAX_BODIES_BYTES = 16 * MAX_BODY_BYTES;

const WAIT_SECONDS = 5;

/** The size of the fields of a form; its file is written to disk. */
const FORM_BYTES = 64 * 1024;

/** The most memory that a body can use. A compressed body, or one without a length, can have any size. */
function bodyBytes(request: Request): number {
  if (!hasBody(request)) return 0;
  if (isMultipart(request)) return FORM_BYTES;
  const { 'content-length': length, 'content-encoding': encoding } = request.headers;
  return encoding === undefined && length !== undefined
    ? Math.min(Number(length), MAX_BODY_BYTES)
    : MAX_BODY_BYTES;
}

/** Limits the requests of one workspace in this process, and the memory of their bodies and answers. */
@Injectable()
export class FairShare {
  private readonly requests = new WorkspaceSemaphore({
    permits: MAX_REQUESTS,
    busy: (seconds) => workspaceBusy('request', seconds),
    waitSeconds: WAIT_SECONDS,
  });
  private readonly bodies = new WorkspaceSemaphore({
    permits: MAX_BODIES_BYTES,
    busy: (seconds) => workspaceBusy('memory for the body', seconds),
    waitSeconds: WAIT_SECONDS,
  });

  constructor(private readonly answers: UnreadAnswers) {}

  /**
   * @param hasSmallAnswer whether it may be answered while the workspace reads none of its answers
   * @returns the function that ends the request's use @throws 503, 499
   */
  async acquire(
    request: AuthenticatedRequest,
    response: Response,
    hasSmallAnswer: boolean,
  ): Promise<() => void> {
    const { workspaceId } = request.user;
    const releaseRequest = this.requests.tryAcquire(workspaceId);
    if (!releaseRequest) throw tooManyRequestsInProgress(MAX_REQUESTS);
    const bytes = bodyBytes(request);
    const mustWait = !hasSmallAnswer && this.answers.isFull(workspaceId);
    if (bytes === 0 && !mustWait) return releaseRequest;
    try {
      if (mustWait) await this.answers.waitForRoom(workspaceId, response);
      if (bytes === 0) return releaseRequest;
      const abortSignal = () => getAbortSignal(response);
      const releaseBody = await this.bodies.acquire(workspaceId, { weight: bytes, abortSignal });
      return () => {
        releaseBody();
        releaseRequest();
      };
    } catch (error) {
      releaseRequest();
      throw error;
    }
  }
}

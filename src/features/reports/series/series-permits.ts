import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import type { Caller } from '../../../platform/http/access';
import { getAbortSignal } from '../../../platform/http/client-abort-signal';
import { workspaceBusy } from '../../../platform/http/workspace-busy';
import { WorkspaceSemaphore } from '../../../platform/limits/workspace-semaphore';

/**
 * The number of series that a workspace may read at once in this process: each may read many calls, and has a
 * large answer.
 */
const MAX_SERIES = 2;

const WAIT_SECONDS = 5;

/** The permits of a workspace for series. */
@Injectable()
export class SeriesPermits {
  private readonly permits = new WorkspaceSemaphore({
    permits: MAX_SERIES,
    busy: (seconds) => workspaceBusy('series', seconds),
    waitSeconds: WAIT_SECONDS,
  });

  /**
   * Waits for a permit, and releases it when the answer has been read.
   * @throws 503 if the workspace requests too many series at once
   */
  async acquire({ workspaceId }: Caller, response: Response): Promise<void> {
    const release = await this.permits.acquire(workspaceId, { abortSignal: () => getAbortSignal(response) });
    if (response.closed) release();
    else response.once('close', release);
  }
}

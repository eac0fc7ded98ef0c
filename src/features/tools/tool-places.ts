import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../config';
import { WorkspaceSemaphore } from '../../platform/limits/workspace-semaphore';
import { toolsBusy } from './tools.errors';

/** The requests of tools that a workspace may have at once, in this process. */
@Injectable()
export class ToolPlaces extends WorkspaceSemaphore {
  constructor(@Inject(CONFIG) { TOOL_CONCURRENCY: permits }: Pick<Config, 'TOOL_CONCURRENCY'>) {
    super({ permits, waitSeconds: 0, busy: toolsBusy });
  }

  /** @throws 429 */
  enter(workspaceId: string): () => void {
    const release = this.tryAcquire(workspaceId);
    if (!release) throw toolsBusy();
    return release;
  }
}

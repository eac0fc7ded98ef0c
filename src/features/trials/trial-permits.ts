import { Injectable } from '@nestjs/common';
import { workspaceBusy } from '../../platform/http/workspace-busy';
import { WorkspaceSemaphore } from '../../platform/limits/workspace-semaphore';

const WAIT_SECONDS = 5;

/** A workspace tries one call at a time in each process. */
@Injectable()
export class TrialPermits extends WorkspaceSemaphore {
  constructor() {
    super({ permits: 1, busy: (seconds) => workspaceBusy('trial', seconds), waitSeconds: WAIT_SECONDS });
  }
}

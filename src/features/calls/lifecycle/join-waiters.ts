import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { CONFIG, type Config } from '../../../config';
import { SharedPoll } from '../../../platform/database/shared-poll';
import { STATUS } from '../model/call-states';
import { type JoinDto, getJoin } from '../model/join.dto';
import { type AwaitedCall, CallsRepository } from './calls.repository';

const POLL_INTERVAL_MS = 100;

/** The number of requests of one workspace that wait in this process. */
const MAX_WAITERS = 100;

interface CallOfWorkspace {
  workspaceId: string;
  id: string;
}

/** Requests that wait until their web calls can be joined. */
@Injectable()
export class JoinWaiters implements OnModuleDestroy {
  private readonly counts = new Map<string, number>();
  private readonly poll = new SharedPoll<AwaitedCall>(POLL_INTERVAL_MS, async (ids) =>
    (await this.calls.findAwaited(ids)).filter((call) => !isAwaited(call)),
  );

  constructor(
    private readonly calls: CallsRepository,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * @param clientGone ends the wait
   * @returns null if the call cannot be joined in time, or too many requests of the workspace wait
   */
  async wait({ workspaceId, id }: CallOfWorkspace, clientGone?: AbortSignal): Promise<JoinDto | null> {
    const count = this.counts.get(workspaceId) ?? 0;
    if (count >= MAX_WAITERS) return null;
    this.counts.set(workspaceId, count + 1);
    try {
      const time = AbortSignal.timeout(this.config.WEBCALL_WAIT_MS);
      const call = await this.poll.wait(id, clientGone ? AbortSignal.any([time, clientGone]) : time);
      return call ? getJoin(call) : null;
    } finally {
      const left = (this.counts.get(workspaceId) ?? 1) - 1;
      if (left === 0) this.counts.delete(workspaceId);
      else this.counts.set(workspaceId, left);
    }
  }

  /** The calls go on. */
  onModuleDestroy(): void {
    this.poll.stop();
  }
}

const isAwaited = ({ status, joinUrl }: AwaitedCall) =>
  status === STATUS.queued || (status === STATUS.accepted && joinUrl === null);

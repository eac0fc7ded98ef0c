import { Inject, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { CONFIG, type Config } from '../../../config';
import { leaveRequest } from '../../../platform/http/request-context';
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

/**
 * Requests that wait until their web calls can be joined. One statement changes at the calls of all of them ten times a
 * second, so that a waiting request holds no connection, and that any process may have received the runtime's report.
 */
@Injectable()
export class JoinWaiters implements OnModuleDestroy {
  private readonly logger = new Logger(JoinWaiters.name);
  private readonly waiting = new Map<string, (join: JoinDto | null) => void>();
  private readonly counts = new Map<string, number>();
  private timer: NodeJS.Timeout | undefined;
  private isStopping = false;

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
    if (count >= MAX_WAITERS || this.isStopping || clientGone?.aborted) return null;
    this.counts.set(workspaceId, count + 1);
    let leave: () => void = () => undefined;
    try {
      return await new Promise<JoinDto | null>((resolve) => {
        const timer = setTimeout(() => resolve(null), this.config.WEBCALL_WAIT_MS);
        const onGone = () => resolve(null);
        clientGone?.addEventListener('abort', onGone, { once: true });
        leave = () => {
          clearTimeout(timer);
          clientGone?.removeEventListener('abort', onGone);
        };
        this.waiting.set(id, resolve);
        // The timer runs outside the context of this request: its end would abort the polls for all others.
        this.timer ??= leaveRequest(() => setTimeout(() => void this.poll(), POLL_INTERVAL_MS));
      });
    } finally {
      leave();
      this.waiting.delete(id);
      const left = (this.counts.get(workspaceId) ?? 1) - 1;
      if (left === 0) this.counts.delete(workspaceId);
      else this.counts.set(workspaceId, left);
    }
  }

  /** Answers all requests at once: a stop would cut them, and their calls go on. */
  onModuleDestroy(): void {
    this.isStopping = true;
    clearTimeout(this.timer);
    for (const resolve of this.waiting.values()) resolve(null);
  }

  private async poll(): Promise<void> {
    try {
      const calls = new Map(
        (await this.calls.findAwaited([...this.waiting.keys()])).map((call) => [call.id, call]),
      );
      for (const [id, resolve] of this.waiting) {
        const call = calls.get(id);
        // A request that came during the poll is not in it.
        if (call && !isAwaited(call)) resolve(getJoin(call));
      }
    } catch (error) {
      this.logger.warn({ err: error }, 'The calls that requests wait for could not be read');
    }
    const goesOn = this.waiting.size > 0 && !this.isStopping;
    this.timer = goesOn ? setTimeout(() => void this.poll(), POLL_INTERVAL_MS) : undefined;
  }
}

const isAwaited = ({ status, joinUrl }: AwaitedCall) =>
  status === STATUS.queued || (status === STATUS.accepted && joinUrl === null);

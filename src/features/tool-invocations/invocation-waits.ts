import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { SharedPoll } from '../../platform/database/shared-poll';
import { rejectOnAbort } from '../../platform/outbound-http/reject-on-abort';
import { INVOCATION_STATE } from './tool-invocation.entity';
import { type InvocationRow, ToolInvocationsRepository } from './tool-invocations.repository';
import { ToolSender } from './tool-sender';

const POLL_MS = 250;

export interface Wait {
  waitMs: number;
  clientGone: AbortSignal;
}

/** Waits until invocations are settled, wherever they run. */
@Injectable()
export class InvocationWaits implements OnModuleDestroy {
  private readonly poll = new SharedPoll<InvocationRow>(POLL_MS, (ids) => this.invocations.findSettled(ids));

  constructor(
    private readonly invocations: ToolInvocationsRepository,
    private readonly sender: ToolSender,
  ) {}

  /** @returns what it is when it is settled, or the time is over */
  async wait(invocation: InvocationRow, { waitMs, clientGone }: Wait): Promise<InvocationRow> {
    if (invocation.state !== INVOCATION_STATE.running || waitMs <= 0) return invocation;
    const over = AbortSignal.any([clientGone, AbortSignal.timeout(Math.ceil(waitMs))]);
    const settled =
      (await this.waitForOwn(invocation.id, over)) ?? (await this.poll.wait(invocation.id, over));
    return settled ?? invocation;
  }

  /** Answers the requests for what runs elsewhere: it goes on, and the next request finds it. */
  onModuleDestroy(): void {
    this.poll.stop();
  }

  /** @returns undefined if this process does not run it any more, or the time is over */
  private async waitForOwn(id: string, over: AbortSignal): Promise<InvocationRow | undefined> {
    const settled = this.sender.findRunning(id);
    if (!settled || over.aborted) return undefined;
    return Promise.race([settled, rejectOnAbort(over)]).catch(() => undefined);
  }
}
